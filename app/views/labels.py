"""Labels that hold sentences."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app.views.style import set_kind


def in_menu(text: str) -> str:
    """Words of a person as the text of an action or a button, where & would underline what follows it."""
    return text.replace("&", "&&")


def wrapped(text: str = "", kind: str = "", *, selectable: bool = False) -> QLabel:
    """Plain text, over as many lines as it takes. selectable: with the mouse, to be copied."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if kind:
        set_kind(label, kind)
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
