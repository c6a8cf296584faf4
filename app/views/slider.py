"""A slider over a table's bounds that jumps to where it is clicked and leaves the wheel to the page.

A click gives it the focus, but only the keyboard makes it show that.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

from app.setting_rules import Integer, Number
from app.views import figures
from app.views.style import set_kind


class Slider(QSlider):
    edited = Signal(object)  # int or float, when the person has let go of the handle or pressed a key
    moved = Signal(str)  # the value as text, also while the handle is dragged

    def __init__(self, rule: Integer | Number, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._rule = rule
        steps = round((rule.high - rule.low) / rule.step)
        self.setRange(0, steps)
        self.setPageStep(max(1, steps // 10))
        self.setTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._quiet = False
        self.sliderMoved.connect(self._tell)
        self.valueChanged.connect(self._changed)

    def show_value(self, value: object) -> None:
        """A value between two steps is shown as it is, and kept until the handle is moved."""
        number = float(value) if isinstance(value, int | float) else self._rule.low
        self._quiet = True
        self.setValue(round((number - self._rule.low) / self._rule.step))
        self._quiet = False
        self._say(self.write(number))

    def flush(self) -> None:
        """Nothing is held back."""

    def write(self, value: float) -> str:
        if isinstance(self._rule, Integer):
            return str(round(value))
        return figures.percent(value) if self._rule.percent else f"{value:.2f}"

    def _at(self, position: int) -> float | int:
        value = self._rule.low + position * self._rule.step
        return value if isinstance(self._rule, Integer) else round(value, 6)

    def _tell(self, position: int) -> None:
        self._say(self.write(self._at(position)))

    def _say(self, text: str) -> None:
        self.setAccessibleDescription(text)
        self.moved.emit(text)

    def _changed(self, position: int) -> None:
        if not self._quiet:
            self._tell(position)
            self.edited.emit(self._at(position))

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:  # else as it was
            self._show_focus(event.reason() != Qt.FocusReason.MouseFocusReason)
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._show_focus(True)
        super().keyPressEvent(event)

    def _show_focus(self, shown: bool) -> None:
        """Only to who uses the keyboard."""
        set_kind(self, "true" if shown else "false", "keyboard")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._show_focus(False)
        if event.button() == Qt.MouseButton.LeftButton:
            option = QStyleOptionSlider()
            self.initStyleOption(option)
            handle = self.style().subControlRect(
                QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
            )
            if not handle.contains(event.position().toPoint()):
                at = round(event.position().x() - handle.width() / 2)
                span = self.width() - handle.width()
                self.setSliderPosition(QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), at, span))
                self._tell(self.sliderPosition())
        super().mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # scrolling the page must not change a setting on the way
