"""macOS tells a program by an event which file was double-clicked."""

import sys

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class OpenedFiles(QObject):
    opened = Signal(str)  # the file's path

    def __init__(self, qt: QApplication, *, listens: bool = sys.platform == "darwin") -> None:
        """listens: to every event of the program, which takes time from all of them, so only where it is of use."""
        super().__init__(qt)
        if listens:
            qt.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.opened.emit(event.file())
            return True
        return super().eventFilter(watched, event)
