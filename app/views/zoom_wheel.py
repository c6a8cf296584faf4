"""The wheel with Ctrl, which makes everything larger or smaller."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent

NOTCH = 120  # as Qt counts


class ZoomWheel:
    """Adds up what fine wheels and touch pads send in parts of a notch."""

    def __init__(self) -> None:
        self._turned = 0  # of a notch

    def steps(self, event: QWheelEvent) -> int | None:
        """How many notches further, up or down; None where the event is not about that."""
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return None
        self._turned += event.angleDelta().y()
        steps = int(self._turned / NOTCH)
        self._turned -= steps * NOTCH
        event.accept()
        return steps
