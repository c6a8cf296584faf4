"""One of a thing is not said as many of it, in any sentence of the window."""

import re

import pytest
import translations

from app import counts
from app.error_texts import in_words
from app.language import Interface
from app.rescue import Rescued
from tests.app.chinese import chinese

assert chinese  # the fixture

NOUNS = (
    "chats|characters|cores|downloads|files|layers|lines|messages|models|packages|questions|replies|texts|threads|"
    "tokens|ways|weights"
)
BETWEEN = "past |new |draft |drafted |other |further |more "
RATE = "(?:a|per) (?:second|round)"
COUNTED = re.compile(rf"(?<!of )\{{(?!precision)\w+(?::[^}}]*)?\}} ((?:{BETWEEN})?)({NOUNS})\b(?! {RATE})")
VERBS = (("were", "was"), ("are", "is"), ("differ", "differs"))
NEVER_ONE = {  # the beginning of a text, and why it is never said of one
    "Advice needs {replies}": "two bounds of ours",
    "Measured over the last {count}": "three at least",
    "Measured: {rate} of {count} drafted": "hundreds",
    "Measured at {tokens}": "hundreds",
    "All {n} replies": "as many as were asked for, four at least",
    "{n} questions": "four at least",
    "{n} tokens a reply": "as many as are asked for, 16 at least",
    "{name} takes {tokens:,} tokens": "more than have room",
    "This question takes {needed} tokens": "more than have room",
    "{label} must be at most {most}": "a bound of ours",
    "Even {weights} with {context} tokens": "256 at least",
    "{weights} and {context} tokens": "256 at least",
    "the context is {context} tokens": "256 at least",
    "config.json asks for {layers} layers": "more than any model has",
    "{name} tells of {layers} layers": "more than any model has",
    "the oldest messages are left out": "a context",
    "{name} is loaded with a context": "256 at least",
    "drafts are at most {after} tokens": "app.views.memory_notice has words of its own for one",
    "{written} tokens written": "after a trial of some dozen",
    "Expected: {ratio} times.": "rates",
    "{count:,} files": "of one its name is said",
    "{count:,} files were imported.": "of one its name is said",
    "{count:,} chats were exported": "of one: The chat was exported",
    'The folder "{name}" and its {count} chats': "of one: its chat was",
    "Delete the folder and its {count} chats": "of one: its chat",
}


def singular(text: str) -> str:
    """As it should be said of one."""
    one = COUNTED.sub(lambda found: f"1 {found[1]}{found[2].removesuffix('s')}".replace("replie", "reply"), text)
    for many, single in VERBS:
        one = re.sub(rf"\b{many}\b", single, one)
    return one


def test_one_of_a_thing_has_its_own_words() -> None:
    texts = translations.sources()
    counted = [text for text in texts if COUNTED.search(text) and not text.startswith(tuple(NEVER_ONE))]
    assert "{count:,} chats were restored." in counted
    assert not [text for text in counted if singular(text) not in texts]


def test_nothing_is_excused_that_is_not_said() -> None:
    texts = translations.sources()
    assert [start for start in NEVER_ONE if not any(text.startswith(start) for text in texts)] == []


@pytest.mark.parametrize("count", [1, 2])
def test_words_of_a_count(count: int) -> None:
    for words in (counts.tokens, counts.past_texts, counts.characters, counts.downloads):
        assert words(count).split()[0] == str(count)
        assert any(word.endswith("s") for word in words(count).split()) == (count == 2)


@pytest.mark.parametrize(
    ("rescued", "said"),
    [
        (Rescued(1, 1), "Rescued from it: 1 message in 1 chat."),
        (Rescued(1, 12), "Rescued from it: 12 messages in 1 chat."),
        (Rescued(2, 1234), "Rescued from it: 1,234 messages in 2 chats."),
    ],
)
def test_what_was_rescued(rescued: Rescued, said: str) -> None:
    assert rescued.sentence == said


def test_what_was_rescued_in_chinese(chinese: Interface) -> None:
    before = "The file with your chats could not be read. It was kept as chats.damaged-1.sqlite. "
    said = in_words(before + Rescued(2, 1234).sentence)
    assert said.endswith("从中救回了 2 个对话中的 1,234 条消息。") and "Rescued" not in said
    assert in_words(Rescued(1, 1).sentence) == "从中救回了 1 个对话中的 1 条消息。"
