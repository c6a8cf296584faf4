"""Files that are dropped here or pasted."""

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDropEvent


def files_of(source: QMimeData) -> list[str]:
    """Their paths."""
    return [url.toLocalFile() for url in source.urls() if url.isLocalFile()]


def take_copy(event: QDropEvent) -> None:
    """Accept them, and say that they are only read. What is proposed may be a move, after which whoever gave the files
    deletes them.
    """
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()
