"""Fields for typed settings. What is typed is told after a pause, or when the field is left."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from app.setting_rules import Integer
from app.views.choice_box import ChoiceBox

PAUSE_MS = 400


def _pause(parent: QWidget) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(PAUSE_MS)
    return timer


class LineField(QLineEdit):
    """One line of text."""

    edited = Signal(object)  # the text, or what it stands for

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self._timer = _pause(self)
        self._timer.timeout.connect(self.flush)
        self.textEdited.connect(self._restart)
        self.editingFinished.connect(self.flush)

    def _restart(self) -> None:
        self._timer.start()

    def show_value(self, value: object) -> None:
        self._timer.stop()
        self._shown = "" if value is None else str(value)
        if self.text() != self._shown:
            self.setText(self._shown)

    def flush(self) -> None:
        """Tell now what was typed."""
        self._timer.stop()
        if self.text() != self._shown:
            self._shown = self.text()
            self.edited.emit(self._parsed())

    def _parsed(self) -> int | str | None:
        return self.text()


class NumberField(LineField):
    """A whole number; the arrow keys step it. Empty is None where the setting allows it.

    Tells an int, None, or the text as typed when it is no number.
    """

    def __init__(self, rule: Integer, empty: str = "", parent: QWidget | None = None) -> None:
        """empty: shown while there is no value."""
        super().__init__(parent)
        self._rule = rule
        self.setPlaceholderText(empty)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setMaxLength(20)
        self.setFixedWidth(116)

    def _parsed(self) -> int | str | None:
        text = self.text().replace(",", "").replace(" ", "")
        if not text and self._rule.optional:
            return None
        try:
            return int(text)
        except ValueError:
            return self.text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}
        step = steps.get(Qt.Key(event.key()))
        value = self._parsed()
        if step is None or isinstance(value, str):
            super().keyPressEvent(event)
            return
        start = self._rule.low if value is None else value
        stepped = min(self._rule.high, max(self._rule.low, start + step * self._rule.step))
        self.setText(str(stepped))
        self._timer.start()


class TextField(QPlainTextEdit):
    """Several lines of text; Tab leaves it."""

    edited = Signal(object)  # str

    def __init__(self, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.setPlaceholderText(hint)
        self.setTabChangesFocus(True)
        self.setFixedHeight(104)
        self._timer = _pause(self)
        self._timer.timeout.connect(self.flush)
        self.textChanged.connect(self._restart)

    def _restart(self) -> None:
        self._timer.start()

    def show_value(self, value: object) -> None:
        self._shown = str(value)
        if self.toPlainText() != self._shown:
            self.setPlainText(self._shown)
        self._timer.stop()

    def flush(self) -> None:
        """Tell now what was typed."""
        self._timer.stop()
        if self.toPlainText() != self._shown:
            self._shown = self.toPlainText()
            self.edited.emit(self._shown)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.flush()


class ChoiceField(ChoiceBox):
    """One of many choices."""

    edited = Signal(object)  # the value

    def __init__(self, options: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        """options: (value, label)."""
        super().__init__(parent)
        for value, label in options:
            self.addItem(label, value)
        self.activated.connect(lambda index: self.edited.emit(self.itemData(index)))

    def show_value(self, value: object) -> None:
        self.setCurrentIndex(self.findData(value))

    def flush(self) -> None:
        """Nothing is held back."""

    def sizeHint(self) -> QSize:
        return QSize(max(116, super().sizeHint().width()), super().sizeHint().height())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # scrolling the page must not change a setting on the way
