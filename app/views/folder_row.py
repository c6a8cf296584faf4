"""The row of the settings that says where models are kept, and offers to move them."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.language import tr
from app.views.elided_label import ElidedLabel
from app.views.style import set_kind


class FolderRow(QWidget):
    move_requested = Signal()
    open_requested = Signal()

    def __init__(self, label: str, help: str) -> None:
        """In English, as in the table of settings."""
        super().__init__()
        self.texts = (label, help)
        title, about = QLabel(tr(label)), QLabel(tr(help))
        set_kind(title, "field")
        set_kind(about, "muted")
        about.setWordWrap(True)
        self.folder = ElidedLabel()
        self.folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.folder.setAccessibleName(tr(label))
        self.room = QLabel()
        self.room.setWordWrap(True)
        self.mover = self._button(tr("Move…"), tr("Choose another folder; what is there moves along"))
        self.opener = self._button(tr("Show"), tr("Open the folder in the system's file manager"))
        self.mover.clicked.connect(self.move_requested)
        self.opener.clicked.connect(self.open_requested)
        buttons = QHBoxLayout()
        buttons.addWidget(self.mover)
        buttons.addWidget(self.opener)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (title, about, self.folder, self.room):
            column.addWidget(widget)
        column.addLayout(buttons)

    def show_folder(self, folder: str, room: str, trouble: str) -> None:
        self.folder.setText(folder)
        self.folder.setToolTip(folder)
        self.room.setText(trouble or room)
        set_kind(self.room, "complaint" if trouble else "muted")

    def _button(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setProperty("kind", "chip")
        button.setToolTip(tip)
        button.setAutoDefault(False)
        return button
