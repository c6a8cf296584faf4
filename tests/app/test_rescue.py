"""A damaged file of chats: what can be read of it is not lost."""

import random
import sqlite3
from pathlib import Path

import pytest

from app.chat_message import ChatMessage
from app.history import History
from app.rescue import rescue

CHATS, MESSAGES = 12, 25


def filled(path: Path) -> None:
    history = History(path)
    for chat in range(CHATS):
        history.create(f"chat {chat}", f"About {chat}")
        parent = ""
        for number in range(MESSAGES):
            message = ChatMessage("user", f"{chat}/{number} 你好 " * 30, id=f"{chat}-{number}", parent=parent)
            history.save_message(f"chat {chat}", message)
            parent = message.id
    history.close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("chats") / "chats.sqlite"
    filled(path)
    return path.read_bytes()


def test_everything_of_a_sound_file(tmp_path: Path, sound: bytes) -> None:
    damaged, target = tmp_path / "damaged.sqlite", tmp_path / "chats.sqlite"
    damaged.write_bytes(sound)
    History(target).close()
    saved = rescue(damaged, target)
    assert (saved.chats, saved.messages) == (CHATS, CHATS * MESSAGES)
    history, trouble = History.open(target)
    assert trouble == ""
    chat = history.chat("chat 3")
    assert chat is not None
    assert [(m.id, m.parent) for m in chat.messages][:2] == [("3-0", ""), ("3-1", "3-0")]
    assert chat.row.title == "About 3"
    history.close()


@pytest.mark.parametrize("seed", range(12))
def test_pages_overwritten_anywhere(tmp_path: Path, sound: bytes, seed: int) -> None:
    """Whatever is damaged, the chats open; unless it hit the first pages, most of the messages are there."""
    dice = random.Random(seed)
    pages = len(sound) // 4096
    data = bytearray(sound)
    hit = [dice.randrange(pages) for _ in range(3)]
    for page in hit:
        data[page * 4096 : (page + 1) * 4096] = dice.randbytes(4096)
    path = tmp_path / "chats.sqlite"
    path.write_bytes(data)
    history, trouble = History.open(path)
    rows = history.conversations()
    read = [history.messages(row.id) for row in rows]
    count = sum(len(messages) for messages in read)
    assert all(message.text.startswith(message.id.replace("-", "/")) for chat in read for message in chat)
    history.close()
    aside = list(tmp_path.glob("chats-damaged-*.sqlite"))
    if trouble:
        assert [one.name in trouble for one in aside] == [True]
        assert (f"{count:,} messages" in trouble) == (count > 0)
    else:
        assert not aside and count == CHATS * MESSAGES


def test_one_page_of_messages_costs_only_its_own(tmp_path: Path, sound: bytes) -> None:
    text = "7/9 你好".encode()
    page = sound.index(text) // 4096
    data = bytearray(sound)
    data[page * 4096 : (page + 1) * 4096] = b"\xff" * 4096
    path = tmp_path / "chats.sqlite"
    path.write_bytes(data)
    history, trouble = History.open(path)
    assert "Rescued" in trouble
    rows = history.conversations()
    assert len(rows) == CHATS
    count = sum(len(history.messages(row.id)) for row in rows)
    assert count >= CHATS * MESSAGES - 10
    history.close()


@pytest.mark.parametrize("content", [b"", b"nonsense" * 2000, b"SQLite format 3\x00"])
def test_what_is_no_database_gives_nothing(tmp_path: Path, content: bytes) -> None:
    damaged, target = tmp_path / "damaged.sqlite", tmp_path / "chats.sqlite"
    damaged.write_bytes(content)
    History(target).close()
    assert rescue(damaged, target).messages == 0


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_head_costs_nothing(tmp_path: Path, sound: bytes, seed: int) -> None:
    dice = random.Random(seed)
    begin = dice.choice([0, 16, 20, 60])
    path = tmp_path / "chats.sqlite"
    path.write_bytes(sound[:begin] + dice.randbytes(100 - begin) + sound[100:])
    history, trouble = History.open(path)
    assert f"Rescued from it: {CHATS * MESSAGES} messages in {CHATS} chats." in trouble
    assert len(history.conversations()) == CHATS
    history.close()
    (kept,) = tmp_path.glob("chats-damaged-*.sqlite")
    assert kept.read_bytes()[100:] == sound[100:] and not list(tmp_path.glob("rescue-*")), "it is kept as it was"
