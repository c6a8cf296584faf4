"""The chats on disk: SQLite with a write-ahead log. Knows nothing of Qt; one object for each thread."""

import json
import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.chat_message import ChatMessage, Run
from inference.events import Origin
from inference.statistics import ReplyStatistics

log = logging.getLogger(__name__)

# One script per schema version; a database at version n still has to run MIGRATIONS[n:].
MIGRATIONS = (
    """
    CREATE TABLE conversations (
        id TEXT PRIMARY KEY, title TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL, deleted REAL
    ) STRICT;
    CREATE INDEX conversations_updated ON conversations (updated);
    CREATE TABLE messages (
        id TEXT PRIMARY KEY,
        conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        role TEXT NOT NULL, text TEXT NOT NULL, runs TEXT NOT NULL, statistics TEXT,
        state TEXT NOT NULL, finish_reason TEXT, error TEXT NOT NULL, model TEXT NOT NULL, created REAL NOT NULL,
        UNIQUE (conversation, position)
    ) STRICT;
    """,
)
CHECKED_BYTES = 32 * 2**20  # up to this size every page is looked at when the file is opened: about 0.1 s
ORIGINS: tuple[Origin, ...] = ("plain", "accepted", "recovered", "bonus")


@dataclass(frozen=True)
class ConversationRow:
    """A line of the list of chats. Times are seconds since 1970."""

    id: str
    title: str
    created: float
    updated: float


class History:
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
        try:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._db.execute("PRAGMA secure_delete = ON")  # a deleted chat leaves no readable bytes behind
            self._migrate()
        except sqlite3.Error:
            self._db.close()
            raise

    @classmethod
    def open(cls, path: Path) -> "tuple[History, str]":
        """Open for a new session; the second value says what was wrong, or is empty.

        A damaged file (or one from a newer Foreword) is set aside and a new one made. Replies that a crash cut short
        are stopped, and chats deleted in an earlier session are removed for good.
        """
        try:
            history = cls(path)
            try:
                history._begin_session()
            except sqlite3.Error:
                history.close()
                raise
            return history, ""
        except sqlite3.OperationalError:
            raise  # locked, no space, no permission: the file itself may be sound
        except sqlite3.DatabaseError as error:
            aside = _set_aside(path)
            log.warning("the chats could not be read (%s); set aside as %s", error, aside.name)
            history = cls(path)
            return history, f"The file with your chats could not be read. It was kept as {aside.name}."

    def close(self) -> None:
        self._db.close()

    def conversations(self, search: str = "") -> list[ConversationRow]:
        """Newest first. `search` is looked for in titles and messages, without regard to ASCII case."""
        query = "SELECT id, title, created, updated FROM conversations AS c WHERE deleted IS NULL"
        values: tuple[str, ...] = ()
        if search:
            pattern = "%" + "".join("\\" + c if c in "\\%_" else c for c in search) + "%"
            query += (
                " AND (title LIKE ? ESCAPE '\\' OR EXISTS (SELECT 1 FROM messages WHERE conversation = c.id"
                " AND text LIKE ? ESCAPE '\\'))"
            )
            values = (pattern, pattern)
        rows = self._db.execute(query + " ORDER BY updated DESC, created DESC", values)
        return [ConversationRow(*row) for row in rows]

    def messages(self, conversation_id: str) -> list[ChatMessage]:
        rows = self._db.execute(
            "SELECT role, text, id, state, runs, statistics, finish_reason, error, model FROM messages"
            " WHERE conversation = ? ORDER BY position",
            (conversation_id,),
        )
        return [_message(row) for row in rows]

    def create(self, conversation_id: str, title: str, created: float | None = None) -> None:
        now = time.time() if created is None else created
        with self._transaction():
            self._db.execute(
                "INSERT INTO conversations (id, title, created, updated) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (conversation_id, title, now, now),
            )

    def rename(self, conversation_id: str, title: str) -> None:
        with self._transaction():
            self._db.execute("UPDATE conversations SET title = ? WHERE id = ?", (title, conversation_id))

    def delete(self, conversation_id: str) -> None:
        """Take a chat out of the list. It can be restored until the next session begins."""
        with self._transaction():
            self._db.execute("UPDATE conversations SET deleted = ? WHERE id = ?", (time.time(), conversation_id))

    def restore(self, conversation_id: str) -> None:
        with self._transaction():
            self._db.execute("UPDATE conversations SET deleted = NULL WHERE id = ?", (conversation_id,))

    def save_message(self, conversation_id: str, position: int, message: ChatMessage) -> None:
        """Insert or replace the message at `position`; its chat moves to the top of the list."""
        now = time.time()
        statistics = None if message.statistics is None else json.dumps(message.statistics.to_json())
        with self._transaction():
            self._db.execute(
                "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET text = excluded.text, runs = excluded.runs,"
                " statistics = excluded.statistics, state = excluded.state, finish_reason = excluded.finish_reason,"
                " error = excluded.error",
                (
                    message.id,
                    conversation_id,
                    position,
                    message.role,
                    message.text,
                    json.dumps([(run.length, ORIGINS.index(run.origin), run.round) for run in message.runs]),
                    statistics,
                    message.state,
                    message.finish_reason,
                    message.error,
                    message.model,
                    now,
                ),
            )
            self._db.execute("UPDATE conversations SET updated = ? WHERE id = ?", (now, conversation_id))

    def remove_from(self, conversation_id: str, position: int) -> None:
        """Delete the messages at `position` and after it."""
        with self._transaction():
            self._db.execute(
                "DELETE FROM messages WHERE conversation = ? AND position >= ?", (conversation_id, position)
            )

    def _migrate(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > len(MIGRATIONS):
            raise sqlite3.DatabaseError(f"schema {version} is newer than this Foreword's {len(MIGRATIONS)}")
        if version == len(MIGRATIONS):
            return
        with self._transaction():  # looked at again inside: another process may have been quicker
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            for script in MIGRATIONS[version:]:
                for statement in script.split(";"):
                    self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    def _begin_session(self) -> None:
        if self.path.stat().st_size <= CHECKED_BYTES:
            (verdict,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise sqlite3.DatabaseError(verdict)
        with self._transaction():
            self._db.execute(
                "UPDATE messages SET state = 'stopped', finish_reason = 'cancelled' WHERE state = 'streaming'"
            )
            self._db.execute("DELETE FROM conversations WHERE deleted IS NOT NULL")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


def _message(row: tuple[Any, ...]) -> ChatMessage:
    role, text, identifier, state, runs, statistics, reason, error, model = row
    return ChatMessage(
        role=role,
        text=text,
        id=identifier,
        state=state,
        runs=[Run(length, ORIGINS[origin], round_index) for length, origin, round_index in json.loads(runs)],
        statistics=None if statistics is None else ReplyStatistics.from_json(json.loads(statistics)),
        finish_reason=reason,
        error=error,
        model=model,
    )


def _set_aside(path: Path) -> Path:
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
