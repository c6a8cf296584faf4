import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path

import pytest

from app.chat_message import ChatMessage, Run
from app.history import Folder, History
from app.history_schema import MIGRATIONS
from app.own_questions import own_questions
from app.past_texts import past_texts
from app.rescue import rescue
from inference.statistics import ReplyStatistics


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "数据" / "chats.sqlite"


@pytest.fixture
def history(path: Path) -> Iterator[History]:
    history, trouble = History.open(path)
    assert trouble == ""
    yield history
    history.close()


def filled(history: History, identifier: str = "chat", title: str = "Sky") -> list[ChatMessage]:
    history.create(identifier, title)
    messages = [
        ChatMessage("user", f"Why is the sky of {title} blue? 天空"),
        ChatMessage(
            "assistant",
            "Rayleigh.\x00 🙂",
            runs=[Run(8, "accepted", 1), Run(3, "bonus", 1)],
            statistics=ReplyStatistics(drafter="n-gram", proposed=4, verified_by_position=(1, 2)),
            finish_reason="end",
            model="SmolLM2",
        ),
        ChatMessage("assistant", "", state="failed", error="It broke."),
    ]
    for before, message in zip([None, *messages], messages, strict=False):
        message.parent = before.id if before else ""
        history.save_message(identifier, message)
    return messages


def test_messages_come_back_as_they_were(history: History) -> None:
    messages = filled(history)
    assert history.messages("chat") == messages
    assert history.messages("another") == []


@pytest.mark.parametrize("obstacle", ["DELETE ON folders", "UPDATE OF deleted ON conversations"])
def test_a_folder_is_deleted_with_all_its_chats_or_not_at_all(history: History, obstacle: str) -> None:
    kept = in_a_folder(history)
    history._db.execute(f"CREATE TEMP TRIGGER no BEFORE {obstacle} BEGIN SELECT RAISE(ABORT, 'no'); END")
    with pytest.raises(sqlite3.IntegrityError):
        history.delete_folder("f", ["a", "b"])
    assert state_of(history) == kept


@pytest.mark.parametrize(
    "obstacle", ["INSERT ON folders", "UPDATE OF deleted ON conversations", "UPDATE OF folder ON conversations"]
)
def test_a_folder_comes_back_with_all_its_chats_or_not_at_all(history: History, obstacle: str) -> None:
    before = in_a_folder(history)
    history.delete_folder("f", ["a", "b"])
    kept = state_of(history)
    assert kept == ([], {"c": ""})
    history._db.execute(f"CREATE TEMP TRIGGER no BEFORE {obstacle} BEGIN SELECT RAISE(ABORT, 'no'); END")
    with pytest.raises(sqlite3.IntegrityError):
        history.restore_folder(Folder("f", "Fruit"), ["a", "b"], ["a", "b", "c"])
    assert state_of(history) == kept
    history._db.execute("DROP TRIGGER no")
    history.restore_folder(Folder("f", "Fruit"), ["a", "b"], ["a", "b", "c"])
    assert state_of(history) == before


def in_a_folder(history: History) -> tuple[list[Folder], dict[str, str]]:
    history.save_folder(Folder("f", "Fruit"))
    for chat in ("a", "b", "c"):
        history.create(chat, chat)
        history.move(chat, "f")
    return state_of(history)


def state_of(history: History) -> tuple[list[Folder], dict[str, str]]:
    return history.folders(), {row.id: row.folder for row in history.conversations()}


def test_a_message_is_replaced_as_it_grows(history: History) -> None:
    history.create("chat", "Sky")
    reply = ChatMessage("assistant", "a", state="streaming")
    for text in ("ab", "abc"):
        reply.text = text
        history.save_message("chat", reply)
    assert [message.text for message in history.messages("chat")] == ["abc"]


def test_a_message_follows_one_that_is_there(history: History) -> None:
    history.create("chat", "Sky")
    history.save_message("chat", ChatMessage("user", "a"))
    with pytest.raises(sqlite3.IntegrityError):
        history.save_message("chat", ChatMessage("user", "b", parent="nobody"))
    assert [message.text for message in history.messages("chat")] == ["a"]


def test_the_newest_chat_comes_first(history: History) -> None:
    filled(history, "old", "Old")
    filled(history, "new", "New")
    assert [row.id for row in history.conversations()] == ["new", "old"]
    history.save_message("old", ChatMessage("user", "again"))
    assert [row.id for row in history.conversations()] == ["old", "new"]


def test_a_deleted_chat_can_be_restored_until_the_next_session(path: Path, history: History) -> None:
    messages = filled(history)
    history.delete("chat")
    assert history.conversations() == []
    history.restore("chat")
    assert history.messages("chat") == messages
    assert [row.id for row in history.conversations()] == ["chat"]
    history.delete("chat")
    history.close()
    again, _ = History.open(path)
    again.restore("chat")
    assert again.conversations() == [] and again.messages("chat") == []
    again.close()
    assert not any(b"Rayleigh" in file.read_bytes() for file in path.parent.iterdir())


def test_rename(history: History) -> None:
    filled(history)
    history.rename("chat", "天空")
    assert history.conversations()[0].title == "天空"


def test_a_reply_cut_off_by_a_crash_is_stopped(path: Path, history: History) -> None:
    history.create("chat", "Sky")
    history.save_message("chat", ChatMessage("assistant", "half", state="streaming"))
    history.close()
    again, _ = History.open(path)
    (message,) = again.messages("chat")
    again.close()
    assert (message.text, message.state, message.finish_reason) == ("half", "stopped", "cancelled")


def _garble(path: Path, offset: int) -> None:
    content = bytearray(path.read_bytes())
    content[offset : offset + 3000] = b"\xa5" * min(3000, len(content) - offset)
    path.write_bytes(content)


@pytest.mark.parametrize("damage", ["not a database", "header", "middle", "empty log", "cut"])
def test_a_damaged_file_is_set_aside_and_told(path: Path, history: History, damage: str) -> None:
    for number in range(30):
        filled(history, f"chat {number}")
    history.close()
    match damage:
        case "not a database":
            path.write_text("This is a letter to my landlord. " * 100)
        case "header":
            _garble(path, 0)
        case "middle":
            _garble(path, path.stat().st_size // 2)
        case "empty log":
            _garble(path, 100)
        case "cut":
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    before = path.read_bytes()
    again, trouble = History.open(path)
    try:
        assert "could not be read" in trouble
        (aside,) = path.parent.glob("*damaged*.sqlite")
        assert aside.name in trouble
        assert aside.read_bytes()[100:] == before[100:]
        assert bool(again.conversations()) == ("Rescued" in trouble) == (damage == "middle")
        filled(again)
    finally:
        again.close()


COLUMNS = {
    "conversations": ("title", "overrides", "preset"),
    "messages": ("text", "attachments", "runs", "statistics", "settings", "course", "model", "error", "finish_reason"),
}


@pytest.mark.parametrize(("table", "column"), [(table, one) for table, some in COLUMNS.items() for one in some])
def test_a_bad_spot_in_a_row_costs_no_more_than_itself(
    path: Path, history: History, table: str, column: str, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLite does not look into its rows: such a file is sound to it."""
    said = filled(history)
    history.close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE {table} SET {column} = CAST(X'5B57686F2061736B733FFF' AS TEXT)")  # [Who asks? and no text
    again, trouble = History.open(path)
    try:
        assert not trouble
        (row,) = again.conversations()
        stored = again.chat(row.id)
        assert stored is not None
        assert [message.id for message in stored.messages] == [message.id for message in said]
        for message in stored.messages:
            assert all(getattr(message, one.name) is not ... for one in fields(message))
        again.index_some()
        again.find("asks")
        assert list(past_texts(path)) and own_questions(path)
        target = path.with_name("target.sqlite")
        History(target).close()
        assert rescue(path, target).messages == len(said)
    finally:
        again.close()
    assert "asks" not in caplog.text.casefold()


def test_a_file_from_a_newer_foreword_is_kept(path: Path, history: History) -> None:
    filled(history)
    history.close()
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()
    again, trouble = History.open(path)
    again.close()
    assert trouble
    (aside,) = path.parent.glob("*damaged*.sqlite")
    db = sqlite3.connect(aside)
    assert db.execute("SELECT count(*) FROM messages").fetchone() == (3,)
    db.close()


def test_a_folder_that_cannot_be_written_is_not_taken_for_damage(tmp_path: Path) -> None:
    (tmp_path / "chats.sqlite").mkdir()
    with pytest.raises(sqlite3.OperationalError):
        History.open(tmp_path / "chats.sqlite")
    assert (tmp_path / "chats.sqlite").is_dir()
