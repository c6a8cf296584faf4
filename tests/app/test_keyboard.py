"""What is done with the keyboard leaves it where one goes on."""

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from app.chat_message import ChatMessage
from app.views.transcript import Transcript
from app.views.version_switch import VersionSwitch
from tests.app.conftest import MakeProgram
from tests.app.scripted_engine import ScriptedEngine, rounds


def test_versions_are_gone_through_with_the_keyboard(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(*(rounds([word]) for word in ("One", "Two", "Three")))).start()
    program.ask("Why?")
    for _ in range(2):
        with program.qtbot.waitSignal(program.application.replies.ended):
            program.window.regenerate_requested.emit()

    def switch() -> VersionSwitch:
        return program.window.transcript.messages.views[1].head.versions

    switch().before.setFocus()
    for count, enabled in (("2/3", "before"), ("1/3", "after"), ("2/3", "after"), ("3/3", "before")):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        assert switch().text() == count
        assert getattr(switch(), enabled).hasFocus()
    assert [message.text for message in program.messages] == ["Why?", "Three"]


def test_what_the_keyboard_reaches_is_brought_into_sight(transcript: Transcript) -> None:
    words = "\n\n".join(f"Paragraph {number}." for number in range(60))
    transcript.show_messages(
        [ChatMessage("user", "Why?"), ChatMessage("assistant", f"<think>\nHm.\n</think>\n\n{words}")]
    )
    transcript.activateWindow()
    transcript.messages.setFocus()
    (*_, view) = transcript.messages.views
    assert view.thought is not None and view.footer is not None
    port = transcript.messages.viewport()
    for reached in (view.thought.line, view.footer.findChildren(QToolButton)[0], view.thought.line):
        assert not port.rect().contains(QRect(reached.mapTo(port, QPoint()), reached.size()))
        reached.setFocus(Qt.FocusReason.TabFocusReason)
        assert port.rect().contains(QRect(reached.mapTo(port, QPoint()), reached.size()))
    at = transcript.messages.verticalScrollBar().value()
    view.setFocus(Qt.FocusReason.MouseFocusReason)  # of a message that is in sight: nothing moves
    assert transcript.messages.verticalScrollBar().value() == at
