"""Writes chats in a thread of its own, so that the window never waits for the disk."""

import logging
import queue
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Concatenate, ParamSpec

from app.chat_message import ChatMessage
from app.history import History

log = logging.getLogger(__name__)
P = ParamSpec("P")


class HistoryWriter:
    """Takes changes in order. Of a reply that is saved faster than the disk is, only the newest state is written.

    While nothing waits to be written it indexes what can be searched.
    """

    def __init__(self, path: Path, on_error: Callable[[str], None]) -> None:
        """`on_error` is called in the writer's thread with what went wrong. Raises sqlite3.Error if it cannot open."""
        self._history = History(path)
        self._on_error = on_error
        self._jobs: queue.SimpleQueue[Callable[[History], object] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._newest: dict[str, ChatMessage] = {}
        self._thread = threading.Thread(target=self._run, name="history writer")
        self._thread.start()

    def do(self, change: Callable[Concatenate[History, P], object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Queue a change, e.g. `do(History.rename, chat, "A new name")`."""
        self._jobs.put(lambda history: change(history, *args, **kwargs))

    def save(self, conversation_id: str, message: ChatMessage) -> None:
        """Queue the message as it is now; it may go on growing."""
        with self._lock:
            waiting = message.id in self._newest
            self._newest[message.id] = replace(message, runs=list(message.runs))
        if not waiting:
            self._jobs.put(lambda history: self._save(history, conversation_id, message.id))

    def flush(self) -> None:
        """Wait until everything queued so far is on the disk."""
        done = threading.Event()
        self._jobs.put(lambda history: done.set())
        done.wait()

    def close(self) -> None:
        """Write what is queued and end the thread."""
        self._jobs.put(None)
        self._thread.join()

    def _save(self, history: History, conversation_id: str, message_id: str) -> None:
        with self._lock:
            message = self._newest.pop(message_id)
        history.save_message(conversation_id, message)

    def _run(self) -> None:
        self._try(History.tidy)
        while (job := self._next()) is not None:
            self._try(job)
        self._history.close()

    def _next(self) -> Callable[[History], object] | None:
        """The next change; until there is one, a few messages after the other are indexed."""
        while True:
            try:
                return self._jobs.get_nowait()
            except queue.Empty:
                if not self._try(History.index_some):
                    return self._jobs.get()

    def _try(self, job: Callable[[History], object]) -> object:
        try:
            return job(self._history)
        except sqlite3.Error as error:
            log.warning("a change to the chats could not be saved: %s", error)
            self._on_error(str(error))
            return None
