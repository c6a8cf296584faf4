"""The chats on disk: what is kept of them, and every change that can be made. Knows nothing of Qt."""

# ruff: noqa: S608 (the names in these statements are constants of ours; every value is bound)

import json
import logging
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal
from uuid import NAMESPACE_OID, uuid5

from app.attachments import Attachment
from app.chat_message import ChatMessage
from app.database import Database, set_aside
from app.message_rows import (
    CHANGING,
    READ,
    WRITTEN,
    message_of,
    packed_attachments,
    unpacked_attachments,
    values_of,
    whole,
)
from app.message_tree import ROOT
from app.rescue import rescue
from app.search import Hit, find, index_some

log = logging.getLogger(__name__)

CHECKED_BYTES = 32 * 2**20  # up to this size every page is looked at when the file is opened: about 0.1 s
Named = Literal["words", "model", "person"]

_INSERT = f"INSERT INTO messages ({WRITTEN}) VALUES ({', '.join('?' * len(WRITTEN.split(',')))})"
_SAVE = f"{_INSERT} ON CONFLICT (id) DO UPDATE SET indexed = 0, {', '.join(f'{c} = excluded.{c}' for c in CHANGING)}"
_LISTED = "id, title, created, updated, pinned, coalesce(folder, ''), named, private"


@dataclass(frozen=True)
class ConversationRow:
    """A line of the list of chats. Times are seconds since 1970. named: who gave it its title; private: nothing is
    learned from it."""

    id: str
    title: str
    created: float
    updated: float
    pinned: bool = False
    folder: str = ""  # its id
    named: Named = "words"
    private: bool = False


@dataclass(frozen=True)
class Folder:
    id: str
    name: str


@dataclass(frozen=True)
class StoredChat:
    """A chat with everything in it. Parents come before their children; chosen: see `app.message_tree`."""

    row: ConversationRow
    messages: Sequence[ChatMessage]
    chosen: Mapping[str, str] = field(default_factory=dict)
    preset: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)


class History(Database):
    @classmethod
    def open(cls, path: Path) -> "tuple[History, str]":
        """Open for a new session; the second value says what was wrong, or is empty.

        A damaged file (or one from a newer Foreword) is set aside and a new one made. Replies that a crash cut short
        are stopped, and what was deleted in an earlier session is removed for good.
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
            aside = set_aside(path)
            log.warning("the chats could not be read (%s); set aside as %s", error, aside.name)
            history = cls(path)
            saved = rescue(aside, path)
            text = f"The file with your chats could not be read. It was kept as {aside.name}."
            if saved.messages:
                text += f" {saved.sentence}"
            return history, text

    # Chats

    def conversations(self) -> list[ConversationRow]:
        """Newest first."""
        sql = f"SELECT {_LISTED} FROM conversations WHERE deleted IS NULL ORDER BY updated DESC, created DESC, rowid"
        return [_listed(row) for row in self._db.execute(sql)]

    def chat(self, conversation_id: str) -> StoredChat | None:
        """Everything about a chat; None if there is none, or it was deleted."""
        sql = f"SELECT {_LISTED}, chosen, preset, overrides FROM conversations WHERE id = ? AND deleted IS NULL"
        found = self._db.execute(sql, (conversation_id,)).fetchone()
        if found is None:
            return None
        *listed, first, preset, overrides = found
        rows = self._rows(conversation_id)
        chosen = {row[0]: row[-1] for row in rows if row[-1] is not None}
        if first is not None:
            chosen[ROOT] = first
        messages = [message_of(row) for row in rows]
        return StoredChat(_listed(listed), messages, chosen, preset, whole(overrides, dict, {}))

    def messages(self, conversation_id: str) -> list[ChatMessage]:
        """Every message of a chat, in the order they came about."""
        return [message_of(row) for row in self._rows(conversation_id)]

    def create(self, conversation_id: str, title: str, created: float | None = None, named: Named = "words") -> None:
        now = time.time() if created is None else created
        with self.transaction():
            self._db.execute(
                "INSERT INTO conversations (id, title, created, updated, named) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (conversation_id, title, now, now, named),
            )

    def rename(self, conversation_id: str, title: str, named: Named = "person") -> None:
        self._change("title = ?, named = ?", conversation_id, title, named)

    def pin(self, conversation_id: str, pinned: bool) -> None:
        self._change("pinned = ?", conversation_id, int(pinned))

    def set_private(self, conversation_id: str, private: bool) -> None:
        self._change("private = ?", conversation_id, int(private))

    def move(self, conversation_id: str, folder_id: str) -> None:
        """Into a folder; "" for none."""
        self._change("folder = ?", conversation_id, folder_id or None)

    def set_preset(self, conversation_id: str, preset: str, overrides: Mapping[str, Any]) -> None:
        self._change("preset = ?, overrides = ?", conversation_id, preset, json.dumps(dict(overrides)))

    def rename_preset(self, old: str, new: str) -> None:
        with self.transaction():
            self._db.execute("UPDATE conversations SET preset = ? WHERE preset = ?", (new, old))

    def delete(self, conversation_id: str) -> None:
        """Take a chat out of the list. It can be restored until the next session begins."""
        self._change("deleted = ?", conversation_id, time.time())

    def restore(self, conversation_id: str) -> None:
        self._change("deleted = ?", conversation_id, None)

    # Folders

    def folders(self) -> list[Folder]:
        return [Folder(*row) for row in self._db.execute("SELECT id, name FROM folders ORDER BY name")]

    def save_folder(self, folder: Folder) -> None:
        with self.transaction():
            self._save_folder(folder)

    def delete_folder(self, folder_id: str, chats: Iterable[str] = ()) -> None:
        """Together with these chats, or not at all; its others stay, in no folder."""
        now = time.time()
        with self.transaction():
            self._db.executemany("UPDATE conversations SET deleted = ? WHERE id = ?", [(now, one) for one in chats])
            self._db.execute("DELETE FROM folders WHERE id = ?", (folder_id,))

    def restore_folder(self, folder: Folder, chats: Iterable[str], inside: Iterable[str]) -> None:
        """Together with these chats that were deleted, or not at all. inside: all that it had."""
        with self.transaction():
            self._save_folder(folder)
            self._db.executemany("UPDATE conversations SET deleted = NULL WHERE id = ?", [(one,) for one in chats])
            pairs = [(folder.id, one) for one in inside]
            self._db.executemany("UPDATE conversations SET folder = ? WHERE id = ?", pairs)

    # Messages

    def save_message(self, conversation_id: str, message: ChatMessage) -> None:
        """Insert or replace a message; its chat moves to the top of the list."""
        with self.transaction():
            self._db.execute(_SAVE, values_of(conversation_id, message))
            self._db.execute("UPDATE conversations SET updated = ? WHERE id = ?", (time.time(), conversation_id))

    def choose(self, conversation_id: str, chosen: Mapping[str, str]) -> None:
        """Which child of each parent is shown."""
        with self.transaction():
            for parent, child in chosen.items():
                if parent == ROOT:
                    self._db.execute("UPDATE conversations SET chosen = ? WHERE id = ?", (child, conversation_id))
                else:
                    self._db.execute("UPDATE messages SET chosen = ? WHERE id = ?", (child, parent))

    def remove_messages(self, messages: Iterable[str], children: Iterable[str], parent: str) -> None:
        """Take messages out until the next session; `children` now follow `parent`."""
        now = time.time()
        with self.transaction():
            self._adopt(children, parent)
            self._db.executemany("UPDATE messages SET deleted = ? WHERE id = ?", [(now, one) for one in messages])

    def restore_messages(self, messages: Iterable[str], children: Iterable[str], parent: str) -> None:
        with self.transaction():
            self._db.executemany("UPDATE messages SET deleted = NULL WHERE id = ?", [(one,) for one in messages])
            self._adopt(children, parent)

    # Unsent questions

    def unsent(self) -> dict[str, tuple[str, tuple[Attachment, ...]]]:
        """By chat; "" for a chat that has no message yet."""
        rows = self._db.execute("SELECT conversation, text, attachments FROM unsent")
        return {identifier: (text, unpacked_attachments(packed)) for identifier, text, packed in rows}

    def keep_unsent(self, conversation_id: str, text: str, attachments: tuple[Attachment, ...]) -> None:
        with self.transaction():
            if text or attachments:
                self._db.execute(
                    "INSERT OR REPLACE INTO unsent VALUES (?, ?, ?)",
                    (conversation_id, text, packed_attachments(attachments)),
                )
            else:
                self._db.execute("DELETE FROM unsent WHERE conversation = ?", (conversation_id,))

    # Search

    def find(self, search: str) -> list[Hit]:
        return find(self._db, search)

    def index_some(self) -> int:
        """Index a few messages that wait for it; how many."""
        (waiting,) = self._db.execute("SELECT EXISTS (SELECT 1 FROM messages WHERE indexed = 0)").fetchone()
        if not waiting:
            return 0
        with self.transaction():
            return index_some(self._db)

    def tidy(self) -> None:
        """After something was removed for good: leave no word of it in the index either. Takes its time."""
        if self._db.execute("SELECT 1 FROM facts WHERE name = 'untidy'").fetchone():
            with self.transaction():
                self._db.execute("INSERT INTO words (words) VALUES ('optimize')")
                self._db.execute("DELETE FROM facts WHERE name = 'untidy'")

    # Import

    def add_chats(self, chats: Iterable[StoredChat]) -> tuple[int, int]:
        """Add chats with their messages, leaving out what is there already. How many chats and messages were new."""
        new_chats = new_messages = 0
        with self.transaction():
            for chat in chats:
                added = self._add_chat(chat)
                new_chats += added[0]
                new_messages += added[1]
        return new_chats, new_messages

    def _add_chat(self, chat: StoredChat) -> tuple[int, int]:
        chat = self._with_own_ids(chat)
        row = chat.row
        before = self._db.execute("SELECT deleted FROM conversations WHERE id = ?", (row.id,)).fetchone()
        if before is None:
            self._db.execute(
                "INSERT INTO conversations"
                " (id, title, created, updated, pinned, folder, named, preset, overrides, private)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(row.id, row.title, row.created, row.updated, int(row.pinned), row.folder or None, row.named),
                    *(chat.preset, json.dumps(dict(chat.overrides)), int(row.private)),
                ),
            )
        elif before[0] is not None:
            self._db.execute("UPDATE conversations SET deleted = NULL WHERE id = ?", (row.id,))
        known = {found[0] for found in self._db.execute("SELECT id FROM messages WHERE conversation = ?", (row.id,))}
        new = [message for message in chat.messages if message.id not in known]
        self._db.executemany(_INSERT, [values_of(row.id, message) for message in new])
        if new:
            for parent, child in chat.chosen.items():
                if parent == ROOT:
                    self._db.execute("UPDATE conversations SET chosen = ? WHERE id = ?", (child, row.id))
                else:
                    self._db.execute("UPDATE messages SET chosen = ? WHERE id = ?", (child, parent))
        return int(before is None or before[0] is not None), len(new)

    # Within

    def _with_own_ids(self, chat: StoredChat) -> StoredChat:
        """The chat with other ids for its messages, if one of them belongs to another chat here."""
        sql = "SELECT EXISTS (SELECT 1 FROM messages WHERE id = ? AND conversation <> ?)"
        if not any(self._db.execute(sql, (message.id, chat.row.id)).fetchone()[0] for message in chat.messages):
            return chat
        own = {ROOT: ROOT} | {
            message.id: uuid5(NAMESPACE_OID, chat.row.id + message.id).hex for message in chat.messages
        }
        messages = [replace(message, id=own[message.id], parent=own[message.parent]) for message in chat.messages]
        return replace(chat, messages=messages, chosen={own[a]: own[b] for a, b in chat.chosen.items()})

    def _rows(self, conversation_id: str) -> list[tuple[Any, ...]]:
        sql = f"SELECT {READ} FROM messages WHERE conversation = ? AND deleted IS NULL ORDER BY key"
        return self._db.execute(sql, (conversation_id,)).fetchall()

    def _save_folder(self, folder: Folder) -> None:
        self._db.execute(
            "INSERT INTO folders VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name",
            (folder.id, folder.name, time.time()),
        )

    def _change(self, assignments: str, conversation_id: str, *values: object) -> None:
        with self.transaction():
            self._db.execute(f"UPDATE conversations SET {assignments} WHERE id = ?", (*values, conversation_id))

    def _adopt(self, children: Iterable[str], parent: str) -> None:
        pairs = [(parent or None, child) for child in children]
        self._db.executemany("UPDATE messages SET parent = ? WHERE id = ?", pairs)

    def _begin_session(self) -> None:
        if self.path.stat().st_size <= CHECKED_BYTES:
            (verdict,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise sqlite3.DatabaseError(verdict)
        with self.transaction():
            self._db.execute(
                "UPDATE messages SET state = 'stopped', finish_reason = 'cancelled' WHERE state = 'streaming'"
            )
            gone = (
                "SELECT key FROM messages WHERE deleted IS NOT NULL"
                " OR conversation IN (SELECT id FROM conversations WHERE deleted IS NOT NULL)"
            )
            removed = self._db.execute(f"DELETE FROM words WHERE rowid IN ({gone})").rowcount
            self._db.execute(
                "UPDATE messages SET parent = NULL WHERE deleted IS NULL"
                " AND parent IN (SELECT id FROM messages WHERE deleted IS NOT NULL)"
            )
            self._db.execute("DELETE FROM messages WHERE deleted IS NOT NULL")
            self._db.execute("DELETE FROM conversations WHERE deleted IS NOT NULL")
            self._db.execute(
                "DELETE FROM unsent WHERE conversation <> '' AND conversation NOT IN (SELECT id FROM conversations)"
            )
            if removed:
                self._db.execute("INSERT OR REPLACE INTO facts VALUES ('untidy', '1')")


def _listed(row: Sequence[Any]) -> ConversationRow:
    identifier, title, created, updated, pinned, folder, named, private = row
    return ConversationRow(identifier, title, created, updated, bool(pinned), folder, named, bool(private))
