"""Which draft model is chosen, and the button that chooses another."""

from pathlib import PurePath

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.language import tr
from app.views.elided_label import ElidedLabel


class DraftPicker(QWidget):
    edited = Signal(object)  # never sent: choosing happens in a dialog of the window
    choose_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        self.label = ElidedLabel()
        self.label.setProperty("kind", "label")
        self.button = QPushButton(tr("Choose a draft model…"))
        self.button.setProperty("kind", "chip")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self.choose_requested)
        box.addWidget(self.label)
        box.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)

    def show_value(self, value: object) -> None:
        path = str(value)
        self.label.setText(PurePath(path).name or tr("none chosen"))
        self.label.setToolTip(path)

    def flush(self) -> None:
        """Nothing is held back."""
