"""Saves what can be read of a damaged file of chats: row by row, around the pages that are gone."""

# ruff: noqa: S608 (the names in these statements are constants of ours; every value is bound)

import logging
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.database import as_text
from app.history_schema import MIGRATIONS, version_of

log = logging.getLogger(__name__)

TABLES = ("folders", "conversations", "messages", "unsent")  # parents before their children
MOST_TRIED = 50_000  # rows asked for one by one between two readable stretches
MOST_MISSED = 5_000  # of these, unreadable ones in a row: megabytes are gone, or the way to all of them
MENDED = (
    "DELETE FROM messages WHERE role NOT IN ('system', 'user', 'assistant')",
    "INSERT OR IGNORE INTO conversations (id, title, created, updated, private)"  # it may have been private
    " SELECT conversation, 'Rescued chat', min(created), max(created), 1 FROM messages"
    " WHERE conversation NOT IN (SELECT id FROM conversations) GROUP BY conversation",
    "UPDATE messages SET indexed = 0",
    "UPDATE messages SET parent = NULL WHERE parent NOT IN (SELECT id FROM messages)",
    "UPDATE messages SET chosen = NULL WHERE chosen NOT IN (SELECT id FROM messages)",
    "UPDATE conversations SET chosen = NULL WHERE chosen NOT IN (SELECT id FROM messages)",
    "UPDATE conversations SET folder = NULL WHERE folder NOT IN (SELECT id FROM folders)",
)


@dataclass(frozen=True)
class Rescued:
    chats: int = 0
    messages: int = 0

    @property
    def sentence(self) -> str:
        messages = "1 message" if self.messages == 1 else f"{self.messages:,} messages"
        chats = "1 chat" if self.chats == 1 else f"{self.chats:,} chats"
        return f"Rescued from it: {messages} in {chats}."


def rescue(damaged: Path, target: Path) -> Rescued:
    """Copy every readable row of `damaged` into the new and empty database at `target`. Never raises sqlite3.Error."""
    saved = _rescue(damaged, target)
    if saved.messages:
        return saved
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix="rescue-") as folder:
            return _rescue(_with_head_of(target, damaged, Path(folder) / "chats.sqlite"), target)
    except (OSError, sqlite3.Error) as error:  # there is no room for a copy
        log.warning("the head of %s was not mended: %s", damaged.name, error)
        return saved


def _with_head_of(sound: Path, damaged: Path, copy: Path) -> Path:
    """The first 100 bytes say how a file is to be read, and say the same in all of ours (SQLite's file format, 1.3)."""
    shutil.copyfile(damaged, copy)
    db = sqlite3.connect(sound)
    head = bytearray(db.serialize()[:100])  # with what is still in the log
    db.close()
    head[18:20] = b"\1\1"  # there is no log beside it
    head[32:40] = bytes(8)  # nothing is known of free pages,
    head[92:96] = b"\xff" * 4  # nor how many there are: then SQLite looks
    with copy.open("r+b") as file:
        file.write(head)
    return copy


def _rescue(damaged: Path, target: Path) -> Rescued:
    try:
        source = sqlite3.connect(f"{damaged.absolute().as_uri()}?mode=ro", uri=True)
        try:
            if version_of(source) != len(MIGRATIONS):
                return Rescued()
            source.text_factory = as_text
            return _copy(source, target)
        finally:
            source.close()
    except sqlite3.Error as error:
        log.warning("nothing could be rescued from %s: %s", damaged.name, error)
        return Rescued()


def _copy(source: sqlite3.Connection, target: Path) -> Rescued:
    db = sqlite3.connect(target, isolation_level=None)  # foreign keys are off: a parent may be gone
    try:
        db.execute("BEGIN IMMEDIATE")
        for table in TABLES:
            columns = ", ".join(row[1] for row in db.execute(f"PRAGMA table_info({table})"))
            places = ", ".join("?" * len(columns.split(",")))
            rows = _readable(source, table, columns)
            db.executemany(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({places})", rows)
        for statement in MENDED:
            db.execute(statement)
        db.execute("COMMIT")
        (chats,) = db.execute("SELECT count(*) FROM conversations WHERE deleted IS NULL").fetchone()
        (messages,) = db.execute("SELECT count(*) FROM messages WHERE deleted IS NULL").fetchone()
        return Rescued(int(chats), int(messages))
    finally:
        db.close()


def _readable(source: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[object, ...]]:
    """From the front up to the damage, from the back down to it, and between them row by row."""
    first, last = -1, 2**62
    for order, bound in (("ASC", "rowid > ?"), ("DESC", "rowid < ?")):
        try:
            sql = f"SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE {bound} ORDER BY rowid {order}"
            for number, *values in source.execute(sql, (first if order == "ASC" else last,)):
                if order == "ASC":
                    first = number
                else:
                    last = number
                yield tuple(values)
                if order == "DESC" and last <= first + 1:
                    return
            if order == "ASC":
                return  # all of it
        except sqlite3.Error as error:
            log.warning("%s: %s", table, error)
    missed = 0
    for number in range(first + 1, min(last, first + MOST_TRIED)):
        try:
            yield from source.execute(f"SELECT {columns} FROM {table} NOT INDEXED WHERE rowid = ?", (number,))
            missed = 0
        except sqlite3.Error:
            missed += 1
            if missed == MOST_MISSED:
                return
