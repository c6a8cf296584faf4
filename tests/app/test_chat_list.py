"""Searching, folders, presets, titles and the keyboard in the list of chats, in the running program."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from app.history import History
from app.search import Hit
from app.views.chat_list_model import Group
from inference.manager.paths import CHATS
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS, Program
from tests.app.scripted_engine import Gate, ScriptedEngine, Step, rounds
from tests.app.test_conversations import END, piece, texts


def test_searching_finds_messages_and_jumps_to_them(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds(["因为瑞利散射。"]), rounds(["Mostly nitrogen."]))).start()
    reply = program.ask("天空为什么是蓝色的？")
    chat = program.application.conversation.id
    program.window.transcript.edited.emit(reply.id, "Because.")
    program.window.new_requested.emit()
    program.ask("What is air?")
    program.application.chats.flush()
    sidebar = program.window.sidebar
    program.qtbot.waitUntil(lambda: _found(program, "散射") == [reply.id])
    with program.qtbot.waitSignal(program.application.searcher.found) as found:
        sidebar.search.setText("散射")
    (hit,) = found.args[1]
    assert isinstance(hit, Hit) and hit.conversation == chat
    program.qtbot.waitUntil(lambda: sidebar.titles() == ["In messages", "天空为什么是蓝色的？"])
    sidebar.go(1)
    assert program.application.conversation.id == chat
    assert texts(program) == ["天空为什么是蓝色的？", "因为瑞利散射。"]  # the version that has it
    assert program.window.transcript.messages.views[1].selection.text() == "散射"
    sidebar.search.setText("no such words")
    program.qtbot.waitUntil(lambda: sidebar.titles() == [])
    sidebar.search.clear()
    program.qtbot.waitUntil(lambda: len(sidebar.titles()) == 3)


def _found(program: Program, words: str) -> list[str]:
    history = History(program.chats_folder / CHATS)
    found = [hit.message for hit in history.find(words)]
    history.close()
    return found


def test_pins_and_folders(make_program: MakeProgram) -> None:
    program = make_program().start()
    chats = {}
    for title in ("Apples?", "Pears?", "Plums?"):
        program.ask(title)
        chats[title] = program.application.conversation.id
        program.window.new_requested.emit()
    sidebar = program.window.sidebar
    sidebar.pin_requested.emit(chats["Pears?"], True)
    sidebar.folder_requested.emit(chats["Apples?"], "Fruit")
    expected = ["Pinned", "Pears?", "Fruit", "Apples?", "Today", "Plums?"]
    assert sidebar.titles() == expected
    program.application.close()
    program = make_program().start()
    sidebar = program.window.sidebar
    assert sidebar.titles() == expected
    folder = program.application.chats.folders()[0].id
    sidebar.list.heading_pressed.emit(folder)
    assert sidebar.titles() == ["Pinned", "Pears?", "Fruit", "Today", "Plums?"]
    sidebar.folder_renamed.emit(folder, "Obst")
    sidebar.list.heading_pressed.emit(folder)
    sidebar.pin_requested.emit(chats["Pears?"], False)
    assert sidebar.titles() == ["Obst", "Apples?", "Today", "Plums?", "Pears?"]
    sidebar.folder_remove_requested.emit(folder)
    assert sidebar.titles() == ["Today", "Plums?", "Pears?", "Apples?"]


def test_a_chat_that_is_dropped_stays_where_it_was_dropped(make_program: MakeProgram) -> None:
    program = make_program().start()
    for title in ("Apples?", "Pears?"):
        program.ask(title)
        program.window.new_requested.emit()
    sidebar, chats = program.window.sidebar, program.application.chats
    identifiers = {row.title: row.id for row in chats.rows()}
    folder = chats.add_folder("Fruit").id
    pears, apples = identifiers["Pears?"], identifiers["Apples?"]
    sidebar.dropped.emit(apples, Group(folder))
    assert sidebar.titles() == ["Fruit", "Apples?", "Today", "Pears?"]
    sidebar.dropped.emit(apples, Group(pinned=True))
    assert sidebar.titles() == ["Pinned", "Apples?", "Fruit", "Today", "Pears?"]  # the folder stays, though empty
    sidebar.dropped.emit(pears, Group(folder))
    sidebar.dropped.emit(apples, Group(folder))
    sidebar.dropped.emit("no such chat", Group(folder))
    assert sidebar.titles() == ["Fruit", "Pears?", "Apples?"]
    sidebar.dropped.emit(pears, Group())
    expected = ["Fruit", "Apples?", "Today", "Pears?"]
    assert sidebar.titles() == expected
    program.application.close()
    assert make_program().start().window.sidebar.titles() == expected


def test_a_preset_holds_in_its_chat_alone(make_program: MakeProgram) -> None:
    program = make_program().start()
    button = program.window.composer.presets
    program.ask("First?")
    first = program.application.conversation.id
    button.chosen.emit("Code")
    program.ask("Code?")
    messages, settings = program.engine.asked[-1]
    assert messages[0].role == "system" and "programmer" in messages[0].content
    assert settings.sampling.temperature == 0.2 and button.text() == "Code"
    panel = program.window.settings_panel
    panel.changed.emit(panel.settings.with_value("temperature", 0.4).with_value("seed", 7))
    assert button.text() == "Code *" and panel.settings.temperature == 0.4
    assert program.settings_file.read()[0].temperature == 0.7 and program.settings_file.read()[0].seed == 7
    button.save_requested.emit("Mine")
    program.window.new_requested.emit()
    program.ask("Second?")
    assert program.engine.asked[-1][1].sampling.temperature == 0.7 and button.text() == "Preset"
    program.application.close()
    again = make_program().start()
    again.window.sidebar.chosen.emit(first)
    button = again.window.composer.presets
    assert button.text() == "Mine" and again.window.settings_panel.settings.temperature == 0.4
    button.remove_requested.emit("Mine")
    assert again.window.settings_panel.settings.temperature == 0.4  # the chat keeps what it had
    button.chosen.emit("")
    assert again.window.settings_panel.settings.temperature == 0.7


def test_the_model_names_the_chat_when_it_is_idle(make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.title_maker.IDLE_MS", 0)
    title: list[Step] = [piece('"Blue skies."\n'), END]
    program = make_program(engine=ScriptedEngine(rounds(["Because."]), title)).start()
    program.application.titles._timer.setInterval(0)
    with program.qtbot.waitSignal(program.application.titles.titled):
        program.ask("Why is the sky blue, and not green or red?")
    assert program.window.sidebar.titles() == ["Today", "Blue skies"]
    assert program.window.header.title == "Blue skies"
    assert len(program.messages) == 2


def test_a_chat_whose_reply_was_stopped_gets_its_title_too(make_program: MakeProgram) -> None:
    engine = ScriptedEngine([piece("Because"), Gate()], [piece("Blue skies"), END])
    program = make_program(engine=engine).start()
    program.application.titles._timer.setInterval(0)
    program.begin("Why is the sky blue, and not green or red?")
    program.until("Because")
    with program.qtbot.waitSignal(program.application.titles.titled):
        program.window.stop_requested.emit()
    assert program.window.header.title == "Blue skies"


def test_a_question_comes_before_a_title(make_program: MakeProgram) -> None:
    gate = Gate()
    engine = ScriptedEngine(rounds(["One."]), [piece("Half a ti"), gate, END], rounds(["Two."]))
    program = make_program(engine=engine).start()
    program.application.titles._timer.setInterval(0)
    program.ask("First?")
    program.qtbot.waitUntil(lambda: len(engine.asked) == 2)
    assert program.ask("Second?").text == "Two."
    assert program.window.sidebar.titles() == ["Today", "First?"]


def test_import_export_and_restore_in_the_window(make_program: MakeProgram, tmp_path: Path) -> None:
    program = make_program().start()
    program.ask("Mine?")
    chat = {"messages": [{"role": "user", "content": f"Question {n}?"} for n in range(3)]}
    (tmp_path / "in.jsonl").write_text(json.dumps(chat) + "\nbroken\n")
    with program.qtbot.waitSignal(program.application.transfer.imported):
        dialog = program.application.transfer.import_from([tmp_path / "in.jsonl"])
    assert dialog.counts.text().startswith("New chats: 1, new messages: 3.")
    assert [dialog.skipped.item(0).text().split(":")[0]] == ["in.jsonl, line 2"]
    assert (
        sorted(program.window.sidebar.titles()) == ["Earlier", "Mine?", "Question 0?", "Today"]
        or len(program.window.sidebar.titles()) >= 3
    )
    dialog.close()
    transfer = program.application.transfer
    identifiers = [row.id for row in program.application.chats.rows()]
    transfer.export(identifiers, "json", tmp_path / "out.json")
    program.qtbot.waitUntil(lambda: "2 chats were exported" in program.banner("transfer"))
    transfer.export(identifiers[:1], "json", tmp_path / "one.json")
    program.qtbot.waitUntil(lambda: "The chat was exported to one.json" in program.banner("transfer"))
    assert len(json.loads((tmp_path / "out.json").read_text())["chats"]) == 2
    with program.qtbot.waitSignal(transfer.restored):
        transfer.back_up_if_due()
        program.qtbot.waitUntil(lambda: any((program.chats_folder / "backups").glob("chats-2*")))
        program.ask("Lost?")
        (backup,) = (program.chats_folder / "backups").glob("chats-2*")
        transfer.restore(backup)
    assert texts(program) == []
    assert len(program.application.chats.rows()) == 2
    program.ask("Still here?")
    assert len(program.application.chats.rows()) == 3


def test_the_keyboard_stays_with_the_chats_after_renaming(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = make_program().start()
    program.ask("Why?")
    qtbot.waitUntil(program.window.isActiveWindow, timeout=WAIT_MS)
    chats = program.window.sidebar.list
    program.window.sidebar.rename_current()
    editor = chats.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    editor.setText("Better")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: program.window.sidebar.titles()[-1] == "Better", timeout=WAIT_MS)
    assert QApplication.focusWidget() is chats


def test_who_passes_by_with_tab_chooses_no_chat(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.ask("First?")
    first = program.application.conversation.id
    program.window.new_requested.emit()
    program.window.composer.set_text("Half a question")
    chats = program.window.sidebar.list
    program.window.activateWindow()
    chats.setFocus(Qt.FocusReason.TabFocusReason)
    program.qtbot.waitUntil(chats.hasFocus)
    assert program.messages == [] and program.window.composer.text() == "Half a question" and chats.current == ""
    program.qtbot.keyClick(chats, Qt.Key.Key_Down)
    assert program.application.conversation.id == first


def test_home_goes_to_the_first_chat_below_the_heading(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.ask("First?")
    first = program.application.conversation.id
    program.window.new_requested.emit()
    program.ask("Second?")
    second = program.application.conversation.id
    chats = program.window.sidebar.list
    program.qtbot.waitUntil(lambda: chats.current == second)
    program.qtbot.keyClick(chats, Qt.Key.Key_End)
    assert program.application.conversation.id == first
    program.qtbot.keyClick(chats, Qt.Key.Key_Home)
    assert program.application.conversation.id == second


def test_a_new_name_leaves_the_chat_where_it_is(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.ask("First?")
    first = program.application.conversation.id
    program.window.new_requested.emit()
    program.ask("Second?")
    program.window.sidebar.chosen.emit(first)
    program.window.activateWindow()
    sidebar = program.window.sidebar
    sidebar.rename_current()
    field = sidebar.list.findChild(QLineEdit)
    assert field is not None
    program.qtbot.keyClicks(field, "Named")
    program.qtbot.keyClick(field, Qt.Key.Key_Return)
    program.qtbot.waitUntil(lambda: sidebar.titles() == ["Today", "Second?", "Named"])
    assert program.application.conversation.id == first and program.window.header.title == "Named"
    assert sidebar.list.hasFocus() and sidebar.list.current == first
