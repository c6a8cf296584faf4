"""Work that takes its time (import, export, copies, reading files), each in a thread of its own."""

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from inference.errors import UserError

log = logging.getLogger(__name__)

Job = Callable[[threading.Event], Iterator[Any]]


class Errand(QObject):
    """Runs a generator; what it yields is told, the last of it as the result. Made by `Errands.start`."""

    progressed = Signal(object)
    ended = Signal(object)  # what was yielded last, or None
    failed = Signal(object)  # the UserError

    _said = Signal(object)
    _left = Signal(object, object)

    def __init__(self, name: str, job: Job) -> None:
        super().__init__()
        self._cancel = threading.Event()
        self._job = job
        self._newest: Any = None
        self._told = True
        self._lock = threading.Lock()
        self._said.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        self._left.connect(self._finish, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._run, name=name)

    def start(self) -> None:
        self._thread.start()

    def cancel(self) -> None:
        self._cancel.set()

    def join(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        error: UserError | None = None
        last: Any = None
        try:
            for last in self._job(self._cancel):
                with self._lock:
                    wake, self._newest, self._told = self._told, last, False
                if wake:  # else it will be told with what was said before
                    self._said.emit(None)
        except UserError as problem:
            error = problem
        except (OSError, sqlite3.Error) as problem:
            log.warning("%s: %s", self._thread.name, problem)
            error = UserError(f"That did not work ({problem}).", "Check that there is room, and try again.")
        except Exception:  # the border of the thread: whatever was ours is logged, and told in short
            log.exception("%s failed", self._thread.name)
            error = UserError("Something went wrong inside Foreword.", "The log has the details.")
        self._left.emit(last, error)

    def _tell(self) -> None:
        with self._lock:
            newest, self._told = self._newest, True
        self.progressed.emit(newest)

    def _finish(self, last: Any, error: UserError | None) -> None:
        if error is not None:
            self.failed.emit(error)
        else:
            self.ended.emit(last)


class Errands:
    def __init__(self) -> None:
        self._running: set[Errand] = set()

    def start(self, name: str, job: Job, done: Callable[[Any], None], failed: Callable[[UserError], None]) -> Errand:
        """`done` and `failed` are called in the GUI thread."""
        errand = Errand(name, job)
        self._running.add(errand)
        errand.ended.connect(done)
        errand.failed.connect(failed)
        for end in (errand.ended, errand.failed):
            end.connect(lambda _: self._running.discard(errand))
        errand.start()
        return errand

    def close(self) -> None:
        """Cancel what runs and wait for it; nobody hears of its end."""
        for errand in self._running:
            errand.cancel()
        for errand in self._running:
            errand.join()
            errand.blockSignals(True)
        self._running.clear()
