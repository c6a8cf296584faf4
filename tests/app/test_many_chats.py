"""Ten thousand chats and a chat of two thousand messages: what is done all the time costs no more than with few.

Work is counted, see `tests.work`; how long it takes is for `packaging/measure_chats.py`, which does the same.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chats import Chats
from app.theme import LIGHT
from app.views.sidebar import Sidebar
from app.views.style import dress, stylesheet
from app.views.transcript import Transcript
from tests.work import calls

sys.path.append(str(Path(__file__).parents[2] / "packaging"))

from measure_chats import DOWN, LONG, Act, chat_acts, fill, let_it_paint, list_acts, shown_sidebar, shown_transcript


class Size(NamedTuple):
    chats: int
    messages: int


FEW, MANY = Size(1_000, 200), Size(10_000, 2_000)
# Calls for each chat or message more. Only what has to look at all of them may have any.
LIST = {
    "scroll the list": 0,
    "choose a chat": 0,
    "mark who replies": 0,
    "list the chats anew": 12,
    "carry a chat": 0,
}
CHAT = {"open a long chat": 75, "scroll a long chat": 0, "go to what was found": 0, "switch between versions": 15}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[Size, Path]:
    made = {size: tmp_path_factory.mktemp("many") for size in (FEW, MANY)}
    for size, folder in made.items():
        fill(folder, *size)
    return made


@pytest.fixture
def both(folders: dict[Size, Path], qapp: QApplication) -> Iterator[dict[Size, Chats]]:
    if qapp.styleSheet() != stylesheet(LIGHT):
        dress(qapp, LIGHT)
    opened = {size: Chats(folder, pytest.fail) for size, folder in folders.items()}
    yield opened
    for chats in opened.values():
        chats.close()


@pytest.fixture
def many(both: dict[Size, Chats]) -> Chats:
    return both[MANY]


def sidebar_of(qtbot: QtBot, chats: Chats) -> Sidebar:
    sidebar = shown_sidebar(chats)
    qtbot.addWidget(sidebar)
    return sidebar


def transcript_of(qtbot: QtBot) -> Transcript:
    """Makes nothing ahead: when that comes is a matter of time."""
    transcript = shown_transcript()
    qtbot.addWidget(transcript)
    transcript.messages._ahead.setInterval(2**30)
    return transcript


def work(act: Act) -> float:
    """Calls to a step."""

    def step_by_step() -> None:
        for step in act.steps:
            step()
            let_it_paint()

    for _ in range(2):  # the first time, what is made once and kept
        act.before()
        let_it_paint()
        count = calls(step_by_step)
    return count / len(act.steps)


def act_of(acts: list[Act], name: str) -> Act:
    return next(act for act in acts if act.name == name)


@pytest.mark.parametrize("name", LIST)
def test_the_list_of_chats(name: str, both: dict[Size, Chats], qtbot: QtBot) -> None:
    few, more = (work(act_of(list_acts(sidebar_of(qtbot, chats), chats), name)) for chats in both.values())
    assert few > 0 and (more - few) / (MANY.chats - FEW.chats) < LIST[name] + 0.1


@pytest.mark.parametrize("name", CHAT)
def test_a_long_chat(name: str, both: dict[Size, Chats], qtbot: QtBot) -> None:
    few, more = (work(act_of(chat_acts(transcript_of(qtbot), chats), name)) for chats in both.values())
    assert few > 0 and (more - few) / (MANY.messages - FEW.messages) < CHAT[name] + 0.1


def test_every_act_is_looked_at(many: Chats, qtbot: QtBot) -> None:
    assert [act.name for act in list_acts(sidebar_of(qtbot, many), many)] == [*LIST]
    assert [act.name for act in chat_acts(transcript_of(qtbot), many)] == [*CHAT]


def test_all_chats_are_listed(many: Chats, qtbot: QtBot) -> None:
    sidebar = sidebar_of(qtbot, many)
    assert len(many.rows()) == MANY.chats + 1
    assert sidebar.list.verticalScrollBar().maximum() > 30 * MANY.chats


def test_a_long_chat_opens_at_its_end_and_few_messages_are_made(many: Chats, qtbot: QtBot) -> None:
    transcript = transcript_of(qtbot)
    asked: list[str] = []
    many._history._db.set_trace_callback(asked.append)
    transcript.show_messages(many.conversation(LONG).messages, {})
    assert len(asked) == 2, "the chat and its messages"
    shown, made = transcript.messages, []
    assert shown.views[-1].message.id == f"m{MANY.messages - 1}" and len(shown.views) < 20 and shown.at_end
    shown.made.connect(made.append)
    bar = shown.verticalScrollBar()
    for step in range(1, 61):
        bar.setValue(bar.value() - DOWN)
        let_it_paint()
        assert len(made) <= 1 + step, "a step is lower than any message"
        assert len(shown.views) < 60
    before = len(made)
    shown._make_ahead()
    assert len(made) <= before + 1
    assert len(asked) == 2
    transcript.go_to("m77", "smaller")
    assert any(view.message.id == "m77" for view in shown.views)


def test_figures_that_nobody_looks_at_are_not_read(many: Chats) -> None:
    messages = many.conversation(LONG).messages
    assert all({"runs", "statistics"}.isdisjoint(message.__dict__) for message in messages)
    assert len(messages[1].runs) == 150 and messages[1].statistics is not None


def calls_to_switch(chats: Chats) -> int:
    """Another version near the beginning of the chat, and all that follows it."""
    conversation = chats.conversation(LONG)
    conversation.edit("m10", "Else?")

    def switch() -> None:
        conversation.show_version("m10", -1)
        assert len(conversation.messages) > 100
        conversation.tree.shown_versions()

    return calls(switch)


def test_versions_of_a_long_chat_cost_no_more_than_its_messages(both: dict[Size, Chats]) -> None:
    few, more = (calls_to_switch(chats) for chats in both.values())
    assert more < 1.2 * few * MANY.messages / FEW.messages
