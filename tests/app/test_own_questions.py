"""The person's own questions, as training may read them: read-only, and without what was deleted."""

from pathlib import Path

import pytest

from app.chat_message import ChatMessage
from app.history import History
from app.own_questions import own_questions
from inference.errors import UserError


def made(path: Path) -> History:
    history, trouble = History.open(path)
    assert not trouble
    return history


def test_only_questions_of_chats_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "chats.sqlite"
    history = made(path)
    for chat, question in (("kept", "What is a quill?"), ("deleted", "What is a secret?")):
        history.create(chat, chat)
        asked = ChatMessage("user", question)
        history.save_message(chat, asked)
        history.save_message(chat, ChatMessage("assistant", "An answer.", parent=asked.id))
    history.delete("deleted")
    assert own_questions(path) == ["What is a quill?"]  # also while the program has the file open
    history.close()


def test_no_chats_no_questions(tmp_path: Path) -> None:
    assert own_questions(tmp_path / "chats.sqlite") == []
    assert not list(tmp_path.iterdir())


def test_a_damaged_file_is_said_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "chats.sqlite"
    path.write_bytes(b"not a database, but long enough to be looked at" * 50)
    with pytest.raises(UserError, match="cannot be read"):
        own_questions(path)
    assert path.read_bytes().startswith(b"not a database")
