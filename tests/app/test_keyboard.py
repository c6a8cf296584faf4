"""What is done with the keyboard leaves it where one goes on."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

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
