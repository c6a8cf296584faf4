"""A second start finds the first, in whatever state that was left."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from app.single_instance import LOCK, SingleInstance
from tests.patience import WAIT_MS, WAIT_S

SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.single_instance import SingleInstance
qt = QCoreApplication([])
second = SingleInstance(Path(sys.argv[1]))
assert not second.claim()
sys.exit(0 if second.hand_over(sys.argv[2]) else 1)
"""
KILLED = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.single_instance import SingleInstance
qt = QCoreApplication([])
first = SingleInstance(Path(sys.argv[1]))
assert first.claim()
os.kill(os.getpid(), 9)
"""


def test_a_second_start_hands_its_file_to_the_first(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(tmp_path / "聊天 one")
    assert first.claim()
    ends: list[int] = []
    arguments = [sys.executable, "-c", SECOND, str(tmp_path / "聊天 one"), "/some/where/对话.json"]
    thread = threading.Thread(target=lambda: ends.append(subprocess.run(arguments, check=False).returncode))
    with qtbot.waitSignal(first.asked, timeout=WAIT_MS) as told:
        thread.start()
    qtbot.waitUntil(lambda: ends == [0], timeout=WAIT_MS)
    thread.join()
    assert told.args == ["/some/where/对话.json"]
    first.close()


def test_other_folders_are_other_programs(qtbot: QtBot, tmp_path: Path) -> None:
    one, other = SingleInstance(tmp_path / "one"), SingleInstance(tmp_path / "other")
    assert one.claim()
    assert other.claim()
    one.close()
    other.close()


@pytest.mark.skipif(sys.platform == "win32", reason="has no signal 9")
def test_what_a_killed_one_left_behind_is_no_obstacle(qtbot: QtBot, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, timeout=WAIT_S)
    assert (tmp_path / LOCK).exists()
    after = SingleInstance(tmp_path)
    assert after.claim()
    after.close()
    assert not (tmp_path / LOCK).exists()


def test_a_folder_that_cannot_be_made_is_no_obstacle(qtbot: QtBot, tmp_path: Path) -> None:
    """The window has to come up to say that chats cannot be kept."""
    (tmp_path / "file").write_text("")
    alone = SingleInstance(tmp_path / "file" / "data")
    assert alone.claim()
    alone.close()


def test_one_that_does_not_answer_is_given_up(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(tmp_path)
    assert first.claim()
    second = SingleInstance(tmp_path)
    assert not second.hand_over(patience_s=0.2)  # nobody runs the first one's event loop
    first.close()


@pytest.mark.parametrize("said", [b"\n", b"nonsense\n", b"[1]\n", b'{"open": 1}\n', b"\xff\xfe\n", b"x" * 70_000])
def test_what_is_said_by_others_does_no_harm(qtbot: QtBot, tmp_path: Path, said: bytes) -> None:
    first = SingleInstance(tmp_path)
    assert first.claim()
    heard: list[str] = []
    first.asked.connect(heard.append)
    socket = QLocalSocket()
    socket.connectToServer(first._name)
    qtbot.waitUntil(lambda: socket.state() == QLocalSocket.LocalSocketState.ConnectedState)
    with qtbot.waitSignal(socket.disconnected):
        socket.write(said)
    assert heard == []
    first.close()
