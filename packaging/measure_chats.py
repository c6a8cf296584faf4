"""Are many chats and long ones quick? Ten thousand chats in the list, and a chat of two thousand messages.

    python packaging/measure_chats.py [--chats 10000] [--messages 2000] [--times 5] [--json]

Run it with the environment's own Python, on a quiet machine; without a screen the window is drawn into memory
(QT_QPA_PLATFORM=offscreen). Everything is done several times; of each step (of scrolling, say) the median counts, how
long it held the window. Said are the median of the steps and the worst. Ends with status 1 where the worst is above its
mark: 30 ms for whatever is done all the time, 200 ms for opening. (That no step grows with the number of chats or of
messages is a matter of tests.)
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.append(str(Path(__file__).resolve().parent.parent))

from PySide6.QtCore import QCoreApplication, QPoint
from PySide6.QtWidgets import QApplication, QScrollBar

from app.chat_message import ChatMessage, Run
from app.chats import Chats
from app.history import ConversationRow, History, StoredChat
from app.theme import LIGHT
from app.views.sidebar import Sidebar
from app.views.style import dress
from app.views.transcript import Transcript
from inference.manager.paths import CHATS
from inference.statistics import ReplyStatistics

STEP_MS, OPEN_MS = 30.0, 200.0
LONG = "long"  # the id of the long chat
STEPS, DOWN = 60, 90  # of scrolling, and pixels to a step
JUMPS = 12  # through the list
WORDS = "Walk both lists **once** and take the smaller head. 走一遍两个列表。 " * 6
CODE = "\n\n```python\ndef merge(a, b):\n    return sorted(a + b)\n```\n\n- one\n- two\n"


@dataclass(frozen=True)
class Act:
    """What the person does, step by step."""

    name: str
    mark_ms: float
    steps: Sequence[Callable[[], object]]
    before: Callable[[], object] = lambda: None  # before the first step, each time


@dataclass(frozen=True)
class Result:
    act: str
    median_ms: float
    worst_ms: float
    mark_ms: float


def long_chat(messages: int) -> StoredChat:
    """Questions and replies that came about by drafting, the newest of all chats."""
    talk: list[ChatMessage] = []
    for number in range(messages):
        parent = talk[-1].id if talk else ""
        if number % 2:
            runs = [Run(3, "accepted", index) for index in range(150)]
            figures = ReplyStatistics(drafter="n-gram", proposed=100, verified_by_position=(9, 8, 7))
            text = f"{number:05}: {WORDS}{CODE}"
            talk.append(ChatMessage("assistant", text, f"m{number}", parent=parent, runs=runs, statistics=figures))
        else:
            talk.append(ChatMessage("user", f"Question {number:05}?", f"m{number}", parent=parent))
    return StoredChat(ConversationRow(LONG, "A long talk", 1.0, 2e9), talk)


def fill(folder: Path, chats: int, messages: int) -> None:
    """The file of a person with so many chats, five of them pinned, and a long one."""
    history = History(folder / CHATS)
    rows = [
        ConversationRow(f"c{n}", f"Chat {n} 天空", 1.0, 1.7e9 + 60 * n, pinned=n % (chats // 5) == 0)
        for n in range(chats)
    ]
    history.add_chats([StoredChat(row, []) for row in rows])
    history.add_chats([long_chat(messages)])
    history.close()


def shown_sidebar(chats: Chats) -> Sidebar:
    sidebar = Sidebar()
    sidebar.resize(240, 800)
    sidebar.show()
    sidebar.show_chats(chats.rows(), "c5")
    let_it_paint()
    return sidebar


def shown_transcript() -> Transcript:
    """With a short chat: lexers and fonts are loaded now."""
    transcript = Transcript()
    transcript.resize(900, 700)
    transcript.show()
    transcript.show_messages(list(long_chat(4).messages), {})
    let_it_paint()
    return transcript


def let_it_paint() -> None:
    QCoreApplication.sendPostedEvents()
    QCoreApplication.processEvents()


def places(bar: QScrollBar) -> list[int]:
    """In even steps from the top to the end."""
    return [bar.maximum() * jump // JUMPS for jump in range(JUMPS + 1)]


def list_acts(sidebar: Sidebar, chats: Chats) -> list[Act]:
    bar = sidebar.list.verticalScrollBar()

    def pin(pinned: bool) -> None:
        chats.pin("c9", pinned)
        sidebar.show_chats(chats.rows(), sidebar.list.current)

    def take() -> None:
        bar.setValue(bar.maximum() // 2)
        row, height = chats.row("c7"), sidebar.list.viewport().height()
        assert row is not None
        sidebar.list.carried.press(row, QPoint(50, height // 4))
        sidebar.list.carried.move(QPoint(50, height // 2))

    height = sidebar.list.viewport().height()
    carried = [partial(sidebar.list.carried.move, QPoint(50, height * part // 8)) for part in (2, 3, 4, 5, 6)]
    two = ("c7", "c8")
    return [
        Act("scroll the list", STEP_MS, [partial(bar.setValue, at) for at in places(bar)]),
        Act("choose a chat", STEP_MS, [partial(sidebar.select, one) for one in two]),
        Act("mark who replies", STEP_MS, [partial(sidebar.set_replying, one) for one in two]),
        Act("list the chats anew", 2 * STEP_MS, [partial(pin, one) for one in (True, False)]),
        Act("carry a chat", STEP_MS, carried, take),
    ]


def chat_acts(transcript: Transcript, chats: Chats) -> list[Act]:
    bar = transcript.messages.verticalScrollBar()

    def open_it() -> None:
        """From the disk."""
        chats._open.clear()
        transcript.show_messages(chats.conversation(LONG).messages, {})

    def edit() -> None:
        open_it()
        chats.conversation(LONG).edit("m10", "Else?")

    def step(by: int) -> None:
        conversation = chats.conversation(LONG)
        conversation.show_version(conversation.messages[10].id, by)
        transcript.update_messages(conversation.messages, conversation.tree.shown_versions())

    def up(pixels: int) -> None:
        bar.setValue(bar.value() - pixels)

    return [
        Act("open a long chat", OPEN_MS, [open_it]),
        Act("scroll a long chat", STEP_MS, [partial(up, DOWN)] * STEPS, open_it),
        Act("go to what was found", 3 * STEP_MS, [partial(transcript.go_to, "m7", "smaller")], open_it),
        Act("switch between versions", OPEN_MS, [partial(step, -1), partial(step, 1)], edit),
    ]


def milliseconds(act: Callable[[], object]) -> float:
    """How long the window is held by this and all that it sets off."""
    began = perf_counter()
    act()
    let_it_paint()
    return 1000 * (perf_counter() - began)


def took(act: Act, times: int) -> list[float]:
    """Of each step, the median."""
    rounds: list[list[float]] = []
    for _ in range(times):
        act.before()
        let_it_paint()
        rounds.append([milliseconds(step) for step in act.steps])
    return [median(step) for step in zip(*rounds, strict=True)]


def measure(folder: Path, chats: int, messages: int, times: int) -> list[Result]:
    fill(folder, chats, messages)
    with closing(Chats(folder, lambda error: print(error, file=sys.stderr))) as kept:
        sidebar, transcript = shown_sidebar(kept), shown_transcript()
        results = []
        for act in (*list_acts(sidebar, kept), *chat_acts(transcript, kept)):
            steps = took(act, times)
            results.append(Result(act.name, median(steps), max(steps), act.mark_ms))
    return results


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--chats", type=int, default=10_000)
    parser.add_argument("--messages", type=int, default=2_000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    qt = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(qt, QApplication)
    dress(qt, LIGHT)
    with tempfile.TemporaryDirectory(prefix="foreword-") as folder:
        results = measure(Path(folder), asked.chats, asked.messages, asked.times)
    if asked.json:
        print(json.dumps([asdict(result) for result in results]))
    else:
        for one in results:
            print(f"{one.act:<24} {one.median_ms:6.1f} ms, at worst {one.worst_ms:6.1f}; mark {one.mark_ms:.0f} ms")
    return int(any(one.worst_ms > one.mark_ms for one in results))


if __name__ == "__main__":
    sys.exit(main())
