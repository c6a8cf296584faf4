"""Where a key takes what is read from top to bottom."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollBar

from app.views.reading_style import LINE


def value_after(key: int, bar: QScrollBar) -> int | None:
    """The bar's value after this key; None for a key that does not scroll. A page leaves a line of the one before."""
    return {
        Qt.Key.Key_Home: bar.minimum(),
        Qt.Key.Key_End: bar.maximum(),
        Qt.Key.Key_PageUp: bar.value() - bar.pageStep() + LINE,
        Qt.Key.Key_PageDown: bar.value() + bar.pageStep() - LINE,
        Qt.Key.Key_Up: bar.value() - bar.singleStep(),
        Qt.Key.Key_Down: bar.value() + bar.singleStep(),
    }.get(Qt.Key(key))
