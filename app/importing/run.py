"""Brings chats into the database, some at a time, and says how far it is."""

import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.history import Folder, History, StoredChat
from app.importing.found import Skipped
from app.importing.source import Brought, Found, Read, read_all

BATCH = 500  # messages to a transaction
MOST_LISTED = 1000  # of what was skipped; the rest is only counted


@dataclass(frozen=True)
class ImportProgress:
    """done and total in bytes. known: messages that were there already. chats: those that changed. sources: how many
    of the files and folders had chats in them."""

    done: int = 0
    total: int = 0
    new_chats: int = 0
    new_messages: int = 0
    known: int = 0
    skipped: tuple[Skipped, ...] = ()
    skipped_count: int = 0
    chats: frozenset[str] = frozenset()
    sources: int = 0
    cancelled: bool = False


class _Run:
    def __init__(self, history: History) -> None:
        self._history = history
        self._batch: list[StoredChat] = []
        self._done = self._total = self._chats = self._messages = self._known = 0
        self._skipped_count = self._sources = 0
        self._skipped: list[Skipped] = []
        self._changed: set[str] = set()

    def take(self, found: Found | Brought) -> bool:
        """Whether something was written."""
        match found:
            case StoredChat():
                self._batch.append(found)
                if sum(len(chat.messages) for chat in self._batch) >= BATCH:
                    self.write()
                    return True
            case Folder():
                self._history.save_folder(found)
            case Skipped():
                self._skipped_count += 1
                if len(self._skipped) < MOST_LISTED:
                    self._skipped.append(found)
            case Brought():
                self._sources += 1
            case Read(done=done, total=total):
                self._done, self._total = done, total
        return False

    def write(self) -> None:
        batch, self._batch = self._batch, []
        chats, messages = self._history.add_chats(batch)
        self._chats += chats
        self._messages += messages
        self._known += sum(len(chat.messages) for chat in batch) - messages
        self._changed.update(chat.row.id for chat in batch)

    def progress(self, cancelled: bool = False) -> ImportProgress:
        return ImportProgress(
            *(self._done, self._total, self._chats, self._messages, self._known),
            *(tuple(self._skipped), self._skipped_count, frozenset(self._changed), self._sources, cancelled),
        )


def import_chats(
    paths: Sequence[Path], database: Path, cancel: threading.Event
) -> Generator[ImportProgress, None, None]:
    """Import files or folders; the last progress is the result. What was written when it is cancelled stays.

    Raises UserError.
    """
    history = History(database)
    try:
        run = _Run(history)
        for found in read_all(paths):
            if cancel.is_set():
                run.write()
                yield run.progress(cancelled=True)
                return
            if run.take(found) or isinstance(found, Read):
                yield run.progress()
        run.write()
        yield run.progress()
    finally:
        history.close()
