"""Finding words in the chat that is shown."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.chat_message import ChatMessage
from app.finding import Finder, pattern_of
from app.views.transcript import Transcript

REPLY = """Some **bo**ld words about 西湖.

```python
bold = "西湖"
```

| a | bold |
|---|---|
| 湖 | x |
"""


@pytest.mark.parametrize(
    ("words", "hits"),
    [("bold", 3), ("BOLD", 3), ("湖", 3), ("西湖", 2), ("**", 0), ("bold words", 1), ("a", 2), ("python", 0), ("(", 0)],
)
def test_what_is_read_is_found_and_not_its_markdown(words: str, hits: int) -> None:
    pattern = pattern_of(words)
    assert pattern is not None
    assert Finder().hits(ChatMessage("assistant", REPLY), pattern) == hits


def test_nothing_to_look_for() -> None:
    assert pattern_of("  ") is None


def look_for(transcript: Transcript, qtbot: QtBot, words: str) -> None:
    transcript.open_find()
    transcript.find_bar.words.setText(words)
    qtbot.waitUntil(lambda: transcript.search.complete)


def test_all_hits_are_marked_and_counted_alike(transcript: Transcript, qtbot: QtBot) -> None:
    transcript.show_messages([ChatMessage("user", "bold or 湖?"), ChatMessage("assistant", REPLY)])
    for words in ("bold", "湖", "a"):
        look_for(transcript, qtbot, words)
        marked = sum(len(surface.hits) for view in transcript.messages.views for surface in view.selection.surfaces)
        assert marked == transcript.search.total > 1
        assert transcript.find_bar.count.text().endswith(f"of {marked}")


def test_steps_go_round_and_the_place_is_shown(transcript: Transcript, qtbot: QtBot) -> None:
    talk = [ChatMessage("user" if i % 2 else "assistant", f"Message {i} has one needle.") for i in range(60)]
    transcript.show_messages(talk)
    look_for(transcript, qtbot, "needle")
    at = transcript.search.number
    bar = transcript.find_bar
    QTest.keyClick(bar.words, Qt.Key.Key_Return)
    assert transcript.search.number == at % 60 + 1
    QTest.keyClick(bar.words, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(bar.words, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert transcript.search.number == (at - 2) % 60 + 1
    for _ in range(60):
        transcript.step_hit(1)
        current = transcript.search.current
        assert current is not None
        view = transcript.messages.view_of(talk[current[0]].id)
        assert view is not None
        assert view.y() < transcript.messages.viewport().height() and view.y() + view.height() > 0


def test_in_two_thousand_messages_only_those_in_sight_are_laid_out(transcript: Transcript, qtbot: QtBot) -> None:
    talk = [ChatMessage("user" if i % 2 else "assistant", f"Message {i}.\n\n- and *more* of it") for i in range(2000)]
    talk[3].text += " 西湖"
    talk[1500].text += "\n\n```\n西湖\n```"
    transcript.show_messages(talk)
    look_for(transcript, qtbot, "西湖")
    assert transcript.search.counts == {3: 1, 1500: 1}
    transcript.step_hit(1)
    transcript.step_hit(1)
    assert len(transcript.messages.views) < 100


def test_a_hit_in_a_thought_unfolds_it(transcript: Transcript, qtbot: QtBot) -> None:
    reply = ChatMessage("assistant", "<think>\nA needle, a needle.\n</think>\n\nThe needle.")
    transcript.show_messages([reply])
    look_for(transcript, qtbot, "needle")
    view = transcript.messages.views[0]
    assert view.thought is not None and view.thought.unfolded
    assert transcript.search.total == 3
    marked = [surface for surface in view.selection.surfaces if surface._current_hit >= 0]
    assert len(marked) == 1 and marked[0] in view.thought.column.views[0].surfaces


def test_escape_closes_and_gives_the_focus_back(transcript: Transcript, qtbot: QtBot) -> None:
    other = QLineEdit(transcript)
    other.show()
    other.setFocus()
    transcript.show_messages([ChatMessage("user", "a needle")])
    look_for(transcript, qtbot, "needle")
    QTest.keyClick(transcript.find_bar.words, Qt.Key.Key_Escape)
    assert transcript.find_bar.isHidden() and other.hasFocus()
    assert all(not surface.hits for surface in transcript.messages.views[0].selection.surfaces)


def test_a_reply_that_ends_is_looked_through_too(transcript: Transcript, qtbot: QtBot) -> None:
    reply = ChatMessage("assistant", "", state="streaming")
    transcript.show_messages([ChatMessage("user", "needle"), reply])
    look_for(transcript, qtbot, "needle")
    reply.text = "A needle and a needle"
    transcript.extend(reply.id)
    reply.state = "finished"
    transcript.finish(reply.id)
    qtbot.waitUntil(lambda: transcript.search.total == 3)


def test_the_hit_that_was_reached_stays_while_the_chat_goes_on(transcript: Transcript, qtbot: QtBot) -> None:
    talk = [ChatMessage("user", f"Message {i} has one needle.") for i in range(4)]
    transcript.show_messages(talk)
    look_for(transcript, qtbot, "needle")
    transcript.step_hit(1)
    assert transcript.find_bar.count.text() == f"{transcript.search.number} of 4"
    reached = transcript.search.number
    transcript.add_message(ChatMessage("assistant", "Another needle."))
    qtbot.waitUntil(lambda: transcript.search.complete)
    assert transcript.search.number == reached
    assert transcript.find_bar.count.text() == f"{reached} of 5"


def test_a_hit_that_is_gone_is_not_counted_on(transcript: Transcript, qtbot: QtBot) -> None:
    transcript.show_messages([ChatMessage("user", f"Message {i} has one needle.") for i in range(6)])
    look_for(transcript, qtbot, "needle")
    while transcript.search.current != (5, 0):
        transcript.step_hit(1)
    transcript.show_messages([ChatMessage("user", "a needle"), ChatMessage("assistant", "hay")])
    qtbot.waitUntil(lambda: transcript.search.complete)
    assert transcript.search.number == 0
    assert transcript.find_bar.count.text() == "0 of 1"
