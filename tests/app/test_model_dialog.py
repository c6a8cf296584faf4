"""The real dialog, answered by the test."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot
from qasync import QEventLoop

from app.model_dialog import ModelDialog, choose_folder, holds_several_ggufs

with_menu = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # its hold on the keyboard


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def dialog(parent: QWidget) -> QFileDialog:
    found = parent.findChild(QFileDialog)
    assert isinstance(found, QFileDialog)
    return found


def type_name(files: QFileDialog, name: str) -> None:
    edit = files.findChild(QLineEdit)
    assert isinstance(edit, QLineEdit)
    edit.setText(name)


def show_folder(files: QFileDialog, folder: Path) -> None:
    """What it shows is the answer; to select it too would go to its parent first, and a thread of Qt's still reads."""
    files.setDirectory(str(folder))


def when_open(parent: QWidget, title: str, act: Callable[[QFileDialog], None]) -> None:
    """As soon as the dialog of this title is there."""
    found = [one for one in parent.findChildren(QFileDialog) if one.windowTitle() == title]
    if found:
        act(found[0])
    else:
        asyncio.get_running_loop().call_later(0, when_open, parent, title, act)


def press(parent: QWidget, entry: str) -> None:
    """In the menu of what can be chosen, as soon as it is there; "" leaves it."""
    menus = [menu for menu in parent.findChildren(QMenu) if menu.isVisible()]
    if not menus:
        asyncio.get_running_loop().call_later(0, press, parent, entry)
        return
    (action,) = (action for action in menus[0].actions() if action.text() == entry) if entry else (None,)
    while action is not None and menus[0].activeAction() is not action:
        QTest.keyClick(menus[0], Qt.Key.Key_Down)
    QTest.keyClick(menus[0], Qt.Key.Key_Return if entry else Qt.Key.Key_Escape)


@pytest.mark.parametrize("accept", [True, False])
def test_the_answer_comes_back(parent: QWidget, event_loop: QEventLoop, tmp_path: Path, accept: bool) -> None:
    folder = tmp_path / "模型 folder"
    folder.mkdir()

    async def act() -> Path | None:
        event_loop.call_soon(answer)
        return await choose_folder(parent, "Open")

    def answer() -> None:
        show_folder(dialog(parent), folder)
        dialog(parent).done(QFileDialog.DialogCode.Accepted if accept else QFileDialog.DialogCode.Rejected)

    assert event_loop.run_until_complete(act()) == (folder if accept else None)


@with_menu
@pytest.mark.parametrize("accept", [True, False])
def test_a_folder_of_several_ggufs_asks_which(
    parent: QWidget, event_loop: QEventLoop, tmp_path: Path, accept: bool
) -> None:
    for name in ("a.gguf", "b.gguf"):
        (tmp_path / name).touch()
    taken: list[str] = []
    folders = ModelDialog(parent)

    async def act() -> None:
        folders.ask("Open", taken.append)
        choose_a_folder()
        await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})

    def choose_a_folder() -> None:
        press(parent, "A model's folder…")
        when_open(parent, "Open", answer_folder)

    def answer_folder(files: QFileDialog) -> None:
        show_folder(files, tmp_path)
        when_open(parent, "Which GGUF file?", answer_file)
        files.done(QFileDialog.DialogCode.Accepted)

    def answer_file(files: QFileDialog) -> None:
        type_name(files, "b.gguf")
        files.done(QFileDialog.DialogCode.Accepted if accept else QFileDialog.DialogCode.Rejected)

    event_loop.run_until_complete(act())
    assert taken == ([str(tmp_path / "b.gguf")] if accept else [])


@with_menu
def test_a_gguf_file_is_chosen_as_well(parent: QWidget, event_loop: QEventLoop, tmp_path: Path) -> None:
    (tmp_path / "a.gguf").touch()
    taken: list[str] = []

    async def act() -> None:
        ModelDialog(parent).ask("Open", taken.append)
        choose_a_file()
        await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})

    def choose_a_file() -> None:
        press(parent, "A GGUF file…")
        when_open(parent, "Open", answer)

    def answer(files: QFileDialog) -> None:
        assert files.nameFilters() == ["GGUF (*.gguf *.GGUF)"]
        show_folder(files, tmp_path)
        type_name(files, "a.gguf")
        files.done(QFileDialog.DialogCode.Accepted)

    event_loop.run_until_complete(act())
    assert taken == [str(tmp_path / "a.gguf")]


@with_menu
def test_escape_in_the_menu_asks_no_further(parent: QWidget, event_loop: QEventLoop) -> None:
    async def act() -> None:
        ModelDialog(parent).ask("Open", pytest.fail)
        press(parent, "")
        await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})

    event_loop.run_until_complete(act())
    assert not parent.findChildren(QFileDialog)


@pytest.mark.parametrize(
    ("names", "several"),
    [((), False), (("a.gguf",), False), (("a.gguf", "b.gguf"), True), (("a.gguf", "b.gguf", "config.json"), False)],
)
def test_which_folders_hold_several_models(tmp_path: Path, names: tuple[str, ...], several: bool) -> None:
    for name in names:
        (tmp_path / name).touch()
    assert holds_several_ggufs(tmp_path) == several


@with_menu
def test_one_question_at_a_time_and_none_after_closing(parent: QWidget, event_loop: QEventLoop) -> None:
    folders = ModelDialog(parent)

    async def act() -> None:
        folders.ask("First", pytest.fail)
        folders.ask("Second", pytest.fail)
        opened = event_loop.create_future()
        press(parent, "A model's folder…")
        when_open(parent, "First", lambda _: opened.set_result(None))
        await opened
        assert [found.windowTitle() for found in parent.findChildren(QFileDialog)] == ["First"]
        folders.close()
        await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})

    event_loop.run_until_complete(act())
    folders.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not parent.findChildren(QFileDialog)
