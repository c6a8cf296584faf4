"""Ten thousand chats and a chat of two thousand messages: opening is quick, and no step of scrolling holds the window.

Times are of the processor and of this thread alone, so that a busy machine does not count.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat_message import ChatMessage, Run
from app.chats import Chats
from app.history import ConversationRow, History, StoredChat
from app.theme import LIGHT
from app.views.sidebar import Sidebar
from app.views.style import dress, stylesheet
from app.views.transcript import Transcript
from inference.manager.paths import CHATS
from inference.statistics import ReplyStatistics

MANY, MESSAGES = 10_000, 2_000
STALL_S, OPEN_S = 0.030, 0.200
WORDS = "Walk both lists **once** and take the smaller head. 走一遍两个列表。 " * 6
CODE = "\n\n```python\ndef merge(a, b):\n    return sorted(a + b)\n```\n\n- one\n- two\n"


def long_chat(messages: int) -> StoredChat:
    talk: list[ChatMessage] = []
    for number in range(messages):
        parent = talk[-1].id if talk else ""
        if number % 2:
            runs = [Run(3, "accepted", index) for index in range(150)]
            figures = ReplyStatistics(drafter="n-gram", proposed=100, verified_by_position=(9, 8, 7))
            text = f"{number}: {WORDS}{CODE}"
            talk.append(ChatMessage("assistant", text, f"m{number}", parent=parent, runs=runs, statistics=figures))
        else:
            talk.append(ChatMessage("user", f"Question {number}?", f"m{number}", parent=parent))
    return StoredChat(ConversationRow("long", "A long talk", 1.0, 2e9), talk)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    history = History(folder / CHATS)
    rows = [ConversationRow(f"c{n}", f"Chat {n} 天空", 1.0, 1.7e9 + 60 * n, pinned=n % 2000 == 0) for n in range(MANY)]
    history.add_chats([StoredChat(row, []) for row in rows])
    history.add_chats([long_chat(MESSAGES)])
    history.close()
    return folder


@pytest.fixture
def chats(folder: Path) -> Iterator[Chats]:
    chats = Chats(folder, pytest.fail)
    yield chats
    chats.close()


@pytest.fixture
def dressed(qapp: QApplication) -> None:
    if qapp.styleSheet() != stylesheet(LIGHT):
        dress(qapp, LIGHT)


def seconds(act: Callable[[], object]) -> float:
    """What this and all that it sets off take of this thread."""
    began = time.thread_time()
    act()
    QCoreApplication.sendPostedEvents()
    QCoreApplication.processEvents()
    return time.thread_time() - began


def quickest(act: Callable[[], object], times: int = 3) -> float:
    return min(seconds(act) for _ in range(times))


@pytest.mark.usefixtures("dressed")
def test_ten_thousand_chats_are_listed_and_scrolled(chats: Chats, qtbot: QtBot) -> None:
    sidebar = Sidebar()
    qtbot.addWidget(sidebar)
    sidebar.resize(240, 800)
    sidebar.show()
    rows = chats.rows()
    assert len(rows) == MANY + 1
    seconds(lambda: sidebar.show_chats(rows, "c5"))
    bar = sidebar.list.verticalScrollBar()
    assert bar.maximum() > 30 * MANY
    assert (
        max(quickest(lambda at=at: bar.setValue(at)) for at in range(0, bar.maximum(), bar.maximum() // 12)) < STALL_S
    )
    assert quickest(lambda: sidebar.select("c17")) < STALL_S
    assert quickest(lambda: sidebar.set_replying("c17")) < STALL_S
    chats.pin("c21", True)
    assert quickest(lambda: sidebar.show_chats(chats.rows(), "c17")) < 2 * STALL_S  # after a question was sent


@pytest.mark.usefixtures("dressed")
def test_a_chat_of_two_thousand_messages_opens_at_its_end(chats: Chats, qtbot: QtBot) -> None:
    transcript = Transcript()
    qtbot.addWidget(transcript)
    transcript.resize(900, 700)
    transcript.show()
    transcript.show_messages(long_chat(4).messages[:4])  # type: ignore[arg-type]  # lexers and fonts are loaded now

    def open_it() -> None:
        chats._open.clear()
        transcript.show_messages(chats.conversation("long").messages, {})

    assert quickest(open_it) < OPEN_S
    views = transcript.messages.views
    assert views[-1].message.id == f"m{MESSAGES - 1}" and len(views) < 20
    assert transcript.messages.at_end
    bar = transcript.messages.verticalScrollBar()
    steps = [bar.maximum() - 90 * step for step in range(60)]
    stalls = [seconds(lambda at=at: bar.setValue(at)) for at in steps]
    assert sorted(stalls)[-2] < STALL_S  # one may be the collector's
    assert quickest(lambda: transcript.go_to("m77", "smaller")) < 3 * STALL_S
    assert any(view.message.id == "m77" for view in transcript.messages.views)


def test_versions_of_a_long_chat_switch_quickly(chats: Chats) -> None:
    conversation = chats.conversation("long")
    conversation.edit("m10", "Else?")
    began = time.thread_time()
    conversation.show_version("m10", -1)
    assert len(conversation.messages) > 0
    conversation.tree.shown_versions()
    assert time.thread_time() - began < STALL_S
