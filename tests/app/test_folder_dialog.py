"""The real dialog, answered by the test."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from qasync import QEventLoop

from app.folder_dialog import FolderDialog, choose_folder, holds_several_ggufs


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def dialog(parent: QWidget) -> QFileDialog:
    found = parent.findChild(QFileDialog)
    assert isinstance(found, QFileDialog)
    return found


@pytest.mark.parametrize("accept", [True, False])
def test_the_answer_comes_back(parent: QWidget, event_loop: QEventLoop, tmp_path: Path, accept: bool) -> None:
    folder = tmp_path / "模型 folder"
    folder.mkdir()

    async def act() -> Path | None:
        event_loop.call_soon(answer)
        return await choose_folder(parent, "Open")

    def answer() -> None:
        dialog(parent).setDirectory(str(folder))
        dialog(parent).selectFile(str(folder))
        dialog(parent).done(QFileDialog.DialogCode.Accepted if accept else QFileDialog.DialogCode.Rejected)

    assert event_loop.run_until_complete(act()) == (folder if accept else None)


@pytest.mark.parametrize("accept", [True, False])
def test_a_folder_of_several_ggufs_asks_which(
    parent: QWidget, event_loop: QEventLoop, tmp_path: Path, accept: bool
) -> None:
    for name in ("a.gguf", "b.gguf"):
        (tmp_path / name).touch()
    taken: list[str] = []
    folders = FolderDialog(parent)

    async def act() -> None:
        folders.ask("Open", taken.append)
        event_loop.call_soon(answer_folder)
        await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})

    def answer_folder() -> None:
        dialog(parent).setDirectory(str(tmp_path))
        dialog(parent).selectFile(str(tmp_path))
        dialog(parent).finished.connect(lambda: event_loop.call_later(0, answer_file))
        dialog(parent).done(QFileDialog.DialogCode.Accepted)

    def answer_file() -> None:
        files = [found for found in parent.findChildren(QFileDialog) if found.windowTitle() == "Which GGUF file?"]
        if not files:  # not yet
            event_loop.call_later(0, answer_file)
            return
        files[0].selectFile(str(tmp_path / "b.gguf"))
        files[0].done(QFileDialog.DialogCode.Accepted if accept else QFileDialog.DialogCode.Rejected)

    event_loop.run_until_complete(act())
    assert taken == ([str(tmp_path / "b.gguf")] if accept else [])


@pytest.mark.parametrize(
    ("names", "several"),
    [((), False), (("a.gguf",), False), (("a.gguf", "b.gguf"), True), (("a.gguf", "b.gguf", "config.json"), False)],
)
def test_which_folders_hold_several_models(tmp_path: Path, names: tuple[str, ...], several: bool) -> None:
    for name in names:
        (tmp_path / name).touch()
    assert holds_several_ggufs(tmp_path) == several


def test_one_question_at_a_time_and_none_after_closing(parent: QWidget, event_loop: QEventLoop) -> None:
    folders = FolderDialog(parent)

    async def act() -> None:
        folders.ask("First", pytest.fail)
        folders.ask("Second", pytest.fail)
        opened = event_loop.create_future()
        event_loop.call_soon(opened.set_result, None)
        await opened
        assert [found.windowTitle() for found in parent.findChildren(QFileDialog)] == ["First"]
        folders.close()
        await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})

    event_loop.run_until_complete(act())
    folders.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not parent.findChildren(QFileDialog)
