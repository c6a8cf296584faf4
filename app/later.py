"""What the disk is to do, done later: a thread waits for it, so that the window never does."""

import logging
import threading
from collections.abc import Callable

from inference.errors import UserError

log = logging.getLogger(__name__)


class Later:
    """Runs jobs in their order; of those of one name, one that was overtaken before its turn is left out.

    The thread ends when nothing is left to do. Before the program ends, `flush` waits for that.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._waiting: dict[str, Callable[[], None]] = {}
        self._thread: threading.Thread | None = None
        self.refused: Callable[[UserError], None] = lambda error: None  # called in the thread

    def do(self, job: Callable[[], None], name: str = "") -> None:
        with self._lock:
            self._waiting[name] = job
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name)
                self._thread.start()

    def flush(self) -> None:
        """Wait until everything that was given is on the disk, or was refused."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            try:
                job()
            except UserError as error:
                log.warning("%s: %s", self._name, error)
                self.refused(error)
            except Exception:  # the border of the thread: what comes next is to be written all the same
                log.exception("%s failed", self._name)

    def _next(self) -> Callable[[], None] | None:
        with self._lock:
            if self._waiting:
                return self._waiting.pop(next(iter(self._waiting)))
            self._thread = None
            return None
