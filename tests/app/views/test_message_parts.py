"""Thoughts, versions, editors and files of a message."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.attachments import Attachment
from app.chat_message import ChatMessage
from app.message_tree import Version
from app.theme import DARK, LIGHT
from app.views.attachment_chip import Chip, ChipRow
from app.views.message_view import MessageView
from app.views.reading_style import ReadingStyle
from inference.events import Piece


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(700, 900)
    widget.show()
    return widget


def view_of(message: ChatMessage, host: QWidget) -> MessageView:
    view = MessageView(message, ReadingStyle(LIGHT), False, host)
    view.lay_out(640)
    view.show()
    return view


def words(view: MessageView) -> list[str]:
    return [block.plain_text() for block in view.block_views]


def test_a_thought_is_folded_and_never_part_of_the_answer(host: QWidget, qtbot: QtBot) -> None:
    text = "<think>\nHm.\n\n- a\n- b\n</think>\n\nBlue **it** is."
    view = view_of(ChatMessage("assistant", text, thought_s=12.4), host)
    assert words(view) == ["Blue it is."]
    assert view.thought is not None and view.thought.line.text() == "Thought for 12 s" and not view.thought.unfolded
    height = view.height()
    with qtbot.waitSignal(view.resized):
        view.thought.line.click()
    assert words(view) == ["Hm.", "• a", "• b", "Blue it is."] and view.height() > height
    view.selection.select_all()
    assert "Hm." in view.selection.text()
    view.thought.line.click()
    assert view.height() == height
    view.set_style(ReadingStyle(DARK))
    assert view.lay_out(640) == height


def test_a_thought_streams_as_well(host: QWidget) -> None:
    reply = ChatMessage("assistant", state="streaming")
    view = view_of(reply, host)
    text = "<think>\nFirst *this*,\n\nthen that.\n</think>\n\nBlue.\n\nAnd more."
    for at in range(0, len(text), 3):
        reply.append(Piece(text[at : at + 3], "plain", 1))
        reply.thought_s = at / 10
        view.extend()
        assert "think" not in " ".join(words(view))
        if at == 18:
            assert view.thought is not None and view.thought.line.text() == "Thinking… 2 s"
            view.thought.line.click()
    reply.state = "finished"
    view.finish()
    assert words(view) == ["First this,", "then that.", "Blue.", "And more."]
    assert view.thought is not None and view.thought.line.text().startswith("Thought for")
    fresh = view_of(reply, host)
    assert fresh.thought is not None
    fresh.thought.line.click()
    assert words(fresh) == words(view) and fresh.height() == view.height()


def test_a_tag_that_turns_out_to_be_none_is_shown(host: QWidget) -> None:
    reply = ChatMessage("assistant", state="streaming")
    view = view_of(reply, host)
    for piece in ("<th", "ead> is", " a word"):
        reply.append(Piece(piece, "plain", 1))
        view.extend()
    assert words(view) == ["<thead> is a word"]
    assert view.thought is None or not view.thought.isVisibleTo(view)


def test_marks_stand_behind_the_thought(host: QWidget) -> None:
    reply = ChatMessage("assistant")
    for text, origin in (("<think>\nHm.\n</think>\n\n", "plain"), ("Blue", "accepted"), (" sky", "bonus")):
        reply.append(Piece(text, origin, 1))  # type: ignore[arg-type]
    view = view_of(reply, host)
    view.set_show_tokens(True)
    (surface,) = view.selection.surfaces
    assert [(mark.start, mark.end, mark.run.origin) for mark in surface._marks] == [(0, 4, "accepted"), (4, 8, "bonus")]


def test_versions_are_stepped_through(host: QWidget, qtbot: QtBot) -> None:
    view = view_of(ChatMessage("user", "Why?"), host)
    assert not view.head.versions.isVisibleTo(view)
    view.show_version(Version(2, 3))
    switch = view.head.versions
    assert switch.isVisibleTo(view) and switch.text() == "2/3" and "2 of 3" in switch.accessibleName()
    with qtbot.waitSignal(view.version_stepped) as stepped:
        switch.after.click()
    assert stepped.args == [view.message.id, 1]
    view.show_version(Version(3, 3))
    assert switch.before.isEnabled() and not switch.after.isEnabled()


def test_a_question_is_edited_in_place(host: QWidget, qtbot: QtBot) -> None:
    view = view_of(ChatMessage("user", "Why"), host)
    view.head.buttons["pencil"].click()
    assert view.editor is not None
    QTest.keyClick(view.editor.editor, Qt.Key.Key_Escape)
    assert view.editor is None
    view.begin_edit()
    assert view.editor is not None
    height = view.height()
    QTest.keyClicks(view.editor.editor, "?")
    QTest.keyClick(view.editor.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert view.height() > height
    with qtbot.waitSignal(view.edited) as edited:
        QTest.keyClick(view.editor.editor, Qt.Key.Key_Return)
    assert edited.args == [view.message.id, "Why?"] and view.editor is None
    view.begin_edit()
    with qtbot.assertNotEmitted(view.edited):
        view.editor.save()  # nothing was changed


def test_a_reply_is_edited_with_its_markdown(host: QWidget, qtbot: QtBot) -> None:
    view = view_of(ChatMessage("assistant", "It is **so**."), host)
    view.begin_edit()
    assert view.editor is not None and view.editor.editor.toPlainText() == "It is **so**."
    QTest.keyClick(view.editor.editor, Qt.Key.Key_Return)
    assert view.editor is not None  # Enter breaks the line
    with qtbot.waitSignal(view.edited):
        view.editor.editor.setPlainText("It is.")
        QTest.keyClick(view.editor.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert view.footer is not None and view.footer.isVisibleTo(view)


def test_the_menu_offers_what_can_be_done(host: QWidget) -> None:
    def offered(message: ChatMessage) -> list[str]:
        return [action.text() for action in view_of(message, host).menu().actions() if action.text()]

    assert offered(ChatMessage("user", "Why?"))[2:] == ["Edit", "Ask again", "New chat from here", "Delete"]
    reply = ["Edit", "Reply again", "Continue this reply", "Compare with and without speculation…"]
    reply += ["Details of this reply", "New chat from here", "Delete"]
    assert offered(ChatMessage("assistant", "So."))[2:] == reply
    assert len(offered(ChatMessage("assistant", "So", state="streaming"))) == 2


def test_a_stopped_reply_offers_to_go_on(host: QWidget, qtbot: QtBot) -> None:
    view = view_of(ChatMessage("assistant", "Half", state="stopped"), host)
    assert view.notice is not None
    with qtbot.waitSignal(view.continue_clicked):
        view.notice.button.click()
    empty = view_of(ChatMessage("assistant", "", state="stopped"), host)
    assert empty.notice is not None and not empty.notice.button.isVisibleTo(empty)


def test_files_are_shown_with_their_question(host: QWidget) -> None:
    plain = view_of(ChatMessage("user", "Why?"), host)
    files = (Attachment("a.py", "x\ny"), Attachment("b" * 200 + ".txt", ""))
    view = view_of(ChatMessage("user", "Why?", attachments=files), host)
    assert view.height() > plain.height()
    chips = [chip.chip for row in view.findChildren(ChipRow) for chip in row.chips]
    assert chips[0] == Chip("a.py", "2 lines")


def test_chips_flow_and_can_be_taken_off(host: QWidget, qtbot: QtBot) -> None:
    row = ChipRow(LIGHT, host, removable=True)
    chips = [Chip(f"a long name of a file {number}.py", "1,000 tokens") for number in range(5)]
    row.show_chips(chips)
    row.resize(400, row.height_at(400))
    row.show()
    qtbot.waitUntil(lambda: row.chips[-1].y() > row.chips[0].y())
    assert all(chip.geometry().right() <= 400 for chip in row.chips)
    assert row.height_at(4000) < row.height_at(400)
    with qtbot.waitSignal(row.removed) as removed:
        row.chips[3].remove_button.click()
    assert removed.args == [3]
    row.show_chips([])
    assert not row.isVisible() and QPoint(0, 0) == row.pos()
