"""The chats of a session: those listed, those opened, and where their changes go. Knows nothing of Qt."""

import logging
import sqlite3
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.chat_message import ChatMessage
from app.conversation import Conversation
from app.history import ConversationRow, History
from app.history_writer import HistoryWriter

log = logging.getLogger(__name__)
FILE = "chats.sqlite"


class Chats:
    """Reads are made at once, changes in the writer's thread. What changed in this session is held in memory, so the
    list and every open chat are up to date before the disk is.
    """

    def __init__(self, folder: Path, on_error: Callable[[str], None]) -> None:
        """`on_error` is called in the writer's thread. `trouble` says what was wrong with the file, or is empty."""
        self._spare: tempfile.TemporaryDirectory[str] | None = None
        try:
            self._history, self.trouble = History.open(folder / FILE)
        except (sqlite3.OperationalError, OSError) as error:
            log.warning("chats cannot be kept in %s: %s", folder, error)
            self._spare = tempfile.TemporaryDirectory(prefix="foreword-")
            self._history, _ = History.open(Path(self._spare.name) / FILE)
            self.trouble = f"Your chats can be neither read nor kept ({error}); this session's are lost at its end."
        self._writer = HistoryWriter(self._history.path, on_error)
        self._rows = {row.id: row for row in self._history.conversations()}
        self._deleted: dict[str, ConversationRow] = {}
        self._open: dict[str, Conversation] = {}

    def rows(self, search: str = "") -> list[ConversationRow]:
        """Newest first; with `search`, those that have these words in their title or messages."""
        rows = list(self._rows.values())
        if search:
            found = {row.id for row in self._history.conversations(search)}
            rows = [row for row in rows if row.id in found or search.casefold() in row.title.casefold()]
        return sorted(rows, key=lambda row: row.updated, reverse=True)

    def conversation(self, identifier: str) -> Conversation:
        """Raises KeyError if there is none, sqlite3.DatabaseError if it cannot be read."""
        row = self._rows[identifier]
        if identifier not in self._open:
            messages = self._history.messages(identifier)
            self._open[identifier] = Conversation(identifier, row.title, messages, row.created)
        return self._open[identifier]

    def knows(self, conversation: Conversation) -> bool:
        return conversation.id in self._rows

    def save(self, conversation: Conversation, message: ChatMessage) -> None:
        """Keep a message as it is now. The chat is listed from its first message on."""
        if conversation.id not in self._rows and conversation.id not in self._deleted:
            created = conversation.created
            self._rows[conversation.id] = ConversationRow(conversation.id, conversation.title, created, created)
            self._open[conversation.id] = conversation
            self._writer.do(History.create, conversation.id, conversation.title, created)
        self._writer.save(conversation.id, conversation.index(message.id), message)

    def touch(self, conversation: Conversation) -> None:
        """Move a chat to the top of the list."""
        if conversation.id in self._rows:
            self._rows[conversation.id] = replace(self._rows[conversation.id], updated=time.time())

    def remove_from(self, conversation: Conversation, position: int) -> None:
        self._writer.do(History.remove_from, conversation.id, position)

    def rename(self, identifier: str, title: str) -> None:
        self._rows[identifier] = replace(self._rows[identifier], title=title)
        if identifier in self._open:
            self._open[identifier].title = title
        self._writer.do(History.rename, identifier, title)

    def delete(self, identifier: str) -> ConversationRow:
        """Take a chat out of the list; `restore` brings it back until the next session."""
        row = self._deleted[identifier] = self._rows.pop(identifier)
        self._writer.do(History.delete, identifier)
        return row

    def restore(self, identifier: str) -> None:
        self._rows[identifier] = self._deleted.pop(identifier)
        self._writer.do(History.restore, identifier)

    def close(self) -> None:
        """Wait until everything is on the disk."""
        self._history.close()
        self._writer.close()
        if self._spare is not None:
            self._spare.cleanup()
