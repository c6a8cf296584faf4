import pytest

from app.chat_message import Run
from app.conversation import Conversation
from app.message_tree import Version
from app.titles import title_of
from inference.events import Delta, Event, Failed, Finished, Piece, PromptProgress, Round, TurnsOmitted
from inference.messages import Message
from inference.statistics import ReplyStatistics
from tests.app.scripted_engine import rounds


def events(*words: str) -> list[Event]:
    return [step for step in rounds(words) if isinstance(step, Delta | Round | PromptProgress | Finished)]


def asked(text: str = "Why?") -> Conversation:
    conversation = Conversation()
    conversation.ask(text)
    return conversation


def test_a_reply_grows_by_the_events_of_its_run() -> None:
    conversation = asked()
    reply = conversation.begin_reply("run", "Scripted")
    change = conversation.apply("run", events("Be", "cause", "."))
    assert (reply.text, reply.state, reply.finish_reason, reply.model) == ("Because.", "finished", "end", "Scripted")
    assert [piece.text for piece in change.pieces] == ["Be", "cause", "."]
    assert reply.runs == [Run(7, "accepted", 1), Run(1, "bonus", 1)]
    assert change.ended
    assert change.prompt == PromptProgress(12, 12, 0)
    assert reply.statistics is not None and change.round is not None
    assert reply.statistics.accepted == 2
    assert conversation.reply is None


def test_events_of_another_run_are_dropped() -> None:
    conversation = asked()
    reply = conversation.begin_reply("second")
    assert not conversation.apply("first", events("stale")).pieces
    assert reply.text == ""
    conversation.apply("second", events("fresh"))
    assert reply.text == "fresh"
    conversation.apply("second", [Delta((Piece(" late", "plain", 9),))])
    assert reply.text == "fresh"


def test_nothing_after_the_end_counts() -> None:
    conversation = asked()
    reply = conversation.begin_reply("run")
    conversation.apply("run", [Finished("end", ReplyStatistics()), Delta((Piece("x", "plain", 1),))])
    assert reply.text == ""


@pytest.mark.parametrize(
    ("last", "state", "error"),
    [
        (Finished("cancelled", ReplyStatistics()), "stopped", ""),
        (Finished("length", ReplyStatistics()), "finished", ""),
        (Failed("It broke.", "Try again."), "failed", "It broke. Try again."),
    ],
)
def test_how_a_reply_ends(last: Event, state: str, error: str) -> None:
    conversation = asked()
    reply = conversation.begin_reply("run")
    conversation.apply("run", [Delta((Piece("Some", "plain", 0),)), last])
    assert (reply.text, reply.state, reply.error) == ("Some", state, error)


def test_a_reply_cut_off_by_the_end_of_the_program_keeps_its_words() -> None:
    conversation = asked()
    reply = conversation.begin_reply("run")
    conversation.apply("run", [TurnsOmitted(2), Delta((Piece("Some", "plain", 0),))])
    conversation.abandon()
    assert (reply.text, reply.state) == ("Some", "stopped")
    conversation.abandon()


def test_only_one_reply_at_a_time() -> None:
    conversation = asked()
    reply = conversation.begin_reply("run")
    for act in (
        lambda: conversation.ask("More?"),
        lambda: conversation.begin_reply("b"),
        lambda: conversation.edit(reply.id, "Else."),
        lambda: conversation.remove(reply.id),
    ):
        with pytest.raises(ValueError, match="being written"):
            act()


def test_writing_a_reply_again_keeps_the_one_before() -> None:
    conversation = asked("One?")
    reply = conversation.begin_reply("a")
    conversation.apply("a", events("First."))
    question = conversation.ask("Two?")
    conversation.begin_reply("b")
    conversation.apply("b", events("Second."))
    with pytest.raises(ValueError, match="only a reply"):
        conversation.begin_reply("c", instead=question.id)
    assert conversation.prompt("", instead=reply.id) == [Message("user", "One?")]
    again = conversation.begin_reply("c", instead=reply.id)
    conversation.apply("c", events("Better."))
    assert [message.text for message in conversation.messages] == ["One?", "Better."]
    assert conversation.tree.version(again.id) == Version(2, 2)
    conversation.show_version(again.id, -1)
    assert [message.text for message in conversation.messages] == ["One?", "First.", "Two?", "Second."]


def test_the_prompt_joins_neighbours_and_leaves_empty_replies_out() -> None:
    conversation = asked("One?")
    conversation.begin_reply("a")
    conversation.apply("a", [Finished("cancelled", ReplyStatistics())])
    conversation.ask("Two?")
    conversation.begin_reply("b")
    conversation.apply("b", events("Both."))
    conversation.ask("Three?")
    assert conversation.prompt("  Be brief. ") == [
        Message("system", "Be brief."),
        Message("user", "One?\n\nTwo?"),
        Message("assistant", "Both."),
        Message("user", "Three?"),
    ]
    assert conversation.prompt("")[0].role == "user"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Why is the sky blue?", "Why is the sky blue?"),
        ("\n\n# Merge  two\tlists\nplease", "Merge two lists"),
        ("Write a function that merges two sorted lists into one", "Write a function that merges two sorted…"),
        (
            "请用中文写一个函数把两个有序列表合并成一个有序列表并说明它的复杂度",
            "请用中文写一个函数把两个有序列表合并成一个…",
        ),
        ("x" * 100, "x" * 43 + "…"),
        ("   \n ", ""),
    ],
)
def test_the_first_question_names_the_chat(text: str, title: str) -> None:
    assert title_of(text) == title
    assert asked(text).title == title


def test_a_continuation_without_words_leaves_the_figures_as_they_were() -> None:
    conversation = asked()
    reply = conversation.begin_reply("run")
    conversation.apply("run", events("Be", "cause", "."))
    before = reply.statistics
    conversation.continue_reply("again")
    conversation.apply("again", [Finished("end", ReplyStatistics(reply_tokens=1))])
    assert reply.statistics == before
    conversation.continue_reply("once more")
    conversation.apply("once more", events(" Really."))
    assert reply.statistics != before
