import sqlite3
import threading
from pathlib import Path

import pytest

from app.backup import KEPT, back_up, backups_of, check_backup, copy_database, is_due
from app.chat_message import ChatMessage
from app.chats import Chats
from app.history import History
from app.history_schema import MIGRATIONS
from inference.errors import UserError
from inference.manager.paths import CHATS

DAY = 86_400.0


def filled(path: Path, *titles: str) -> None:
    history = History(path)
    for title in titles:
        history.create(title, title)
        history.save_message(title, ChatMessage("user", f"About {title}?"))
    history.close()


def test_a_copy_a_day_and_the_oldest_go(tmp_path: Path) -> None:
    path = tmp_path / CHATS
    filled(path, "Sky")
    now = 1_800_000_000.0
    assert is_due(path, now)
    for day in range(KEPT + 3):
        back_up(path, now + day * DAY)
    assert not is_due(path, now + (KEPT + 2.5) * DAY)
    assert is_due(path, now + (KEPT + 3) * DAY)
    kept = backups_of(path)
    assert len(kept) == KEPT and kept[0].made == now + (KEPT + 2) * DAY
    assert check_backup(kept[0].path) == 1
    assert not list(path.parent.glob("backups/.*"))


def test_a_copy_is_whole_while_somebody_writes(tmp_path: Path) -> None:
    path = tmp_path / CHATS
    filled(path, *(f"chat {number}" for number in range(20)))
    stop, history = threading.Event(), History(path)

    def write() -> None:
        number = 0
        while not stop.is_set():
            history.save_message("chat 1", ChatMessage("user", f"more {number}" * 50))
            number += 1

    thread = threading.Thread(target=write)
    thread.start()
    for number in range(3):
        assert copy_database(path, tmp_path / f"copy {number}")
        assert check_backup(tmp_path / f"copy {number}") == 20
    stop.set()
    thread.join()
    history.close()
    assert not copy_database(path, tmp_path / "none", cancelled=lambda: True)
    assert not (tmp_path / "none").exists()


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear landlord " * 200)
    for name in ("letter", "nobody"):
        with pytest.raises(UserError, match=name):
            check_backup(tmp_path / name)


def test_putting_a_backup_in_place(tmp_path: Path) -> None:
    path = tmp_path / CHATS
    filled(path, "Old")
    copy_database(path, tmp_path / "copy")
    chats = Chats(tmp_path, pytest.fail)
    chats.rename("Old", "New")
    chats.replace_file(tmp_path / "copy")
    assert chats.trouble == "" and [row.title for row in chats.rows()] == ["Old"]
    chats.rename("Old", "Newer")
    chats.close()
    again = Chats(tmp_path, pytest.fail)
    assert [row.title for row in again.rows()] == ["Newer"]
    again.close()


def test_chats_of_the_first_version_are_kept_whole(tmp_path: Path) -> None:
    path = tmp_path / CHATS
    db = sqlite3.connect(path)
    db.executescript(MIGRATIONS[0] + "PRAGMA user_version = 1;")
    for chat in range(3):
        db.execute("INSERT INTO conversations VALUES (?, ?, 1.0, ?, NULL)", (f"c{chat}", f"Chat {chat}", float(chat)))
        for place in range(5):
            role = "user" if place % 2 == 0 else "assistant"
            values = (
                f"m{chat}{place}",
                f"c{chat}",
                place,
                role,
                f"天空 {chat} {place}",
                "[[4, 1, 1]]",
                None,
                "finished",
            )
            db.execute("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'end', '', 'SmolLM2', 2.0)", values)
    db.execute("UPDATE conversations SET deleted = 5.0 WHERE id = 'c2'")
    db.commit()
    db.close()
    chats = Chats(tmp_path, pytest.fail)
    assert chats.trouble == "" and [row.title for row in chats.rows()] == ["Chat 1", "Chat 0"]
    for chat in range(2):
        messages = chats.conversation(f"c{chat}").messages
        assert [message.text for message in messages] == [f"天空 {chat} {place}" for place in range(5)]
        assert all(m.runs[0].length == 4 and m.model == "SmolLM2" and m.created == 2.0 for m in messages)
    chats.flush()
    chats.close()
    (copy,) = backups_of(path)
    assert copy.path.name == "chats-version-1.sqlite" and check_backup(copy.path) == 2
    history = History(path)
    while history.index_some():
        pass
    assert len(history.find("天空")) == 10
    history.close()
