"""One of two to four choices, all of them in sight."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QWidget

from app.views.style import set_kind


class Segmented(QFrame):
    """Left and right move between the choices while one of them has the focus."""

    edited = Signal(object)  # the value, when the person chooses another

    def __init__(self, options: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        """options: (value, label) from left to right."""
        super().__init__(parent)
        set_kind(self, "segmented")
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(2)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QPushButton] = {}
        for value, label in options:
            button = QPushButton(label)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAccessibleName(label)
            set_kind(button, "segment")
            self._group.addButton(button)
            self.buttons[value] = button
            row.addWidget(button, 1)
        self._shown = ""
        self._group.buttonToggled.connect(self._toggled)

    @property
    def value(self) -> str:
        """The chosen value, "" when none is."""
        return next((value for value, button in self.buttons.items() if button.isChecked()), "")

    def show_value(self, value: object) -> None:
        self._shown = str(value)
        self.buttons[self._shown].setChecked(True)
        self.setFocusProxy(self.buttons[self._shown])

    def flush(self) -> None:
        """Nothing is held back."""

    def name(self, label: str, help: str) -> None:
        """Tell assistive programs and tooltips what is being chosen."""
        self.setAccessibleName(label)
        for button in self.buttons.values():
            button.setAccessibleName(f"{label}: {button.text()}")
            button.setToolTip(help)

    def _toggled(self) -> None:
        value = self.value
        if value and value != self._shown:
            self._shown = value
            self.setFocusProxy(self.buttons[value])
            self.edited.emit(value)
