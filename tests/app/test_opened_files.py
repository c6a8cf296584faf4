"""A chat export that is opened: at the start, by a second start, by the desktop's event."""

import json
import threading
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.exporting.export import export_json
from app.opened_files import OpenedFiles
from tests.app.conftest import MakeProgram
from tests.patience import WAIT_MS


def exported(make_program: MakeProgram, tmp_path: Path) -> tuple[Path, str]:
    """A chat of another machine, and its id."""
    program = make_program().start()
    program.ask("Where is the sea?")
    chats = program.application.chats
    chats.flush()
    path = tmp_path / "海 sea.foreword.json"
    identifier = program.application.conversation.id
    list(export_json(chats.path, [identifier], path, threading.Event()))
    program.application.shelf.delete(identifier)
    return path, identifier


def test_a_single_chat_is_brought_in_and_shown_and_not_twice(
    make_program: MakeProgram, qtbot: QtBot, tmp_path: Path
) -> None:
    path, _ = exported(make_program, tmp_path)
    data = json.loads(path.read_text(encoding="utf-8"))
    program = make_program()
    program.start()
    for _ in range(2):
        program.application.chatting.new_chat()
        with qtbot.waitSignal(program.application.transfer.chat_opened, timeout=WAIT_MS):
            program.application.come_forward(str(path))
        assert [message.text for message in program.messages] == ["Where is the sea?", "Hello there."]
    assert len(data["chats"]) == len(program.application.chats.rows()) == 1


def test_a_file_that_is_none_is_told(make_program: MakeProgram, qtbot: QtBot, tmp_path: Path) -> None:
    program = make_program().start()
    dialog = program.application.transfer.open_file(tmp_path / "gone.json")
    qtbot.waitUntil(lambda: any("gone.json" in label.text() for label in dialog.findChildren(QLabel)), timeout=WAIT_MS)
    dialog.close()


def test_a_minimized_window_comes_back(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.window.showMinimized()
    program.application.come_forward()
    assert not program.window.windowState() & Qt.WindowState.WindowMinimized
    assert program.window.isVisible()


def test_the_desktop_says_which_file(qapp: QApplication, tmp_path: Path) -> None:
    files = OpenedFiles(qapp, listens=True)
    heard: list[str] = []
    files.opened.connect(heard.append)
    QApplication.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(tmp_path / "对话 chat.json"))))
    assert [Path(path) for path in heard] == [tmp_path / "对话 chat.json"]
    qapp.removeEventFilter(files)
    files.deleteLater()
