"""How far an import is, what it brought, and what was left out and why."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.language import sentences, tr
from app.theme import GRID
from app.views.dialog import Dialog
from app.views.layouts import centre_over
from app.views.run_page import progress_bar
from app.views.style import set_kind

PADDING = 28  # left and right of a line of the list, with its border, by the style sheet


class _Wrapped(QStyledItemDelegate):
    """Lines as wide as the list: Qt breaks them as if they had no padding, and they would reach beyond its edge."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        inner = QStyleOptionViewItem(option)
        rect: QRect = inner.rect
        rect.setWidth(rect.width() - PADDING)
        return super().sizeHint(inner, index)


class ImportDialog(Dialog):
    """Does not stand in the way of the window. Closing it while the import runs cancels it."""

    cancel_requested = Signal()

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Import chats"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(460)
        self._running, self._placed = True, False
        self.title = QLabel(tr("Reading {name}").format(name=name))
        set_kind(self.title, "strong")
        self.title.setWordWrap(True)
        self.bar = progress_bar(tr("Progress of the import"))
        self.counts = QLabel()
        self.counts.setWordWrap(True)
        self._left_out = QLabel(tr("Left out:"))
        set_kind(self._left_out, "heading")
        self.skipped = QListWidget()
        self.skipped.setAccessibleName(tr("What was left out, and why"))
        self.skipped.setWordWrap(True)
        self.skipped.setItemDelegate(_Wrapped(self.skipped))
        self.skipped.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # lines wrap
        self.skipped.setResizeMode(QListWidget.ResizeMode.Adjust)  # anew when the dialog has its width
        self.skipped.setMinimumHeight(140)
        self._left_out.hide()
        self.skipped.hide()
        self.button = QPushButton(tr("Cancel"))
        self.button.clicked.connect(self.close)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(12)
        for widget in (self.title, self.bar, self.counts, self._left_out, self.skipped):
            column.addWidget(widget)
        column.addLayout(row)

    def show_progress(self, fraction: float, chats: int, messages: int, known: int, skipped: int) -> None:
        """fraction: 0..1; known: messages that were here already."""
        self.bar.setValue(round(1000 * fraction))
        new = tr("New chats: {chats:,}, new messages: {messages:,}.").format(chats=chats, messages=messages)
        parts = [new]
        if known:
            parts.append(tr("Messages here already: {known:,}.").format(known=known))
        if skipped:
            parts.append(tr("Left out: {skipped:,}.").format(skipped=skipped))
        self.counts.setText(sentences(*parts))

    def finish(self, title: str, skipped: list[str]) -> None:
        self._running = False
        self.title.setText(title)
        self.bar.setValue(1000)
        self.skipped.addItems(skipped)
        self._left_out.setVisible(bool(skipped))
        self.skipped.setVisible(bool(skipped))
        self.button.setText(tr("Close"))
        self.adjustSize()

    def paintEvent(self, event: QPaintEvent) -> None:
        """It may grow before the window manager has placed it, and would then be put into a corner."""
        super().paintEvent(event)
        if not self._placed:
            self._placed = True
            QTimer.singleShot(0, self, self._centre)

    def _centre(self) -> None:
        if (parent := self.parentWidget()) is not None:
            centre_over(self, parent.window())

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._running:
            self.cancel_requested.emit()
        super().closeEvent(event)
