"""The whole window with a scripted engine."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot
from qasync import QEventLoop

from app import folder_dialog
from app import replies as replies_module
from app.chat_message import ChatMessage
from app.chats import FILE
from app.history import History
from app.signals import first_of
from inference.errors import UserError
from inference.events import Delta, Failed, Finished, LoadProgress, Piece, TurnsOmitted
from inference.messages import Message
from inference.statistics import ReplyStatistics
from tests.app.program import Program
from tests.app.scripted_engine import Gate, ScriptedEngine, ScriptedStore, rounds

MakeProgram = Callable[..., Program]
END = Finished("end", ReplyStatistics())


def piece(text: str) -> Delta:
    return Delta((Piece(text, "plain", 1),))


def kept(program: Program) -> dict[str, list[str]]:
    """What is on the disk, by title."""
    history = History(program.chats_folder / FILE)
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
    program = make_program(engine=ScriptedEngine([TurnsOmitted(4), *rounds(["Yes"])])).start()
    program.ask("Go on")
    assert "4" in program.banner("omitted")


def test_closing_in_the_middle_of_a_reply_is_quick_and_keeps_it(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine([piece("Half a thought"), Gate(), END])).start()
    program.begin("Go")
    program.until("Half")
    began = monotonic()
    program.window.close()
    assert monotonic() - began < 2.0
    assert program.engine.unloaded.is_set()
    assert not program.window.isVisible()
    history, trouble = History.open(program.chats_folder / FILE)
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
    history = History(first.chats_folder / FILE)
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
    (first.chats_folder / FILE).write_text("nonsense " * 1000)
    program = make_program().start()
    assert "could not be read" in program.banner("chats")
    assert program.ask("Still here?").state == "finished"


def test_a_chat_that_cannot_be_read_is_told(make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    program = make_program().start()
    program.ask("Fine?")

    def broken(identifier: str) -> None:
        raise sqlite3.DatabaseError("malformed")

    monkeypatch.setattr(program.application.chats, "conversation", broken)
    program.window.sidebar.chosen.emit("another")
    assert "cannot be read" in program.banner("chats")


def test_without_a_model_the_window_says_so_and_offers_a_folder(make_program: MakeProgram) -> None:
    store = ScriptedStore(error=UserError("The starter model could not be fetched: there is no network.", "Connect."))
    program = make_program(store=store).start_failing()
    assert "no network" in program.banner("load failed")
    program.begin("Anyone?")
    assert program.engine.asked == [] and program.window.composer.text() == "Anyone?"
    store.error = None
    with program.qtbot.waitSignal(program.application.model_ready):
        program.press_in_banner("load failed", "Try again")
    assert program.banner("load failed") == ""
    program.window.composer.button.click()
    program.qtbot.waitUntil(lambda: len(program.engine.asked) == 1)


def test_opening_a_folder(
    make_program: MakeProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, event_loop: QEventLoop
) -> None:
    program = make_program(store=ScriptedStore(error=UserError("No network."))).start_failing()
    folder = tmp_path / "模型"
    chosen: list[Path | None] = [None, folder]
    asked = []

    async def choose(parent: object, title: str) -> Path | None:
        asked.append(title)
        return chosen.pop(0)

    monkeypatch.setattr(folder_dialog, "choose_folder", choose)

    async def act() -> None:
        program.window.open_folder_requested.emit()  # the person changes their mind
        await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})
        program.press_in_banner("load failed", "Open a folder…")
        await first_of(program.application.loader.failed)

    event_loop.run_until_complete(act())
    assert len(asked) == 2
    assert "holds no model" in program.banner("load failed")
    assert program.settings_file.read()[0].model == ""
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    with program.qtbot.waitSignal(program.application.model_ready):
        program.press_in_banner("load failed", "Try again")
    assert program.settings_file.read()[0].model == str(folder)
    assert program.window.header.model_button.text() == "模型"


def test_loading_tells_what_how_much_and_how_long(make_program: MakeProgram) -> None:
    gate = Gate()
    store = ScriptedStore(LoadProgress("download", 34_000_000, 98_000_000, "SmolLM2"), gate)
    program = make_program(store=store)
    program.application.start()
    program.qtbot.waitUntil(lambda: program.banner("loading") == "Downloading SmolLM2 34 of 98 MB")
    assert program.window.composer.editor.placeholderText() == "The model is being loaded…"
    with program.qtbot.waitSignal(program.application.model_ready):
        gate.set()
    assert program.banner("loading") == ""


def test_the_other_model_stays_when_a_folder_holds_none(make_program: MakeProgram, tmp_path: Path) -> None:
    program = make_program().start()
    name = program.window.header.model_button.text()
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.application.load(str(tmp_path))
    assert program.window.header.model_button.text() == name
    assert program.ask("Still there?").state == "finished"


def test_a_model_that_fails_to_load_leaves_none(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.engine.loading = [UserError("Too big.")]
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.application.load("")
    assert program.window.header.model_button.text() == "No model"
    program.begin("Hello?")
    assert program.engine.asked == []


def test_unloading_gives_the_memory_back(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.window.header.unload_requested.emit()
    assert program.window.header.model_button.text() == "No model"
    program.qtbot.waitUntil(lambda: program.engine.target is None)
    program.begin("Hello?")
    assert program.engine.asked == []
    with program.qtbot.waitSignal(program.application.model_ready):
        program.window.header.model_chosen.emit("SmolLM2-135M-Instruct")
    assert program.ask("Hello?").state == "finished"


def test_choosing_another_model_ends_the_load_before(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    program = make_program(store=ScriptedStore(Gate()))
    program.application.start()
    with program.qtbot.waitSignal(program.application.model_ready):
        program.application.load(str(tmp_path))
    assert program.window.header.model_button.text() == tmp_path.name
    assert program.banner("load failed") == ""


def test_deleting_a_chat_can_be_undone(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.ask("Keep me?")
    identifier = program.application.conversation.id
    program.window.sidebar.delete_requested.emit(identifier)
    assert program.messages == [] and program.window.sidebar.titles() == []
    program.press_in_banner("deleted " + identifier, "Undo")
    assert program.application.conversation.id == identifier
    assert program.window.sidebar.titles() == ["Today", "Keep me?"]
    assert program.banner("deleted " + identifier) == ""


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
