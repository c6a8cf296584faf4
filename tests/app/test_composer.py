"""Writing a question: what sends it, what stops, what is kept."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.theme import LIGHT
from app.views.composer import Composer
from app.views.style import dress, stylesheet


def dress_once(application: QApplication) -> None:
    """Restyling every widget that still lives takes its time."""
    if application.styleSheet() != stylesheet(LIGHT):
        dress(application, LIGHT)


@pytest.fixture
def composer(qtbot: QtBot, qapp: QApplication) -> Iterator[Composer]:
    dress_once(qapp)
    host = QWidget()
    qtbot.addWidget(host)
    column = QVBoxLayout(host)
    column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
    widget = Composer()
    column.addStretch(1)
    column.addWidget(widget)
    host.resize(800, 600)
    with qtbot.waitExposed(host):
        host.show()
    yield widget


def test_enter_sends_and_empties(composer: Composer, qtbot: QtBot) -> None:
    QTest.keyClicks(composer.editor, "  Why?  ")
    with qtbot.waitSignal(composer.submitted) as submitted:
        QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    assert submitted.args == ["Why?"]
    assert composer.text() == ""


def test_shift_enter_breaks_the_line(composer: Composer, qtbot: QtBot) -> None:
    QTest.keyClicks(composer.editor, "one")
    with qtbot.assertNotEmitted(composer.submitted):
        QTest.keyClick(composer.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(composer.editor, "two")
    assert composer.text() == "one\ntwo"


def test_enter_while_composing_does_not_send(composer: Composer, qtbot: QtBot) -> None:
    QApplication.sendEvent(composer.editor, QInputMethodEvent("ni hao", []))
    with qtbot.assertNotEmitted(composer.submitted):
        QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    commit = QInputMethodEvent("", [])
    commit.setCommitString("你好")
    QApplication.sendEvent(composer.editor, commit)
    assert composer.text().replace("\n", "") == "你好"
    with qtbot.waitSignal(composer.submitted) as submitted:
        QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    assert submitted.args == ["你好"]


def test_blanks_are_not_a_question(composer: Composer, qtbot: QtBot) -> None:
    composer.set_text("  \n ")
    assert not composer.button.isEnabled()
    with qtbot.assertNotEmitted(composer.submitted):
        QTest.keyClick(composer.editor, Qt.Key.Key_Return)


def test_send_becomes_stop(composer: Composer, qtbot: QtBot) -> None:
    composer.set_text("next question")
    composer.set_running(True)
    assert composer.button.isEnabled() and composer.button.accessibleName() == "Stop"
    with qtbot.assertNotEmitted(composer.submitted), qtbot.waitSignal(composer.stop_requested):
        QTest.keyClick(composer.editor, Qt.Key.Key_Return)
        composer.button.click()
    with qtbot.waitSignal(composer.stop_requested):
        QTest.keyClick(composer.editor, Qt.Key.Key_Escape)
    assert composer.text() == "next question"
    composer.set_running(False)
    assert composer.button.accessibleName() == "Send"
    with qtbot.waitSignal(composer.submitted):
        composer.button.click()


def test_while_blocked_writing_goes_on_and_nothing_is_lost(composer: Composer, qtbot: QtBot) -> None:
    composer.set_blocked("The model is loading.")
    assert composer.editor.placeholderText() == "The model is loading."
    assert "loading" in composer.button.toolTip()
    QTest.keyClicks(composer.editor, "already")
    with qtbot.assertNotEmitted(composer.submitted):
        QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    assert composer.text() == "already"
    composer.set_enabled_reason("")
    assert composer.editor.placeholderText() == "Ask anything"
    with qtbot.waitSignal(composer.submitted) as submitted:
        QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    assert submitted.args == ["already"]


def test_pasted_text_arrives_plain(composer: Composer) -> None:
    rich = QMimeData()
    rich.setHtml("<b>bold</b> <img src='http://example.org/x.png'>")
    rich.setText("bold")
    composer.editor.insertFromMimeData(rich)
    assert composer.text() == "bold"
    assert not composer.editor.document().firstBlock().charFormat().font().bold()


def test_it_grows_with_the_text_up_to_eight_lines(composer: Composer, qtbot: QtBot) -> None:
    one = composer.editor.height()
    composer.set_text("a\nb\nc")
    three = composer.editor.height()
    assert three - one == 2 * 24
    qtbot.waitUntil(lambda: composer.height() >= three)
    composer.set_text("\n".join("abcdefghijkl"))
    assert composer.editor.height() - one == 7 * 24
    composer.set_text("word " * 60)
    assert one < composer.editor.height()
    composer.set_text("")
    assert composer.editor.height() == one


def test_text_and_focus(composer: Composer, qtbot: QtBot) -> None:
    composer.set_text("kept")
    composer.focus()
    qtbot.waitUntil(composer.editor.hasFocus)
    QTest.keyClicks(composer.editor, "!")
    assert composer.text() == "kept!"
    QTest.keyClick(composer.editor, Qt.Key.Key_Tab)
    assert composer.text() == "kept!"
    assert not composer.editor.hasFocus()


def test_undo_takes_back_words_and_not_their_spacing(composer: Composer) -> None:
    QTest.keyClicks(composer.editor, "one")
    composer.editor.undo()
    assert composer.text() == ""
    composer.editor.redo()
    assert composer.text() == "one"


def test_controls_have_names_and_tips(composer: Composer) -> None:
    assert composer.button.accessibleName() and composer.button.toolTip()
    assert composer.editor.accessibleName()


def test_why_it_cannot_be_sent_is_said_beside_what_was_written(composer: Composer) -> None:
    composer.show_attachments([], "12 of 100 tokens")
    composer.set_blocked("The model is being loaded…")
    assert composer._note.text() == "12 of 100 tokens", "it stands where the text would"
    composer.set_text("Why?")
    assert composer._note.text() == composer._note.toolTip() == "The model is being loaded…"
    composer.set_blocked("")
    assert composer._note.text() == "12 of 100 tokens"
