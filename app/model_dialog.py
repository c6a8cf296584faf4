"""Asks for a model on this machine, a folder or a GGUF file, without stopping the event loop."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QPushButton, QWidget

from app.file_dialog import Mode, file_dialog
from app.language import tr
from app.signals import first_of

Kind = Literal["folder", "gguf"]  # the system's own dialogs take either folders or files, never both


class ModelDialog:
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
        kind = await choose_kind(self._parent)
        if kind is None:
            return
        if kind == "gguf":
            chosen = await choose_gguf(self._parent, title)
        else:
            chosen = await choose_folder(self._parent, title)
            if chosen is not None and holds_several_ggufs(chosen):
                chosen = await choose_gguf(self._parent, tr("Which GGUF file?"), chosen)
        if chosen is not None:
            take(str(chosen))


def holds_several_ggufs(folder: Path) -> bool:
    """Whether the folder alone does not say which model is meant."""
    return not (folder / "config.json").exists() and len(list(folder.glob("*.gguf"))) > 1


async def choose_kind(parent: QWidget) -> Kind | None:
    """Which of the two the person wants to choose, from a menu at the button that was pressed."""
    chosen: list[Kind] = []
    menu = QMenu(parent)
    kinds: tuple[tuple[Kind, str], ...] = (("folder", tr("A model's folder…")), ("gguf", tr("A GGUF file…")))
    for kind, text in kinds:
        menu.addAction(text).triggered.connect(lambda _=False, kind=kind: chosen.append(kind))
    menu.popup(_place(parent))
    menu.setActiveAction(menu.actions()[0])
    try:
        await first_of(menu.aboutToHide)  # what was chosen is said right after
        return chosen[0] if chosen else None
    finally:
        menu.hide()
        menu.deleteLater()


def _place(parent: QWidget) -> QPoint:
    """Below the button under the mouse; else at the mouse, or, when that is elsewhere, in the middle."""
    cursor = QCursor.pos()
    below = QApplication.widgetAt(cursor)
    if isinstance(below, QPushButton) and below.window() is parent.window():
        return below.mapToGlobal(QPoint(0, below.height()))
    window = parent.window().frameGeometry()
    return cursor if window.contains(cursor) else window.center()


async def choose_folder(parent: QWidget, title: str) -> Path | None:
    """The folder the person chose, or None."""
    return await _answer(file_dialog(parent, title, Mode.Directory, lasting=True))


async def choose_gguf(parent: QWidget, title: str, folder: Path | None = None) -> Path | None:
    """The file the person chose, or None."""
    dialog = file_dialog(parent, title, Mode.ExistingFile, folder, lasting=True)
    dialog.setNameFilter("GGUF (*.gguf *.GGUF)")
    return await _answer(dialog)


async def _answer(dialog: QFileDialog) -> Path | None:
    dialog.open()
    try:
        accepted = await first_of(dialog.finished)
        return Path(dialog.selectedFiles()[0]) if accepted else None
    finally:
        dialog.deleteLater()
