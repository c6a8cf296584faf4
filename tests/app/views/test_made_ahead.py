"""Messages beyond the margins are made while nothing else is to do, and nobody sees it happen."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.chat_message import ChatMessage
from app.views.transcript import Transcript

TEXTS = (
    "One line.",
    "- first\n- second\n- third\n\n" * 4,
    "Words and more words, " * 60,
    "```python\nx = 1\n```\n" * 3,
)


@pytest.fixture
def talk(qtbot: QtBot) -> Transcript:
    transcript = Transcript()
    qtbot.addWidget(transcript)
    transcript.resize(800, 600)
    transcript.show()
    roles = ("user", "assistant")
    transcript.show_messages([ChatMessage(roles[n % 2], f"{n}. {TEXTS[n % 7 % 4]}") for n in range(120)])
    return transcript


def settled(transcript: Transcript, qtbot: QtBot) -> None:
    """Wait until nothing more is made ahead."""
    qtbot.waitUntil(lambda: not transcript.messages._ahead.isActive())


def test_a_step_of_a_page_finds_its_messages_made(talk: Transcript, qtbot: QtBot) -> None:
    made: list[object] = []
    settled(talk, qtbot)
    talk.messages.made.connect(made.append)
    for key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
        before = talk.messages.verticalScrollBar().value()
        QTest.keyClick(talk.messages, key)
        assert talk.messages.verticalScrollBar().value() != before and not made, "the step has to wait for them"
        settled(talk, qtbot)
        made.clear()


def test_nothing_that_is_seen_moves(talk: Transcript, qtbot: QtBot) -> None:
    settled(talk, qtbot)
    bar = talk.messages.verticalScrollBar()
    for place in (0.4, 0.7, 0.1):
        bar.setValue(round(place * bar.maximum()))
        seen = {view: view.y() for view in talk.messages.views if -view.height() < view.y() < 600}
        views = len(talk.messages.views)
        settled(talk, qtbot)
        assert len(talk.messages.views) > views
        assert {view: view.y() for view in seen} == seen


def test_what_is_made_ahead_is_not_thrown_away_again(talk: Transcript, qtbot: QtBot) -> None:
    settled(talk, qtbot)
    made: list[object] = []
    talk.messages.made.connect(made.append)
    talk.messages._settle()
    talk.messages._ahead.start()
    settled(talk, qtbot)
    assert not made
