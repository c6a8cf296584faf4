"""What drafts may learn of past chats: which texts, when, and what leaves again."""

from pathlib import Path

import pytest

import app.past_learning as past_learning
from app.attachments import Attachment
from app.chat_message import ChatMessage
from app.history import ConversationRow, History
from app.own_questions import own_questions
from app.past_texts import past_texts
from app.views.figures import THIN
from app.views.route_words import past_words
from inference.errors import UserError
from inference.profiles import Past
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS, Program
from tests.app.scripted_engine import Gate, ScriptedEngine, rounds


def test_nothing_of_private_or_deleted_chats_is_read(tmp_path: Path) -> None:
    path = tmp_path / "chats.sqlite"
    history, _ = History.open(path)
    for chat in ("open", "private", "deleted"):
        history.create(chat, chat)
        asked = ChatMessage("user", f"{chat} question", attachments=(Attachment("a.txt", f"{chat} file"),))
        history.save_message(chat, asked)
        history.save_message(chat, ChatMessage("assistant", f"{chat} answer", parent=asked.id))
    history.set_private("private", True)
    history.delete("deleted")
    assert list(past_texts(path)) == ["open answer", "open question", "open file"]
    assert own_questions(path) == ["open question"]
    row = history.conversations()[0]
    assert {row.id: row.private for row in history.conversations()} == {"open": False, "private": True}
    assert isinstance(row, ConversationRow)
    history.close()
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(b"not a database, but long enough to be looked at" * 50)
    with pytest.raises(UserError, match="cannot be learned from"):
        list(past_texts(damaged))


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past_learning, "IDLE_MS", 0)


def texts(program: Program) -> list[str]:
    return program.engine.past or []


def wait_for(program: Program, *expected: str) -> None:
    program.qtbot.waitUntil(lambda: texts(program) == list(expected), timeout=WAIT_MS)


def test_it_learns_when_a_reply_ends_and_forgets_what_is_deleted(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds(["Four", "."]))).start()
    program.ask("Two and two?")
    wait_for(program, "Four.", "Two and two?")
    program.qtbot.waitUntil(lambda: program.application.past.past is not None, timeout=WAIT_MS)
    program.application.chatting.new_chat()
    program.ask("And again?")
    wait_for(program, "Four.", "And again?", "Four.", "Two and two?")
    first, second = program.application.chats.rows()[1].id, program.application.chats.rows()[0].id
    program.window.sidebar.private_requested.emit(second, True)
    wait_for(program, "Four.", "Two and two?")
    assert program.application.chats.rows()[0].private
    program.window.sidebar.delete_requested.emit(first)
    wait_for(program)


def test_a_question_puts_it_off(make_program: MakeProgram) -> None:
    gate = Gate()
    program = make_program(engine=ScriptedEngine([*rounds(["x"])[:-1], gate, *rounds(["x"])[-1:]])).start()
    program.engine.past = None
    program.begin("Hello?")
    program.until("x")
    program.application.past.consider()
    program.application.past._ask()
    assert program.engine.past is None
    with program.qtbot.waitSignal(program.application.replies.ended, timeout=WAIT_MS):
        gate.set()
    wait_for(program, "x", "Hello?")


def test_switched_off_it_forgets_everything(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.ask("Hello?")
    program.qtbot.waitUntil(lambda: len(texts(program)) == 2, timeout=WAIT_MS)
    kept = program.chats_folder / past_learning.FOLDER / "learned"
    program.qtbot.waitUntil(kept.exists, timeout=WAIT_MS)
    application = program.application
    application.change_settings(application.settings.with_value("learn_from_chats", False))
    program.qtbot.waitUntil(lambda: program.engine.past is None and not kept.exists(), timeout=WAIT_MS)
    program.qtbot.waitUntil(lambda: application.past.past is None, timeout=WAIT_MS)


def test_the_table_says_what_past_chats_give() -> None:
    assert past_words(Past(0, 0)) == "There are no past chats to draft from yet."
    assert past_words(Past(3, 1234)) == "N-gram drafts also come from 3 past texts (1,234 tokens)."
    words = past_words(Past(3, 9, 40, 30)).replace(THIN, " ")
    assert words.endswith("Of 40 tokens drafted from them since the model was loaded, 75 % stood.")
