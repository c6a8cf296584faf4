"""The whole window with a scripted engine."""

import gc
import sqlite3
import threading

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app import application as application_module
from app import replies as replies_module
from app.backup import back_up
from app.chat_message import ChatMessage
from app.history import History
from app.views.restore_dialog import RestoreDialog
from inference.events import Delta, Failed, Finished, Piece, TurnsOmitted
from inference.manager.paths import CHATS
from inference.messages import Message
from inference.statistics import ReplyStatistics
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS, Program
from tests.app.scripted_engine import Gate, ScriptedEngine, rounds

END = Finished("end", ReplyStatistics())


def piece(text: str) -> Delta:
    return Delta((Piece(text, "plain", 1),))


def kept(program: Program) -> dict[str, list[str]]:
    """What is on the disk, by title."""
    history = History(program.chats_folder / CHATS)
    texts = {row.title: [m.text for m in history.messages(row.id)] for row in history.conversations()}
    history.close()
    return texts


def test_a_question_is_answered_and_kept(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds(["The", " sky", " is", " blue", "."]))).start()
    reply = program.ask("Why is it blue?")
    assert (reply.text, reply.state) == ("The sky is blue.", "finished")
    assert reply.statistics is not None and reply.statistics.reply_tokens == 5
    ((messages, settings),) = program.engine.asked
    assert messages == [Message("user", "Why is it blue?")]
    assert settings == program.application.settings.generation()
    assert program.window.header.title == "Why is it blue?"
    assert program.window.sidebar.titles() == ["Today", "Why is it blue?"]
    assert program.window.composer.text() == ""
    program.application.close()
    assert kept(program) == {"Why is it blue?": ["Why is it blue?", "The sky is blue."]}


def test_words_show_while_the_reply_runs(make_program: MakeProgram) -> None:
    gate = Gate()
    program = make_program(engine=ScriptedEngine([piece("First"), gate, piece(" second"), END])).start()
    program.begin("Go")
    program.until("First")
    assert program.application.replying and program.messages[-1].state == "streaming"
    assert program.window.composer.button.accessibleName() == "Stop"
    with program.qtbot.waitSignal(program.application.replies.ended):
        gate.set()
    assert program.messages[-1].text == "First second"
    assert program.window.composer.button.accessibleName() == "Send"


def test_stop_keeps_what_was_said_and_the_next_reply_is_another(make_program: MakeProgram) -> None:
    program = make_program(
        engine=ScriptedEngine([piece("Half"), Gate(), piece("lost"), END], rounds(["Whole"]))
    ).start()
    program.begin("Go")
    program.until("Half")
    with program.qtbot.waitSignal(program.application.replies.ended):
        program.qtbot.keyClick(program.window, Qt.Key.Key_Escape)
    assert (program.messages[-1].text, program.messages[-1].state) == ("Half", "stopped")
    assert program.ask("And now?").text == "Whole"
    assert program.engine.asked[1][0] == [
        Message("user", "Go"),
        Message("assistant", "Half"),
        Message("user", "And now?"),
    ]


def test_another_chat_can_be_read_while_a_reply_goes_on(make_program: MakeProgram) -> None:
    gate = Gate()
    program = make_program(engine=ScriptedEngine(rounds(["One."]), [piece("Slow"), gate, piece(" reply"), END])).start()
    program.ask("First chat?")
    first = program.application.conversation
    program.window.new_requested.emit()
    program.begin("Second chat?")
    program.until("Slow")
    second = program.application.conversation
    program.window.sidebar.chosen.emit(first.id)
    assert program.application.conversation is first
    assert program.window.header.title == "First chat?"
    assert [view.message.text for view in program.window.transcript.messages.views] == ["First chat?", "One."]
    program.begin("Not now")  # one reply at a time
    assert len(program.engine.asked) == 2 and program.window.composer.text() == "Not now"
    with program.qtbot.waitSignal(program.application.replies.ended):
        gate.set()
    assert second.messages[-1].text == "Slow reply"
    assert [message.text for message in first.messages] == ["First chat?", "One."]
    program.window.sidebar.chosen.emit(second.id)
    assert [view.message.text for view in program.window.transcript.messages.views] == ["Second chat?", "Slow reply"]
    program.window.sidebar.chosen.emit(first.id)
    assert program.window.composer.text() == "Not now"  # a question that was not sent waits in its chat


def test_a_question_that_was_not_sent_waits(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.ask("First?")
    first = program.application.conversation.id
    program.window.composer.set_text("for the first")
    program.window.new_requested.emit()
    program.window.composer.set_text("for a new one")
    program.window.sidebar.chosen.emit(first)
    assert program.window.composer.text() == "for the first"
    program.window.new_requested.emit()
    assert program.window.composer.text() == "for a new one"


def test_regenerating_replaces_the_reply(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds(["Old"]), rounds(["New"]))).start()
    old = program.ask("Again?")
    with program.qtbot.waitSignal(program.application.replies.ended):
        program.window.transcript.regenerate_requested.emit(old.id)
    assert [message.text for message in program.messages] == ["Again?", "New"]
    assert program.engine.asked[1][0] == [Message("user", "Again?")]
    program.application.close()
    assert kept(program) == {"Again?": ["Again?", "Old", "New"]}  # the version before stays


def test_the_gauges_lines_show_every_round_of_a_reply(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds(["One ", "two ", "three ", "four."]))).start()
    reply = program.ask("Count")
    points = program.window.gauges.speed_line.points
    assert len(points) > 1 and points == [moment.tokens_per_second for moment in reply.course]


def test_a_failure_is_shown_in_its_reply(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine([piece("So"), Failed("No memory.", "Use a shorter context.")])).start()
    reply = program.ask("Go")
    assert (reply.text, reply.state, reply.error) == ("So", "failed", "No memory. Use a shorter context.")


def test_after_a_refused_question_the_gauges_wait_no_more(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine([Failed("Too long.", "Shorten it.")])).start()
    program.ask("Go")
    gauges = program.window.gauges
    assert (
        "before" in gauges.speed.accessibleDescription()
        and "nothing was drafted" in gauges.acceptance.accessibleDescription()
    )
    assert gauges.figure("first") == "–"


def test_an_error_of_ours_ends_one_reply_only(make_program: MakeProgram, expected_errors: list[str]) -> None:
    expected_errors.append("the engine failed")
    program = make_program(engine=ScriptedEngine([piece("So"), KeyError("secret")], rounds(["Fine."]))).start()
    reply = program.ask("Go")
    assert reply.state == "failed" and "secret" not in reply.error
    assert program.ask("Once more").text == "Fine."


def test_left_out_turns_are_told(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine([TurnsOmitted(1954), *rounds(["Yes"])])).start()
    program.ask("Go on")
    assert "1,954" in program.banner("omitted")


def test_closing_in_the_middle_of_a_reply_stops_and_keeps_it(
    make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not wait for the end, which never comes."""
    monkeypatch.setattr(application_module, "PATIENCE_S", WAIT_MS / 1000)
    program = make_program(engine=ScriptedEngine([piece("Half a thought"), Gate(), END])).start()
    program.begin("Go")
    program.until("Half")
    program.window.close()
    assert program.engine.unloaded.is_set()
    assert not program.window.isVisible()
    history, trouble = History.open(program.chats_folder / CHATS)
    (row,) = history.conversations()
    messages = history.messages(row.id)
    history.close()
    assert trouble == ""
    assert (messages[-1].text, messages[-1].state) == ("Half a thought", "stopped")


def test_a_reply_is_saved_as_it_streams(make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies_module, "SAVE_S", 0.0)
    program = make_program(engine=ScriptedEngine([piece("Saved"), Gate(), END])).start()
    program.begin("Go")
    program.qtbot.waitUntil(lambda: kept(program).get("Go") == ["Go", "Saved"])


def test_after_a_crash_every_chat_opens_and_the_reply_is_stopped(make_program: MakeProgram) -> None:
    first = make_program()
    first.application.close()
    history = History(first.chats_folder / CHATS)
    history.create("chat", "Cut short")
    question = ChatMessage("user", "Why?")
    history.save_message("chat", question)
    history.save_message("chat", ChatMessage("assistant", "Becau", state="streaming", parent=question.id))
    history.close()
    program = make_program().start()
    program.window.sidebar.chosen.emit("chat")
    assert [(message.text, message.state) for message in program.messages] == [
        ("Why?", "finished"),
        ("Becau", "stopped"),
    ]


def test_a_damaged_file_of_chats_is_told_and_set_aside(make_program: MakeProgram) -> None:
    first = make_program()
    first.application.close()
    (first.chats_folder / CHATS).write_text("nonsense " * 1000)
    program = make_program().start()
    assert "could not be read" in program.banner("chats")
    banner = program.window.banners.banner("chats")
    assert banner is not None and not banner.buttons  # there is no backup yet
    assert program.ask("Still here?").state == "finished"


def test_a_backup_is_offered_for_a_damaged_file_of_chats(make_program: MakeProgram) -> None:
    first = make_program().start()
    first.ask("Hello?")
    first.application.close()
    assert back_up(first.chats_folder / CHATS, 0.0)
    (first.chats_folder / CHATS).write_text("nonsense " * 1000)
    program = make_program().start()
    program.press_in_banner("chats", "Restore a backup…")
    (dialog,) = program.window.findChildren(RestoreDialog)
    dialog.reject()
    assert program.window.banners.banner("chats") is not None, "who declines may think better of it"
    program.press_in_banner("chats", "Restore a backup…")
    dialog = program.window.findChildren(RestoreDialog)[-1]
    with program.qtbot.waitSignal(program.application.transfer.restored, timeout=WAIT_MS):
        dialog.button.click()
    assert program.window.banners.banner("chats") is None
    assert [row.title for row in program.application.chats.rows()]


def test_a_chat_that_cannot_be_read_is_told(make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    program = make_program().start()
    program.ask("Fine?")

    def broken(identifier: str) -> None:
        raise sqlite3.DatabaseError("malformed")

    monkeypatch.setattr(program.application.chats, "conversation", broken)
    program.window.sidebar.chosen.emit("another")
    assert "cannot be read" in program.banner("chats")
    program.press_in_banner("chats", "Restore a backup…")
    (dialog,) = program.window.findChildren(RestoreDialog)
    dialog.reject()


def test_deleting_a_chat_can_be_undone(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.ask("Keep me?")
    identifier = program.application.conversation.id
    program.window.sidebar.delete_requested.emit(identifier)
    assert program.messages == [] and program.window.sidebar.titles() == []
    program.press_in_banner("undo", "Undo")
    assert program.application.conversation.id == identifier
    assert program.window.sidebar.titles() == ["Today", "Keep me?"]
    assert program.banner("undo") == ""


def test_deleting_the_chat_that_replies_stops_it(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine([piece("Half"), Gate(), END])).start()
    program.begin("Go")
    program.until("Half")
    with program.qtbot.waitSignal(program.application.replies.ended):
        program.window.sidebar.delete_requested.emit(program.application.conversation.id)
    assert not program.application.replying


def test_renaming_and_searching(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.ask("Apples?")
    apples = program.application.conversation.id
    program.window.new_requested.emit()
    program.ask("Pears?")
    program.window.sidebar.renamed.emit(apples, "Oranges")
    assert program.window.sidebar.titles() == ["Today", "Pears?", "Oranges"]
    program.window.sidebar.renamed.emit(apples, "")  # an empty name changes nothing
    assert program.window.sidebar.titles() == ["Today", "Pears?", "Oranges"]
    with program.qtbot.waitSignal(program.window.sidebar.search_changed):
        program.window.sidebar.search.setText("oran")
    assert program.window.sidebar.titles() == ["In titles", "Oranges"]


def test_renaming_with_the_keyboard_tells_it_once(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.ask("Apples?")
    renamed: list[str] = []
    sidebar = program.window.sidebar
    sidebar.renamed.connect(lambda _, title: renamed.append(title))
    sidebar.rename_current()
    field = sidebar.list.findChild(QLineEdit)
    assert field is not None
    field.setText("Oranges")
    with program.qtbot.waitSignal(sidebar.renamed):
        program.qtbot.keyClick(field, Qt.Key.Key_Return)
    assert renamed == ["Oranges"] and sidebar.titles() == ["Today", "Oranges"]


def test_copying_the_last_reply(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds(["Copy", " me"]))).start()
    program.window.copy_requested.emit()
    program.ask("Go")
    program.window.copy_requested.emit()
    assert QGuiApplication.clipboard().text() == "Copy me"


def test_an_example_is_asked_at_once(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = make_program().start()
    with qtbot.waitSignal(program.application.replies.ended):
        program.window.transcript.example_chosen.emit("Explain why the sky is blue.")
    assert program.messages[0].text == "Explain why the sky is blue."


def test_dark_and_light(make_program: MakeProgram) -> None:
    program = make_program().start()
    for appearance in ("dark", "light"):
        program.application.change_settings(program.application.settings.with_value("appearance", appearance))
        ground = program.window.palette().window().color().lightness()
        assert (ground < 128) == (appearance == "dark")


def test_no_thread_but_the_window_touches_it(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.ask("Go")
    assert threading.get_ident() not in program.engine.threads


def test_no_timer_goes_on_after_the_window_is_closed(make_program: MakeProgram) -> None:
    """It would call parts that are gone, as in a program that was opened again in another language."""
    before = {id(timer) for timer in _active_timers()}
    program = make_program(engine=ScriptedEngine(rounds(["One."]))).start()
    program.ask("A question")
    program.application.window.close()
    left = [timer.parent() for timer in _active_timers() if id(timer) not in before]
    assert [parent for parent in left if not isinstance(parent, QWidget)] == []


def _active_timers() -> list[QTimer]:
    timers = [one for one in gc.get_objects() if issubclass(type(one), QTimer)]  # isinstance would wake lazy objects
    return [one for one in timers if isValid(one) and one.isActive()]
