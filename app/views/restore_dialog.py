"""Chooses one of the backups."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.theme import GRID
from app.views.dialog import Dialog
from app.views.style import set_kind


@dataclass(frozen=True)
class BackupChoice:
    """made: seconds since 1970."""

    path: Path
    made: float
    nbytes: int


class RestoreDialog(Dialog):
    restored = Signal(object)  # the Path of the backup

    def __init__(self, parent: QWidget, backups: Sequence[BackupChoice]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Restore a backup"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(440)
        what = QLabel(
            tr("All chats go back to what they were then. The present ones are backed up first.")
            if backups
            else tr("There is no backup yet. One is made every day on which Foreword is used.")
        )
        what.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Backups, newest first"))
        for backup in backups:
            moment = QDateTime.fromSecsSinceEpoch(round(backup.made))
            when = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
            item = QListWidgetItem(f"{when}   {backup.nbytes / 2**20:.1f} MB")
            item.setToolTip(backup.path.name)
            item.setData(Qt.ItemDataRole.UserRole, str(backup.path))
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.setVisible(bool(backups))
        cancel = QPushButton(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.button = QPushButton(tr("Restore"))
        set_kind(self.button, "primary")
        self.button.setDefault(True)  # else Enter would cancel: that button comes first
        self.button.setEnabled(bool(backups))
        self.button.clicked.connect(self._restore)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(12)
        column.addWidget(what)
        column.addWidget(self.list)
        column.addLayout(row)

    def _restore(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.restored.emit(Path(item.data(Qt.ItemDataRole.UserRole)))
            self.accept()
