"""Asks for a folder without stopping the event loop."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.signals import first_of


class FolderDialog:
    """One question at a time."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent
        self._task: asyncio.Task[None] | None = None

    def ask(self, title: str, take: Callable[[str], None]) -> None:
        """`take` gets the folder; it is not called when the person changes their mind."""
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._ask(title, take))

    def close(self) -> None:
        """Forget the question."""
        if self._task is not None:
            self._task.cancel()

    async def _ask(self, title: str, take: Callable[[str], None]) -> None:
        folder = await choose_folder(self._parent, title)
        if folder is not None:
            take(str(folder))


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
