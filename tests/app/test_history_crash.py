"""Fifty kills at random moments: no finished message lost, every chat opens, of a running reply only what came after
the last save is gone."""

import random
import subprocess
import sys
from pathlib import Path

from app.history import History
from tests.app.crash_writer import WORDS
from tests.app.folder_crash_writer import CHATS, FOLDER

ROOT = Path(__file__).parents[2]
KILLS = 50
FOLDER_KILLS = 12


def test_kill_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "chats.sqlite"
    chance = random.Random(7)
    finished: dict[str, tuple[str, int]] = {}
    saved: dict[str, tuple[str, int]] = {}
    for round_number in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.app.crash_writer", str(path), str(round_number)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        for _ in range(chance.randrange(1, 60)):
            _note(process.stdout.readline(), finished, saved)
        process.kill()  # the writer goes on while we decide: the kill lands anywhere in its work
        for line in process.stdout:
            if line.endswith("\n"):
                _note(line, finished, saved)
        process.stdout.close()
        process.wait()
        _check(path, finished, saved)
    assert len(finished) > KILLS  # the kills came late enough to mean something


def test_killed_while_a_folder_goes_with_its_chats_or_comes_back(tmp_path: Path) -> None:
    """All of it is there, or nothing."""
    chance = random.Random(7)
    outcomes = set()
    for round_number in range(FOLDER_KILLS):
        path = tmp_path / f"{round_number}.sqlite"
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.app.folder_crash_writer", str(path)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(chance.randrange(1, 40))]
        process.kill()
        process.stdout.close()
        process.wait()
        assert said[0] == "THERE\n" and set(said) <= {"THERE\n", "GONE\n"}
        history, trouble = History.open(path)
        there = {row.id for row in history.conversations() if row.folder == FOLDER.id}
        read = [message.text for chat in CHATS for message in history.messages(chat)]
        folders = history.folders()
        history.close()
        assert trouble == ""
        assert (folders, there, read) in (([FOLDER], set(CHATS), CHATS), ([], set(), []))
        outcomes.add(bool(folders))
    assert outcomes == {True, False}  # the kills came at different moments


def _note(line: str, finished: dict[str, tuple[str, int]], saved: dict[str, tuple[str, int]]) -> None:
    kind, conversation, message, length = line.split()
    assert kind in ("SAVED", "FINISHED"), line
    saved[message] = (conversation, int(length))
    if kind == "FINISHED":
        finished[message] = (conversation, int(length))


def _check(path: Path, finished: dict[str, tuple[str, int]], saved: dict[str, tuple[str, int]]) -> None:
    history, trouble = History.open(path)
    try:
        assert trouble == ""
        found = {}
        for row in history.conversations():
            for message in history.messages(row.id):
                found[message.id] = (row.id, message)
                assert message.state != "streaming"
                assert sum(run.length for run in message.runs) == (len(message.text) if message.runs else 0)
    finally:
        history.close()
    whole = "".join(WORDS) * 40
    for message_id, (conversation, length) in saved.items():
        row_id, message = found[message_id]
        assert row_id == conversation
        assert len(message.text) >= length
        assert message.text == whole[: len(message.text)]
        if message_id in finished:
            assert message.state == "finished"
