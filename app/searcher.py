"""Searches all chats in a thread of its own; only the newest question counts."""

import logging
import queue
import sqlite3
import threading
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from app.history import History
from app.search import Hit

log = logging.getLogger(__name__)


class Searcher(QObject):
    """The thread is begun with the first search and ends with `close`."""

    found = Signal(str, object)  # the search, and a list of Hit

    _arrived = Signal(int, str, object)

    def __init__(self) -> None:
        super().__init__()
        self._number = 0  # of the search that counts
        self._asked: queue.SimpleQueue[tuple[int, Path, str] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._arrived.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def search(self, database: Path, words: str) -> None:
        """`found` follows, unless another search does."""
        self._number += 1
        self._asked.put((self._number, database, words))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="search")
            self._thread.start()

    def forget(self) -> None:
        """Nobody waits for the last search any more."""
        self._number += 1

    def close(self) -> None:
        self._number += 1
        self._asked.put(None)
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while (asked := self._asked.get()) is not None:
            number, database, words = asked
            if number == self._number:  # whoever types faster than this is answered once
                self._arrived.emit(number, words, _find(database, words))

    def _tell(self, number: int, words: str, hits: object) -> None:
        if number == self._number:
            self.found.emit(words, hits)


def _find(database: Path, words: str) -> list[Hit]:
    try:
        history = History(database)
        try:
            return history.find(words)
        finally:
            history.close()
    except sqlite3.Error as error:
        log.warning("the chats could not be searched: %s", error)
        return []
