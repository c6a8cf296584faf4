"""The sheet that F1 shows: every shortcut by section, from the window's own actions."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.theme import GRID
from app.views.dialog import Dialog
from app.views.layouts import open_at, scrolling
from app.views.style import set_kind

Section = tuple[str, Sequence[QAction]]
WIDTH, HEIGHT = 760, 800


class ShortcutSheet(Dialog):
    def __init__(self, parent: QWidget, sections: Sequence[Section]) -> None:
        """Two columns, as even as the sections allow."""
        super().__init__(parent)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        blocks = [(title, [(one.text(), one.shortcuts()) for one in actions]) for title, actions in sections]
        blocks.insert(1, (tr("Where you type"), self._typing()))
        total = sum(len(lines) + 2 for _, lines in blocks)
        inner = QWidget()
        columns = QHBoxLayout(inner)
        columns.setContentsMargins(0, 0, GRID, 0)
        columns.setSpacing(5 * GRID)
        column, height = self._column(columns), 0
        for title, lines in blocks:
            if height and columns.count() == 1 and height + len(lines) / 2 > total / 2:
                column = self._column(columns)
            column.insertWidget(column.count() - 1, self._block(title, lines))
            height += len(lines) + 2
        scroll = scrolling(inner)
        scroll.setAccessibleName(tr("Keyboard shortcuts"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        around = QVBoxLayout(self)
        around.setContentsMargins(3 * GRID, 3 * GRID, 2 * GRID, 2 * GRID)
        around.setSpacing(2 * GRID)
        around.addWidget(scroll, 1)
        around.addWidget(buttons)
        open_at(self, max(WIDTH, inner.sizeHint().width() + 8 * GRID), HEIGHT)

    def _typing(self) -> list[tuple[str, list[QKeySequence]]]:
        return [
            (tr("Send the question"), [QKeySequence("Enter")]),
            (tr("Break the line"), [QKeySequence("Shift+Enter")]),
            (tr("Delete the selected chat"), [QKeySequence("Del")]),
        ]

    def _column(self, columns: QHBoxLayout) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(3 * GRID)
        column.addStretch(1)
        columns.addLayout(column, 1)
        return column

    def _block(self, title: str, lines: Sequence[tuple[str, Sequence[QKeySequence]]]) -> QWidget:
        block = QWidget()
        grid = QGridLayout(block)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(3 * GRID)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        heading = QLabel(title)
        set_kind(heading, "heading")
        grid.addWidget(heading, 0, 0, 1, 2)
        for row, (text, keys) in enumerate(lines, 1):
            what = QLabel(text)
            how = QLabel(" · ".join(_shown(key) for key in keys))
            set_kind(what, "field")
            set_kind(how, "muted")
            grid.addWidget(what, row, 0)
            grid.addWidget(how, row, 1, Qt.AlignmentFlag.AlignRight)
        return block


def _shown(key: QKeySequence) -> str:
    """Qt tells the large Enter key, which it calls Return, from the one among the numbers; both do here."""
    return key.toString(QKeySequence.SequenceFormat.NativeText).replace("Return", "Enter")
