"""Python's cycle collector runs in the GUI thread only.

It runs in whichever thread happens to allocate, and then deletes what it finds there. A cycle that holds a widget,
taken apart in the engine's thread, would delete the widget there: Qt crashes, sometimes, much later.
"""

import gc
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from inference.garbage import set_collector

INTERVAL_MS = 3000
LIBRARY = 100_000  # young objects, of which a reply makes some thousand between two beats
PATIENCE_S = 0.2  # how long another thread waits for a collection: a closing window waits for that thread


class Garbage(QObject):
    """Made in the GUI thread; replaces the automatic collector until `close`.

    While `is_busy` says so, objects that have lived for long are not gone through: that takes 15 to 30 ms in which the
    window stands still, and the engine with it.
    """

    _wanted = Signal(object)  # a threading.Event to be set when it is done

    def __init__(self) -> None:
        super().__init__()
        self.is_busy: Callable[[], bool] = lambda: False
        self._young = 0  # at the last beat
        gc.disable()
        set_collector(self.collect_soon)
        self._wanted.connect(self._collect_all, Qt.ConnectionType.QueuedConnection)
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.collect_some)
        self._timer.start()

    def close(self) -> None:
        self._timer.stop()
        set_collector(None)
        gc.enable()

    def collect_soon(self) -> None:
        """From any other thread: collect everything in the GUI thread, and wait a little for it."""
        if threading.current_thread() is threading.main_thread():
            gc.collect()
            return
        done = threading.Event()
        self._wanted.emit(done)
        done.wait(PATIENCE_S)

    def collect_some(self) -> None:
        """What the automatic collector would do by now: the oldest generation whose count is over its threshold.

        Not while a thread reads a library: going through all of it would hold up the window, and it will `settle`.
        """
        young = gc.get_count()[0]
        reading, self._young = young > LIBRARY and young != self._young, young
        if reading:
            return
        for generation in (0,) if self.is_busy() else (2, 1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation]:
                gc.collect(generation)
                return

    def _collect_all(self, done: threading.Event) -> None:
        gc.collect()
        done.set()


def settle() -> None:
    """Leave what exists now (modules, mostly: half a million objects) out of later collections. From any thread."""
    gc.freeze()
