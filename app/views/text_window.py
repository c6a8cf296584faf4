"""A window with a long text that can be read and copied: the log, a report."""

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.language import tr
from app.theme import GRID
from app.views.dialog import Dialog
from app.views.labels import wrapped
from app.views.layouts import open_at

COPIED = "✓ "


class TextWindow(Dialog):
    again_requested = Signal()

    def __init__(self, parent: QWidget, title: str, note: str, *, folder: str = "", again: bool = False) -> None:
        """folder: a button opens it. again: a button asks for the text anew."""
        super().__init__(parent)
        self.setWindowTitle(title)
        open_at(self, 820, 560)
        self.setMinimumSize(420, 300)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        remark = wrapped(note, "muted")
        self.body = QPlainTextEdit()
        self.body.setReadOnly(True)
        self.body.setTabChangesFocus(True)
        self.body.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.body.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.body.setAccessibleName(title)
        self.copy = QPushButton(tr("Copy for a bug report"))
        self.copy.clicked.connect(self._copy)
        buttons = QHBoxLayout()
        buttons.addWidget(self.copy)
        buttons.addStretch(1)
        if folder:
            opening = QPushButton(tr("Open the folder"))
            opening.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(folder)))
            buttons.addWidget(opening)
        if again:
            refresh = QPushButton(tr("Refresh"))
            refresh.clicked.connect(self.again_requested)
            buttons.addWidget(refresh)
        close = QPushButton(tr("Close"))
        close.clicked.connect(self.close)
        buttons.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(12)
        column.addWidget(remark)
        column.addWidget(self.body, 1)
        column.addLayout(buttons)

    def show_text(self, text: str) -> None:
        """From its end, where the newest is."""
        self.body.setPlainText(text)
        bar = self.body.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.body.toPlainText())
        self.copy.setText(COPIED + tr("Copied"))
