"""The beat at which the window shows a reply that runs: as often as the eye wants it, and seldom enough for the engine.

Drawing happens on a core that the engine could use, and a pass waits for its slowest thread: on a machine with few
cores the words would come later for being shown more often. While it works the window has a core to itself.
"""

import os
from time import monotonic, thread_time

from PySide6.QtCore import QAbstractEventDispatcher, QObject, QTimer

from inference.lent_core import lend_core, take_back_core

FRAME_MS = 33  # between two frames where drawing is cheap
SLOWEST_MS = 200
FIGURES_MS = 100  # between two sights of the figures: nobody reads a number sooner
SHARE = 0.015  # of all cores' time that drawing may take before it is done less often
FRAME_S = 0.04  # after a beat, in which it is drawn in a few steps
WEIGHT = 0.25  # of the latest frame in the cost of a frame


class Frames(QTimer):
    """A timer that measures what the thread it beats in works between two beats."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, interval=FRAME_MS)
        self._cost_s = 0.0
        self._worked_s = thread_time()
        self._figures_s = 0.0  # when they were shown last
        self._beat_s = 0.0  # when the last one was
        self._lent = False
        self.timeout.connect(self._begin_frame)
        self.timeout.connect(self._measure)

    def begin(self) -> None:
        """Start, with what a frame cost in the reply before."""
        self._worked_s = thread_time()
        self._figures_s = 0.0
        if not self.isActive():
            events = QAbstractEventDispatcher.instance()
            events.awake.connect(self._go_on)
            events.aboutToBlock.connect(self._rest)
        self.start()

    def stop(self) -> None:
        if self.isActive():
            events = QAbstractEventDispatcher.instance()
            events.awake.disconnect(self._go_on)
            events.aboutToBlock.disconnect(self._rest)
            self._rest()
        super().stop()

    def _begin_frame(self) -> None:
        self._beat_s = monotonic()
        self._go_on()

    def _go_on(self) -> None:
        """A mouse that moves is no frame: what it costs is less than lending."""
        if monotonic() - self._beat_s < FRAME_S:
            self._lent = True
            lend_core()

    def _rest(self) -> None:
        if self._lent:
            self._lent = False
            take_back_core()

    def figures_due(self) -> bool:
        """Whether this frame shows the figures: the first does, and every second one where frames are slow."""
        now_s = monotonic()
        due = now_s - self._figures_s >= max(FIGURES_MS, 1.5 * self.interval()) / 1000
        if due:
            self._figures_s = now_s
        return due

    def _measure(self) -> None:
        worked_s = thread_time()
        self._cost_s += WEIGHT * (worked_s - self._worked_s - self._cost_s)
        self._worked_s = worked_s
        between = interval_ms(self._cost_s, os.cpu_count() or 1)
        if abs(between - self.interval()) > FRAME_MS // 4:
            self.setInterval(between)


def interval_ms(cost_s: float, cores: int) -> int:
    """Milliseconds from one frame to the next when a frame takes `cost_s` seconds of work on one of so many cores."""
    return round(min(max(1000 * cost_s / (SHARE * cores), FRAME_MS), SLOWEST_MS))
