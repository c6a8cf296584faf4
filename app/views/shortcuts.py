"""The card that F1 shows: every shortcut, from the window's own actions."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from app.language import tr
from app.theme import GRID


class Shortcuts(QDialog):
    def __init__(self, parent: QWidget, actions: Iterable[QAction]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout()
        grid.setHorizontalSpacing(4 * GRID)
        grid.setVerticalSpacing(GRID)
        lines = [(action.text(), action.shortcut()) for action in actions]
        lines += [
            (tr("Send the question"), QKeySequence("Enter")),
            (tr("Break the line"), QKeySequence("Shift+Enter")),
            (tr("Delete the selected chat"), QKeySequence("Del")),
        ]
        for row, (text, keys) in enumerate(lines):
            what = QLabel(text)
            how = QLabel(keys.toString(QKeySequence.SequenceFormat.NativeText))
            how.setProperty("kind", "heading")
            grid.addWidget(what, row, 0)
            grid.addWidget(how, row, 1, Qt.AlignmentFlag.AlignRight)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        column.addLayout(grid)
        column.addWidget(buttons)
