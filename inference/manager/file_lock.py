"""A lock that the system holds for this process and gives back when the process ends, however it ends."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

log = logging.getLogger(__name__)

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int, wait: bool = False) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(descriptor: int, wait: bool = False) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def file_lock(path: Path) -> Iterator[bool]:
    """Whether the lock at `path` was free and is now held; False when another process, or another part of this one,
    holds it. The file stays behind, empty.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        try:
            _take(file.fileno())
        except (BlockingIOError, PermissionError):  # what Unix and Windows say of a lock that is held
            yield False
            return
        except OSError as error:
            log.warning("no lock on %s (%s): this file system has none", path, error)
        yield True


@contextmanager
def in_turn(path: Path) -> Iterator[None]:
    """Hold the lock at `path`, after whoever has it: for what takes a moment, such as reading a small file and writing
    it changed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        try:
            _take(file.fileno(), wait=True)
        except OSError as error:
            log.warning("no lock on %s (%s)", path, error)
        yield
