"""Asks for a model's folder, and for the GGUF in it where there are several, without stopping the event loop."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.file_dialog import Mode, file_dialog
from app.language import tr
from app.signals import first_of


class FolderDialog:
    """One question at a time."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent
        self._task: asyncio.Task[None] | None = None

    def ask(self, title: str, take: Callable[[str], None]) -> None:
        """`take` gets the folder or the GGUF file; it is not called when the person changes their mind."""
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._ask(title, take))

    def close(self) -> None:
        """Forget the question."""
        if self._task is not None:
            self._task.cancel()

    async def _ask(self, title: str, take: Callable[[str], None]) -> None:
        chosen = await choose_folder(self._parent, title)
        if chosen is not None and holds_several_ggufs(chosen):
            chosen = await choose_gguf(self._parent, chosen)
        if chosen is not None:
            take(str(chosen))


def holds_several_ggufs(folder: Path) -> bool:
    """Whether the folder alone does not say which model is meant."""
    return not (folder / "config.json").exists() and len(list(folder.glob("*.gguf"))) > 1


async def choose_folder(parent: QWidget, title: str) -> Path | None:
    """The folder the person chose, or None."""
    return await _answer(file_dialog(parent, title, Mode.Directory, lasting=True))


async def choose_gguf(parent: QWidget, folder: Path) -> Path | None:
    """The file the person chose, or None."""
    dialog = file_dialog(parent, tr("Which GGUF file?"), Mode.ExistingFile, folder, lasting=True)
    dialog.setNameFilter("GGUF (*.gguf)")
    return await _answer(dialog)


async def _answer(dialog: QFileDialog) -> Path | None:
    dialog.open()
    try:
        accepted = await first_of(dialog.finished)
        return Path(dialog.selectedFiles()[0]) if accepted else None
    finally:
        dialog.deleteLater()
