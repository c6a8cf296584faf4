"""Whatever is deleted comes back as it was: messages with their versions, chats, folders, presets."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.history import History
from app.undoing import BANNER
from tests.app.conftest import MakeProgram
from tests.app.program import Program
from tests.app.scripted_engine import Gate, ScriptedEngine, rounds
from tests.app.test_conversations import piece


def undo(program: Program) -> None:
    program.press_in_banner(BANNER, "Undo")


def outline(program: Program) -> list[tuple[str, str, bool]]:
    """Every message of the chat that is shown: its text, what it follows, whether it is shown."""
    tree = program.application.conversation.tree
    shown = {message.id for message in tree.path}

    def below(parent: str) -> Iterator[tuple[str, str, bool]]:
        for child in tree.children(parent):
            yield tree[child].text, tree[parent].text if parent else "", child in shown
            yield from below(child)

    return list(below(""))


def branched(program: Program) -> None:
    """First?, then One. and Other. as versions; Second? after each, with its reply."""
    reply = program.ask("First?")
    program.ask("Second?")
    with program.qtbot.waitSignal(program.application.replies.ended):
        program.window.transcript.regenerate_requested.emit(reply.id)
    program.ask("Third?")
    program.window.transcript.version_requested.emit(program.messages[1].id, -1)


@pytest.fixture
def program(make_program: MakeProgram) -> Program:
    engine = ScriptedEngine(*(rounds([f"Reply {number}."]) for number in range(1, 9)))
    program = make_program(engine=engine).start()
    branched(program)
    return program


@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_a_deleted_message_comes_back_with_its_versions(
    program: Program, make_program: MakeProgram, place: int
) -> None:
    before, chat = outline(program), program.application.conversation.id
    assert len(before) == 7
    program.window.transcript.delete_requested.emit(program.messages[place].id)
    assert outline(program) != before
    undo(program)
    assert outline(program) == before
    assert program.banner(BANNER) == ""
    program.application.close()
    again = make_program().start()
    again.window.sidebar.chosen.emit(chat)
    assert outline(again) == before


def test_several_deletions_come_back_in_the_opposite_order(program: Program) -> None:
    before = outline(program)
    for _ in range(4):
        program.window.transcript.delete_requested.emit(program.messages[0].id)
    assert "3 before it" in program.banner(BANNER)
    for _ in range(4):
        undo(program)
    assert outline(program) == before
    assert program.banner(BANNER) == ""


def test_it_can_be_undone_from_another_chat(program: Program) -> None:
    before, chat = outline(program), program.application.conversation.id
    program.window.transcript.delete_requested.emit(program.messages[1].id)
    program.window.new_requested.emit()
    program.ask("Elsewhere?")
    undo(program)
    assert program.application.conversation.id == chat and outline(program) == before


def test_it_is_shown_again_though_another_version_was_chosen_meanwhile(program: Program) -> None:
    program.window.transcript.edited.emit(program.messages[0].id, "Otherwise?")
    program.qtbot.waitUntil(lambda: not program.application.replying)
    program.window.transcript.version_requested.emit(program.messages[0].id, -1)
    before, last = outline(program), program.messages[-1].id
    program.window.transcript.delete_requested.emit(last)
    program.window.transcript.version_requested.emit(program.messages[0].id, 1)
    assert program.messages[0].text == "Otherwise?"
    undo(program)
    assert outline(program) == before and program.messages[-1].id == last


def test_a_chat_that_goes_on_keeps_its_deletions(program: Program) -> None:
    program.window.transcript.delete_requested.emit(program.messages[-1].id)
    program.ask("On?")
    assert program.banner(BANNER) == ""
    program.window.undo_requested.emit()
    assert [message.text for message in program.messages][-2] == "On?"


def test_a_message_and_then_its_chat(program: Program) -> None:
    before, chat = outline(program), program.application.conversation.id
    program.window.transcript.delete_requested.emit(program.messages[2].id)
    program.window.composer.set_text("Half a question")
    program.window.sidebar.delete_requested.emit(chat)
    assert program.window.sidebar.titles() == []
    undo(program)
    assert program.application.conversation.id == chat
    assert program.window.composer.text() == "Half a question"
    undo(program)
    assert outline(program) == before


def test_a_folder_comes_back_with_its_chats(program: Program, make_program: MakeProgram) -> None:
    sidebar, chat = program.window.sidebar, program.application.conversation.id
    sidebar.folder_requested.emit(chat, "Fruit & more")
    titles = sidebar.titles()
    (folder,) = program.application.chats.folders()
    sidebar.folder_remove_requested.emit(folder.id)
    assert sidebar.titles() != titles and "Fruit & more" in program.banner(BANNER)
    undo(program)
    assert sidebar.titles() == titles
    program.application.close()
    assert make_program().start().window.sidebar.titles() == titles


def in_a_folder(program: Program) -> str:
    """The chat that is shown, one more, and a pinned one; the folder's id."""
    sidebar, chats = program.window.sidebar, [program.application.conversation.id]
    for title in ("Pears?", "Plums?"):
        program.window.new_requested.emit()
        program.ask(title)
        chats.append(program.application.conversation.id)
    for chat in chats:
        sidebar.folder_requested.emit(chat, "Fruit & more")
    sidebar.pin_requested.emit(chats[-1], True)
    sidebar.chosen.emit(chats[0])
    assert sidebar.titles() == ["Pinned", "Plums?", "Fruit & more", "Pears?", "First?"]
    return program.application.chats.folders()[0].id


def test_a_folder_and_all_its_chats_come_back_by_one_undo(program: Program, make_program: MakeProgram) -> None:
    sidebar, chat, before = program.window.sidebar, program.application.conversation.id, outline(program)
    folder = in_a_folder(program)
    titles = sidebar.titles()
    program.window.composer.set_text("Half a question")
    sidebar.folder_delete_requested.emit(folder)
    assert sidebar.titles() == ["Pinned", "Plums?"]
    assert program.messages == [] and program.window.composer.text() == ""
    assert program.banner(BANNER).startswith('The folder "Fruit & more" and its 2 chats were deleted.')
    undo(program)
    assert sidebar.titles() == titles and program.banner(BANNER) == ""
    assert program.application.conversation.id == chat and outline(program) == before
    assert program.window.composer.text() == "Half a question"
    program.application.close()
    again = make_program().start()
    assert again.window.sidebar.titles() == titles
    again.window.sidebar.chosen.emit(chat)
    assert outline(again) == before
    again.window.sidebar.folder_delete_requested.emit(folder)
    again.application.close()
    assert make_program().start().window.sidebar.titles() == ["Pinned", "Plums?"]


def test_a_chat_elsewhere_stays_open_when_a_folder_is_deleted(program: Program) -> None:
    folder = in_a_folder(program)
    program.window.new_requested.emit()
    program.ask("Elsewhere?")
    here = program.application.conversation.id
    program.window.sidebar.folder_delete_requested.emit(folder)
    assert program.application.conversation.id == here
    undo(program)
    assert program.application.conversation.id == here


@pytest.mark.parametrize("with_chats", [False, True])
def test_a_chat_that_was_deleted_before_its_folder_comes_back_into_it(
    program: Program, make_program: MakeProgram, with_chats: bool
) -> None:
    sidebar, chat = program.window.sidebar, program.application.conversation.id
    folder = in_a_folder(program)
    titles = sidebar.titles()
    sidebar.delete_requested.emit(chat)
    (sidebar.folder_delete_requested if with_chats else sidebar.folder_remove_requested).emit(folder)
    undo(program)
    undo(program)
    assert sidebar.titles() == titles
    program.application.close()
    assert make_program().start().window.sidebar.titles() == titles


def test_a_reply_in_a_folder_that_is_deleted_is_stopped_and_kept(make_program: MakeProgram) -> None:
    engine = ScriptedEngine([piece("Half"), Gate()])
    program = make_program(engine=engine).start()
    program.begin("Why?")
    program.until("Half")
    sidebar, chat = program.window.sidebar, program.application.conversation.id
    sidebar.folder_requested.emit(chat, "Fruit")
    with program.qtbot.waitSignal(program.application.replies.ended):
        sidebar.folder_delete_requested.emit(program.application.chats.folders()[0].id)
    assert sidebar.titles() == [] and program.messages == []
    undo(program)
    assert program.application.conversation.id == chat
    assert [(message.text, message.state) for message in program.messages] == [
        ("Why?", "finished"),
        ("Half", "stopped"),
    ]


def test_a_chat_that_an_import_brought_back_is_left_alone(program: Program) -> None:
    before, chat, chats = outline(program), program.application.conversation.id, program.application.chats
    program.window.sidebar.delete_requested.emit(chat)
    chats._writer.do(History.restore, chat)
    chats.reload([chat])
    undo(program)
    assert program.window.sidebar.titles() == ["Today", "First?"]
    assert outline(program) == before


def test_the_keyboard_undoes_once_there_is_nothing_to_undo_in_the_question(program: Program, qtbot: QtBot) -> None:
    before, window = outline(program), program.window
    editor = window.composer.editor
    window.activateWindow()
    window.composer.focus()
    qtbot.waitUntil(editor.hasFocus)
    window.transcript.delete_requested.emit(program.messages[1].id)
    qtbot.keyClicks(editor, "word")
    qtbot.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.toPlainText() == "" and outline(program) != before
    qtbot.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert outline(program) == before


def test_whoever_closes_the_strip_is_done(program: Program, qtbot: QtBot) -> None:
    program.window.transcript.delete_requested.emit(program.messages[1].id)
    after = outline(program)
    banner = program.window.banners.banner(BANNER)
    assert banner is not None
    banner._close.click()
    program.window.undo_requested.emit()
    assert outline(program) == after


def test_presets_are_renamed_copied_updated_and_brought_back(program: Program, tmp_path: Path) -> None:
    button, panel = program.window.composer.presets, program.window.settings_panel
    button.save_requested.emit("Mine")
    button.rename_requested.emit("Mine", "Yours")
    assert button.text() == "Yours" and program.application.conversation.preset == "Yours"
    button.rename_requested.emit("Yours", "Code")
    assert "already a preset" in program.banner("presets") and button.text() == "Yours"
    button.duplicate_requested.emit("Yours")
    button.duplicate_requested.emit("Code")
    names = [choice.name for choice in button._choices if choice.own]
    assert names == ["Code 2", "Yours", "Yours 2"]
    panel.changed.emit(panel.settings.with_value("temperature", 0.15))
    assert button.text() == "Yours *"
    button.update_requested.emit("Yours")
    assert button.text() == "Yours"
    undo(program)
    assert button.text() == "Yours *"
    button.remove_requested.emit("Yours")
    assert [choice.name for choice in button._choices if choice.own] == ["Code 2", "Yours 2"]
    undo(program)
    assert [choice.name for choice in button._choices if choice.own] == names


def test_a_renamed_preset_is_renamed_in_every_chat(program: Program, make_program: MakeProgram) -> None:
    button, chat = program.window.composer.presets, program.application.conversation.id
    button.save_requested.emit("Mine")
    program.window.new_requested.emit()
    button.chosen.emit("Mine")
    button.rename_requested.emit("Mine", "Yours")
    assert button.text() == "Yours", "also in a chat that has no message yet"
    program.window.sidebar.chosen.emit(chat)
    assert button.text() == "Yours"
    program.application.close()
    again = make_program().start()
    again.window.sidebar.chosen.emit(chat)
    assert again.window.composer.presets.text() == "Yours"
