"""Asks for a folder without stopping the event loop."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.signals import first_of


async def choose_folder(parent: QWidget, title: str) -> Path | None:
    """The folder the person chose, or None."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.open()
    try:
        accepted = await first_of(dialog.finished)
        return Path(dialog.selectedFiles()[0]) if accepted else None
    finally:
        dialog.deleteLater()
