"""Versions, edits, branches, deletions and files in the running program, with a scripted engine."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtTest import QTest

from app.chats import Chats
from app.history import History
from inference.events import Delta, Finished, Piece
from inference.manager.paths import CHATS
from inference.messages import Message
from inference.statistics import ReplyStatistics
from tests.app.conftest import MakeProgram
from tests.app.program import Program
from tests.app.scripted_engine import Gate, ScriptedEngine, rounds

END = Finished("end", ReplyStatistics())


def piece(text: str) -> Delta:
    return Delta((Piece(text, "plain", 1),))


def texts(program: Program) -> list[str]:
    return [message.text for message in program.messages]


def shown(program: Program) -> list[str]:
    return [view.message.text for view in program.window.transcript.messages.views]


def versions(program: Program, place: int) -> str:
    head = program.window.transcript.messages.views[place].head
    return head.versions.text() if head.versions.isVisibleTo(head) else ""


def reopened(program: Program) -> list[str]:
    """What the newest chat shows in the next session."""
    program.application.close()
    chats = Chats(program.chats_folder, pytest.fail)
    shown = [message.text for message in chats.conversation(chats.rows()[0].id).messages]
    chats.close()
    return shown


def finish(program: Program, act: object) -> None:
    with program.qtbot.waitSignal(program.application.replies.ended):
        act()  # type: ignore[operator]


def test_a_question_is_edited_and_asked_again(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds(["Old"]), rounds(["More"]), rounds(["New"]))).start()
    program.ask("Wy?")
    program.ask("And?")
    program.window.transcript.edit(program.messages[0].id)
    editor = program.window.transcript.messages.views[0].editor
    assert editor is not None and editor.editor.toPlainText() == "Wy?"
    editor.editor.setPlainText("Why?")
    finish(program, lambda: QTest.keyClick(editor.editor, Qt.Key.Key_Return))
    assert texts(program) == shown(program) == ["Why?", "New"]
    assert program.engine.asked[-1][0] == [Message("user", "Why?")]
    assert versions(program, 0) == "2/2"
    program.window.transcript.messages.views[0].head.versions.before.click()
    assert texts(program) == shown(program) == ["Wy?", "Old", "And?", "More"]
    assert versions(program, 0) == "1/2"
    assert reopened(program) == ["Wy?", "Old", "And?", "More"]  # the version that was shown last


def test_a_reply_is_edited_without_asking(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds(["Bule."]))).start()
    reply = program.ask("Colour?")
    program.window.transcript.edited.emit(reply.id, "Blue.")
    assert texts(program) == shown(program) == ["Colour?", "Blue."]
    assert program.messages[-1].edited and versions(program, 1) == "2/2"
    program.ask("Sure?")
    assert program.engine.asked[-1][0][1] == Message("assistant", "Blue.")


def test_a_stopped_reply_is_continued(make_program: MakeProgram) -> None:
    engine = ScriptedEngine([piece("Half"), Gate(), END], [piece(" and whole."), END])
    program = make_program(engine=engine).start()
    program.begin("Go")
    program.until("Half")
    finish(program, program.window.stop_requested.emit)
    assert (program.messages[-1].text, program.messages[-1].state) == ("Half", "stopped")
    finish(program, program.window.continue_requested.emit)
    assert engine.asked[-1][0][-1] == Message("assistant", "Half")
    reply = program.messages[-1]
    assert (reply.text, reply.state) == ("Half and whole.", "finished")
    view = program.window.transcript.messages.views[-1]
    assert view.block_views[0].plain_text() == "Half and whole." and view.footer is not None and view.footer.isVisible()


def test_a_question_without_a_reply_is_asked_again(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds(["One."]), rounds(["Two."]), rounds(["Three."]))).start()
    reply = program.ask("Why?")
    program.window.transcript.delete_requested.emit(reply.id)
    assert texts(program) == ["Why?"]
    finish(program, program.window.regenerate_requested.emit)
    assert texts(program) == shown(program) == ["Why?", "Two."]
    finish(program, lambda: program.window.transcript.regenerate_requested.emit(program.messages[0].id))
    assert texts(program) == ["Why?", "Three."] and versions(program, 1) == "2/2"


def test_a_new_chat_from_here(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds(["One."]), rounds(["Two."]), rounds(["Three."]))).start()
    first = program.ask("First?")
    program.ask("Second?")
    old = program.application.conversation
    program.window.transcript.branch_requested.emit(first.id)
    assert program.application.conversation is not old and texts(program) == ["First?", "One."]
    program.ask("Another?")
    assert [message.text for message in old.messages] == ["First?", "One.", "Second?", "Two."]
    assert len(program.window.sidebar.titles()) == 3
    program.application.close()
    history = History(program.chats_folder / CHATS)
    assert sorted(len(history.messages(row.id)) for row in history.conversations()) == [4, 4]
    history.close()


def test_deleting_a_message_can_be_undone(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds(["One."]), rounds(["Two."]))).start()
    reply = program.ask("First?")
    program.ask("Second?")
    program.window.transcript.delete_requested.emit(reply.id)
    assert texts(program) == shown(program) == ["First?", "Second?", "Two."]
    program.press_in_banner("undo", "Undo")
    assert texts(program) == shown(program) == ["First?", "One.", "Second?", "Two."]
    program.window.transcript.delete_requested.emit(reply.id)
    assert reopened(program) == ["First?", "Second?", "Two."]


def test_while_a_reply_is_written_its_chat_is_left_alone(make_program: MakeProgram) -> None:
    """And whatever is refused is said, and costs no words."""
    gate = Gate()
    program = make_program(engine=ScriptedEngine(rounds(["One."]), [piece("Slow"), gate, END])).start()
    first = program.ask("First?")
    program.begin("Second?")
    program.until("Slow")
    window = program.window
    transcript = window.transcript
    changes: tuple[Callable[[], None], ...] = (
        lambda: transcript.delete_requested.emit(first.id),
        lambda: transcript.version_requested.emit(first.id, 1),
        lambda: transcript.regenerate_requested.emit(first.id),
        window.edit_requested.emit,
        lambda: transcript.edited.emit(first.id, "Else."),
    )
    for change in changes:
        window.banners.close_banner("busy")
        change()
        assert "being written" in program.banner("busy")
    window.continue_requested.emit()
    assert texts(program) == ["First?", "One.", "Second?", "Slow"]
    view = transcript.messages.view_of(first.id)
    assert view is not None and view.editor is not None and view.editor.editor.toPlainText() == "Else."
    view.end_edit()
    finish(program, gate.set)


def test_an_edit_that_was_begun_waits_while_another_chat_is_shown(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds(["One."]))).start()
    program.ask("First?")
    first, transcript = program.messages[0].id, program.window.transcript
    transcript.edit(first, "Half an edit")
    chat = program.application.conversation.id
    program.window.new_requested.emit()
    program.window.sidebar.chosen.emit(chat)
    view = transcript.messages.view_of(first)
    assert view is not None and view.editor is not None
    assert view.editor.editor.toPlainText() == "Half an edit"
    view.end_edit()
    program.window.new_requested.emit()
    program.window.sidebar.chosen.emit(chat)
    view = transcript.messages.view_of(first)
    assert view is not None and view.editor is None


def test_a_question_that_was_not_sent_waits_for_the_next_session(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    program = make_program().start()
    program.ask("First?")
    chat = program.application.conversation.id
    program.window.composer.set_text("half a question")
    program.window.composer.files_offered.emit([str(tmp_path / "a.py")])
    program.qtbot.waitUntil(lambda: len(program.window.composer.attachments.chips) == 1)
    program.window.new_requested.emit()
    program.window.composer.set_text("for a new one")
    program.application.close()
    again = make_program().start()
    assert again.window.composer.text() == "for a new one"
    again.window.sidebar.chosen.emit(chat)
    assert again.window.composer.text() == "half a question"
    assert [chip.chip.name for chip in again.window.composer.attachments.chips] == ["a.py"]
    again.qtbot.waitUntil(lambda: again.window.composer.can_send)  # the file's tokens are counted
    again.window.composer.button.click()
    again.application.close()
    third = make_program().start()
    third.window.sidebar.chosen.emit(chat)
    assert third.window.composer.text() == "" and third.window.composer.attachments.chips == []


def test_files_are_sent_with_the_question(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    program = make_program().start()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.py"))])
    program.window.composer.editor.insertFromMimeData(mime)
    program.qtbot.waitUntil(
        lambda: [one.chip.note for one in program.window.composer.attachments.chips] == ["6 tokens"]
    )
    pasted = QMimeData()
    pasted.setText("line\n" * 250)
    program.window.composer.editor.insertFromMimeData(pasted)
    assert program.window.composer.text() == ""
    program.qtbot.waitUntil(lambda: program.window.composer.can_send)
    assert [one.chip.name for one in program.window.composer.attachments.chips] == ["a.py", "pasted 1.txt"]
    program.window.composer.attachments.chips[1].remove_button.click()
    assert len(program.window.composer.attachments.chips) == 1
    (tmp_path / "b.py").write_text("y = 2\n")
    program.window.composer.files_offered.emit([str(tmp_path / "b.py")])
    program.begin("What is y?")
    assert program.messages == []  # it waits for the file, which belongs to it
    assert program.window.composer.text() == "What is y?"
    program.application.chatting.send("What is y?")
    assert program.messages == [] and program.application.chatting.obstacle() == ""  # nothing else has to wait
    program.qtbot.waitUntil(lambda: program.window.composer.can_send)
    program.window.composer.attachments.chips[1].remove_button.click()
    program.ask("What is x?")
    assert program.engine.asked[-1][0][-1].content == "a.py:\n```py\nx = 1\n```\n\nWhat is x?"
    assert program.messages[0].text == "What is x?" and program.window.composer.attachments.chips == []


def test_what_has_no_room_is_refused_with_the_numbers(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("word " * 5000)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0")
    program = make_program().start()
    program.window.composer.files_offered.emit([str(tmp_path / "big.txt")])
    program.qtbot.waitUntil(lambda: "5,003" in program.banner("attachment"))
    assert "1,472" in program.banner("attachment") and program.window.composer.attachments.chips == []
    program.window.composer.files_offered.emit([str(tmp_path / "picture.png")])
    program.qtbot.waitUntil(lambda: "not a text file" in program.banner("attachment"))
    program.window.composer.files_offered.emit([str(tmp_path / name) for name in ("picture.png", "big.txt")])
    program.qtbot.waitUntil(lambda: "5,003" in program.banner("attachment"))
    assert "picture.png is not a text file" in program.banner("attachment"), "what was known at once is said as well"
    assert program.window.composer.attachments.chips == []  # nor does it slip in when its size is known already


def test_a_refusal_is_over_when_the_question_is_sent_or_another_file_came(
    make_program: MakeProgram, tmp_path: Path
) -> None:
    program = make_program().start()
    composing = program.application.composing
    (tmp_path / "small.txt").write_text("a few words")
    for name in ("one.bin", "two.bin"):
        (tmp_path / name).write_bytes(b"\0\1\2")

    def offer(*names: str) -> None:
        composing.add_files([str(tmp_path / name) for name in names])
        program.qtbot.waitUntil(lambda: not composing.obstacle())

    offer("one.bin", "two.bin")
    assert "one.bin" in program.banner("attachment") and "two.bin" in program.banner("attachment"), "not the last alone"
    program.ask("Without them?")
    assert program.banner("attachment") == ""
    offer("one.bin")
    offer("small.txt")
    assert program.banner("attachment") == ""
    offer("two.bin")
    program.window.new_requested.emit()
    assert program.banner("attachment") == "", "it was of the other chat"


def test_the_gauges_show_the_last_reply_of_the_chat_that_is_shown(make_program: MakeProgram) -> None:
    gate = Gate()
    slow = [*rounds(["Slow", " ", "one"])[:-1], gate, END]
    program = make_program(engine=ScriptedEngine(rounds(["One", " ", "two", "."]), rounds(["Else."]), slow)).start()
    gauges, sidebar = program.window.gauges, program.window.sidebar
    hint = gauges.speed.accessibleDescription()
    first = program.ask("First?")
    chat = program.application.conversation.id
    speed, per_round = gauges.speed.value, gauges.figure("per_round")
    assert first.statistics is not None and speed == pytest.approx(first.statistics.tokens_per_second)
    program.window.new_requested.emit()
    assert gauges.speed.value is None and gauges.figure("per_round") == "–"
    assert gauges.speed.accessibleDescription() == hint
    program.ask("Second?")
    assert gauges.speed.value != speed
    sidebar.chosen.emit(chat)
    assert (gauges.speed.value, gauges.figure("per_round")) == (speed, per_round)
    assert len(gauges.speed_line.points) == len(first.course) > 0
    program.window.transcript.delete_requested.emit(first.id)
    assert gauges.speed.value is None
    program.press_in_banner("undo", "Undo")
    assert gauges.speed.value == speed
    program.window.new_requested.emit()
    program.begin("Third?")
    program.until("Slow")
    sidebar.chosen.emit(chat)
    gate.set()
    program.qtbot.waitUntil(lambda: not program.application.replying)
    assert gauges.speed.value == speed, "what ended elsewhere changes nothing here"
    program.application.close()
    again = make_program().start()
    again.window.sidebar.chosen.emit(chat)
    assert again.window.gauges.speed.value == pytest.approx(speed)
