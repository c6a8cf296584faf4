"""A lock that the system holds for this process and gives back when the process ends, however it ends."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

log = logging.getLogger(__name__)

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


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
