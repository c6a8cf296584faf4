"""A number that walks to its latest value in 150 ms, and a timer that runs only while it walks.

Values that follow each other within less than a second are a walk by themselves: each is taken at once, at no cost
between.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEasingCurve, QElapsedTimer, QObject, QVariantAnimation
from PySide6.QtWidgets import QApplication

DURATION_MS = 150
STREAM_MS = 700
PROPERTY = "reducedMotion"  # of the application


def reduced_motion() -> bool:
    """Whether everything is to be where it belongs at once. Every animation of the window asks."""
    application = QApplication.instance()
    return application is not None and bool(application.property(PROPERTY))


def set_reduced_motion(application: QApplication, reduced: bool) -> None:
    application.setProperty(PROPERTY, reduced)


class Easing(QObject):
    """`value` is what to paint now; `target` is where it is going. `moved` is called at every step."""

    def __init__(self, moved: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self.value = 0.0
        self.target = 0.0
        self._moved = moved
        self._since_last = QElapsedTimer()
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(DURATION_MS)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._step)

    @property
    def running(self) -> bool:
        return self._animation.state() == QVariantAnimation.State.Running

    def to(self, target: float, *, at_once: bool = False) -> None:
        """Go to `target` from wherever the value is now; older targets are forgotten."""
        if target == self.target and (self.running or self.value == target):
            return
        self.target = target
        self._animation.stop()
        streams = self._since_last.isValid() and self._since_last.elapsed() < STREAM_MS
        self._since_last.start()
        if at_once or streams or reduced_motion():
            self.value = target
            self._moved()
            return
        self._animation.setStartValue(self.value)
        self._animation.setEndValue(target)
        self._animation.start()

    def finish(self) -> None:
        """Arrive now."""
        self._animation.stop()
        self.value = self.target
        self._moved()

    def _step(self, value: Any) -> None:
        self.value = float(value)
        self._moved()
