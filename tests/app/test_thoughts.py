import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversation import Conversation
from app.thoughts import answer_of, thought_of
from inference.events import Delta, Event, Finished, Piece, ThoughtOpened
from inference.messages import Message
from inference.statistics import ReplyStatistics


@pytest.mark.parametrize(
    ("text", "thought", "answer", "still_open"),
    [
        ("Blue.", "", "Blue.", False),
        ("", "", "", False),
        ("<think>\nHm.\n</think>\n\nBlue.", "Hm.", "Blue.", False),
        ("\n<thinking>Hm.</thinking>Blue.", "Hm.", "Blue.", False),
        ("<think>\nHm. Perhaps", "Hm. Perhaps", "", True),
        ("<th", "", "", True),
        ("<thin air>", "", "<thin air>", False),
        ("Hm.\n</think>\n\nBlue.", "Hm.", "Blue.", False),  # its opening was in the template
        ("The tag `</think>` ends it.", "", "The tag `</think>` ends it.", False),
        ("<think></think>Blue", "", "Blue", False),
    ],
)
def test_thought_and_answer(text: str, thought: str, answer: str, still_open: bool) -> None:
    found = thought_of(text)
    assert text[found.start : found.end] == thought
    assert answer_of(text) == answer
    assert found.open == still_open


@given(st.text(alphabet="ab\n <>/", max_size=20), st.text(alphabet="ab\n", max_size=20))
def test_growing_text_never_shows_a_piece_of_the_tag(thought: str, answer: str) -> None:
    if "</think" in thought:
        return
    text = f"<think>{thought}</think>{answer}"
    for end in range(len(text) + 1):
        assert "think" not in answer_of(text[:end])


def test_a_thought_is_timed_and_not_sent_back() -> None:
    conversation = Conversation()
    conversation.ask("Why?")
    reply = conversation.begin_reply("run")
    moments = iter([10.0, 11.5, 13.0, 20.0])
    batches: list[list[Event]] = [
        [ThoughtOpened(), Delta((Piece("Hm.", "plain", 1),))],
        [Delta((Piece(" Light.", "plain", 2),))],
        [Delta((Piece("\n</think>\n\nBlue", "plain", 3),))],
        [Delta((Piece(".", "plain", 4),)), Finished("end", ReplyStatistics())],
    ]
    for batch in batches:
        conversation.apply("run", batch, clock=lambda: next(moments))
    assert reply.text == "<think>\nHm. Light.\n</think>\n\nBlue."
    assert reply.thought_s == 3.0
    assert sum(run.length for run in reply.runs) == len(reply.text)
    assert conversation.prompt("")[-1] == Message("assistant", "Blue.")
    assert conversation.prompt("", continuing=True)[-1].content == reply.text
