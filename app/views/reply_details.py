"""Everything known about how a reply came about: its figures, their course, and the settings it was made with."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.chat_message import ChatMessage
from app.language import tr
from app.reply_figures import Figures, as_text, figures_of
from app.theme import GRID, Theme
from app.views.course_chart import CourseChart
from app.views.dialog import Dialog
from app.views.layouts import open_at, scrolling

WIDTH, HEIGHT = 560, 640


class ReplyDetails(Dialog):
    def __init__(self, message: ChatMessage, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Details of this reply"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.groups = figures_of(message)
        self.chart = CourseChart(message.course, theme) if len(message.course) > 1 else None
        inside = QWidget()
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, GRID, 0)
        rows.setSpacing(GRID)
        if self.chart is not None:
            rows.addWidget(self.chart)
        for group in self.groups:
            rows.addSpacing(GRID)
            rows.addWidget(_label(group.title, "strong"))
            rows.addLayout(_grid(group))
        rows.addStretch(1)
        scroll = scrolling(inside)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = QPushButton(tr("Copy as text"))
        self.copy_button.clicked.connect(self._copy)
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.button(QDialogButtonBox.StandardButton.Close).setText(tr("Close"))
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        column.addWidget(scroll, 1)
        column.addWidget(buttons)
        open_at(self, WIDTH, HEIGHT)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_text(self.groups))
        self.copy_button.setText(tr("Copied"))


def _grid(group: Figures) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(3 * GRID)
    grid.setVerticalSpacing(GRID // 2)
    grid.setColumnStretch(1, 1)
    for number, (what, much) in enumerate(group.rows):
        grid.addWidget(_label(what, "muted"), number, 0, Qt.AlignmentFlag.AlignTop)
        value = _label(much, "figure")
        value.setWordWrap(True)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        value.setAlignment(Qt.AlignmentFlag.AlignRight)
        grid.addWidget(value, number, 1)
    return grid


def _label(text: str, kind: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("kind", kind)
    return label
