"""The file that keeps the chats: SQLite with a write-ahead log. Knows nothing of Qt; one object for each thread."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.history_schema import migrate


class Database:
    """Every change is one transaction; a kill at any moment leaves the last one whole.

    synchronous FULL: a commit has reached the disk when it returns, so a power cut loses no more than a kill does.
    That costs an fsync, which is why `HistoryWriter` writes and the window only reads.
    """

    def __init__(self, path: Path) -> None:
        """Open or make the database. Raises sqlite3.DatabaseError when the file is damaged."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        # Made in one thread and handed to another by HistoryWriter; never used by two at once.
        self._db = sqlite3.connect(path, timeout=10.0, isolation_level=None, check_same_thread=False)
        self._db.text_factory = as_text
        try:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._db.execute("PRAGMA secure_delete = ON")  # a deleted chat leaves no readable bytes behind
            migrate(self._db, path)
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


def as_text(stored: bytes) -> str:
    """What a bad spot of the disk left of it. sqlite3 itself would refuse the row, and quote it in an error, which is
    logged."""
    return stored.decode(errors="replace")


def set_aside(path: Path) -> Path:
    """Rename a damaged database, with the log that belongs to it, to a name that is free."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.stem}-damaged-{stamp}{path.suffix}")
    count = 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{path.stem}-damaged-{stamp}-{count}{path.suffix}")
    for ending in ("", "-wal", "-shm"):
        part = Path(f"{path}{ending}")
        if part.exists():
            part.replace(f"{aside}{ending}")
    return aside
