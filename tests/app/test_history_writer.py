import threading
from pathlib import Path

import pytest

from app.chat_message import ChatMessage
from app.history import History
from app.history_writer import HistoryWriter
from inference.events import Piece
from tests.patience import WAIT_S


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chats.sqlite"


def read(path: Path) -> list[ChatMessage]:
    history = History(path)
    messages = history.messages("chat")
    history.close()
    return messages


def test_changes_are_made_in_order_and_closing_waits_for_them(path: Path) -> None:
    writer = HistoryWriter(path, pytest.fail)
    writer.do(History.create, "chat", "Sky")
    reply = ChatMessage("assistant", state="streaming")
    for index in range(200):
        reply.append(Piece(f"{index} ", "plain", index))
        writer.save("chat", reply)
    reply.state = "finished"
    writer.save("chat", reply)
    writer.close()
    assert read(path) == [reply]


def test_the_message_is_written_as_it_was_when_it_was_saved(path: Path) -> None:
    writer = HistoryWriter(path, pytest.fail)
    held, entered = threading.Event(), threading.Event()

    def hold(_: History) -> None:
        entered.set()
        held.wait(WAIT_S)

    writer.do(History.create, "chat", "Sky")
    writer.do(hold)
    assert entered.wait(WAIT_S)
    reply = ChatMessage("assistant", state="streaming")
    reply.append(Piece("saved", "plain", 0))
    writer.save("chat", reply)
    reply.append(Piece(" not saved", "plain", 1))
    held.set()
    writer.close()
    (message,) = read(path)
    assert message.text == "saved" and len(message.runs) == 1


def test_a_change_that_fails_is_told_and_the_next_one_is_made(path: Path) -> None:
    told: list[str] = []
    writer = HistoryWriter(path, told.append)
    writer.save("no such chat", ChatMessage("user", "lost"))
    writer.do(History.create, "chat", "Sky")
    writer.save("chat", ChatMessage("user", "kept"))
    writer.flush()
    writer.close()
    assert len(told) == 1 and "FOREIGN KEY" in told[0]
    assert [message.text for message in read(path)] == ["kept"]
