"""Copies of the chats: made by themselves once a day, and put back when the person asks."""

import logging
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inference.errors import UserError
from inference.manager.paths import BACKUPS

log = logging.getLogger(__name__)
KEPT = 10
EVERY_S = 24 * 3600
PAGES = 2000  # copied between two looks at `cancelled`: 8 MB
_NAME = re.compile(r"-(\d{8}-\d{6})(?:-\d+)?$")
_STAMP = "%Y%m%d-%H%M%S"


@dataclass(frozen=True)
class Backup:
    path: Path
    made: float  # seconds since 1970
    nbytes: int


def backups_folder(database: Path) -> Path:
    return database.parent / BACKUPS


def backups_of(database: Path) -> list[Backup]:
    """The copies there are, newest first; copies made before the tables changed are among them."""
    found = [
        Backup(path, _made(path), path.stat().st_size)
        for path in backups_folder(database).glob(f"{database.stem}-*{database.suffix}")
    ]
    return sorted(found, key=lambda backup: (backup.made, backup.path.name), reverse=True)


def _made(path: Path) -> float:
    """By the name, which survives copying; else by the file's own time."""
    named = _NAME.search(path.stem)
    return time.mktime(time.strptime(named[1], _STAMP)) if named else path.stat().st_mtime


def is_due(database: Path, now: float) -> bool:
    """Whether the last daily copy is a day old, or there is none."""
    dated = [backup.made for backup in backups_of(database) if _NAME.search(backup.path.stem)]
    return not dated or now - max(dated) >= EVERY_S


def back_up(database: Path, now: float, cancelled: Callable[[], bool] = lambda: False) -> Path | None:
    """Copy the chats, and drop the oldest copies beyond KEPT. None if cancelled. Raises sqlite3.Error or OSError."""
    stamp = time.strftime(_STAMP, time.localtime(now))
    target = backups_folder(database) / f"{database.stem}-{stamp}{database.suffix}"
    number = 1
    while target.exists():
        number += 1
        target = target.with_name(f"{database.stem}-{stamp}-{number}{database.suffix}")
    if not copy_database(database, target, cancelled):
        return None
    dated = [backup for backup in backups_of(database) if _NAME.search(backup.path.stem)]
    for old in dated[KEPT:]:
        old.path.unlink(missing_ok=True)
    return target


def copy_database(source: Path, target: Path, cancelled: Callable[[], bool] = lambda: False) -> bool:
    """A consistent copy while others read and write, complete or not there at all. False when it was cancelled."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(handle)
    try:
        done = _copy(source, Path(name), cancelled)
        if done:
            Path(name).replace(target)
        return done
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            Path(name + ending).unlink(missing_ok=True)


def _copy(source: Path, target: Path, cancelled: Callable[[], bool]) -> bool:
    class Cancelled(Exception):  # noqa: N818 (not an error)
        pass

    def look(_status: int, _left: int, _total: int) -> None:
        if cancelled():
            raise Cancelled

    reading, writing = sqlite3.connect(source, timeout=10.0), sqlite3.connect(target)
    try:
        reading.backup(writing, pages=PAGES, progress=look)
        writing.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
    except Cancelled:
        return False
    finally:
        writing.close()
        reading.close()
    with target.open("rb+") as file:
        os.fsync(file.fileno())
    return True


def check_backup(path: Path) -> int:
    """How many chats a copy holds. Raises UserError when it is damaged or no copy of chats at all."""
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
            (count,) = db.execute("SELECT count(*) FROM conversations WHERE deleted IS NULL").fetchone()
        finally:
            db.close()
    except sqlite3.Error as error:
        raise UserError(f"{path.name} cannot be read ({error}).", "Choose another backup.") from error
    if verdict != "ok":
        log.warning("the backup %s is damaged: %s", path.name, verdict)
        raise UserError(f"{path.name} is damaged.", "Choose another backup.")
    return int(count)
