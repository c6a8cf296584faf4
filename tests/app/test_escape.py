"""Esc stops the reply wherever the focus is, but for what has the focus and is left by it first."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from tests.app.conftest import MakeProgram
from tests.app.program import Program
from tests.app.scripted_engine import Gate, ScriptedEngine, rounds
from tests.app.test_application import piece
from tests.patience import WAIT_MS


@pytest.fixture
def program(make_program: MakeProgram) -> Program:
    """A chat with a whole reply, and a second one that is being written."""
    text = "A [link](https://example.org).\n\n```python\nx = 1\n```\n\n| a | b |\n|--|--|\n| 1 | 2 |\n"
    program = make_program(engine=ScriptedEngine(rounds([text]), [piece("Half"), Gate()])).start()
    program.window.resize(1280, 800)
    program.window.activateWindow()
    program.ask("First?")
    ask_again(program)
    return program


def ask_again(program: Program) -> None:
    program.begin("Second?")
    program.until("Half")


def places(window: QWidget) -> Iterator[QWidget]:
    """Whatever can have the focus."""
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            yield widget


def stopped(program: Program) -> bool:
    return program.messages[-1].state == "stopped"


def press_escape() -> None:
    QTest.keyClick(QApplication.focusWidget() or QApplication.activeWindow(), Qt.Key.Key_Escape)


def test_wherever_the_focus_is(program: Program, qtbot: QtBot) -> None:
    program.window.banners.show_banner("news", "News.")
    names = []
    for place in list(places(program.window)):
        if not program.application.replying:
            ask_again(program)
        if not isValid(place) or not place.isVisible():  # the chat goes on, and messages scroll away
            continue
        place.setFocus(Qt.FocusReason.TabFocusReason)
        names.append(type(place).__name__)
        with qtbot.waitSignal(program.application.replies.ended, timeout=WAIT_MS):
            press_escape()
        assert stopped(program), names[-1]
    assert len(names) > 20, names
    assert {"QuestionEditor", "ChatList", "MessageView", "QLineEdit"} <= set(names), names


def test_without_any_focus(program: Program, qtbot: QtBot) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    focus.clearFocus()
    with qtbot.waitSignal(program.application.replies.ended, timeout=WAIT_MS):
        QTest.keyClick(program.window, Qt.Key.Key_Escape)
    assert stopped(program)


@pytest.mark.parametrize("opened", ["settings", "find"])
def test_what_stands_open_without_the_focus_does_not_swallow_it(program: Program, qtbot: QtBot, opened: str) -> None:
    window = program.window
    if opened == "settings":
        window.toggle_settings()
    else:
        window.transcript.open_find()
    window.composer.focus()
    with qtbot.waitSignal(program.application.replies.ended, timeout=WAIT_MS):
        press_escape()
    assert window.settings_panel.isVisible() or window.transcript.finding, "the reply first"
    press_escape()
    assert not window.settings_panel.isVisible() and not window.transcript.finding


def test_a_search_that_was_left_is_closed_when_nothing_else_is(program: Program, qtbot: QtBot) -> None:
    search = program.window.sidebar.search
    search.setText("words")
    program.window.sidebar.list.setFocus()
    with qtbot.waitSignal(program.application.replies.ended, timeout=WAIT_MS):
        press_escape()
    assert search.text() == "words", "the reply first"
    press_escape()
    assert search.text() == ""


@pytest.mark.parametrize("opened", ["settings", "find", "search"])
def test_what_has_the_focus_is_left_first(program: Program, qtbot: QtBot, opened: str) -> None:
    window = program.window
    if opened == "settings":
        window.toggle_settings()
        window.settings_panel.rows["temperature"].findChildren(QWidget)[-1].setFocus()
    elif opened == "find":
        window.transcript.open_find()
    else:
        window.sidebar.search.setFocus()
        qtbot.keyClicks(window.sidebar.search, "words")
    with qtbot.assertNotEmitted(window.stop_requested):
        press_escape()
    assert not window.settings_panel.isVisible() and not window.transcript.finding and not window.sidebar.search.text()
    with qtbot.waitSignal(program.application.replies.ended, timeout=WAIT_MS):
        press_escape()
    assert stopped(program)


def test_a_chat_that_is_carried_is_put_back_first(program: Program, qtbot: QtBot) -> None:
    chats = program.window.sidebar.list
    port, place = chats.viewport(), chats.visualRect(chats.currentIndex()).center()
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseMove(port, place + QPoint(0, 100))
    assert chats.carried.chip is not None
    with qtbot.assertNotEmitted(program.window.stop_requested):
        press_escape()
    assert chats.carried.chip is None
    with qtbot.waitSignal(program.application.replies.ended, timeout=WAIT_MS):
        press_escape()
    assert stopped(program)


def test_a_reply_that_has_not_begun_yet(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = make_program(engine=ScriptedEngine([Gate()])).start()
    program.window.activateWindow()
    program.begin("Go")
    with qtbot.waitSignal(program.application.replies.ended, timeout=WAIT_MS):
        press_escape()
    assert stopped(program)


def test_a_reply_in_another_chat(program: Program, qtbot: QtBot) -> None:
    replying = program.application.conversation
    program.window.new_requested.emit()
    with qtbot.waitSignal(program.application.replies.ended, timeout=WAIT_MS):
        press_escape()
    assert replying.messages[-1].state == "stopped"


def test_an_input_method_that_was_left_in_the_middle_keeps_no_key(program: Program, qtbot: QtBot) -> None:
    window = program.window
    editor = window.composer.editor
    editor.setFocus()
    QApplication.sendEvent(editor, QInputMethodEvent("ni", []))
    window.sidebar.list.setFocus()
    editor.setFocus()
    with qtbot.waitSignal(editor.stop_pressed, timeout=WAIT_MS):
        editor.keyPressEvent(_escape_event())


def _escape_event() -> QKeyEvent:
    return QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
