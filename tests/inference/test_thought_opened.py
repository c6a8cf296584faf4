"""A template that opens the thought itself: the engine says so, for the words alone do not."""

import pytest

from inference.chat_template import ChatTemplate
from inference.events import Delta, ThoughtOpened
from inference.messages import Message
from tests.inference.conftest import TinyFactory
from tests.inference.engines import ask, greedy, load, reply

THINKING = (
    "{% for m in messages %}{{ m.role + ': ' + m.content + '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ 'assistant: <think>\n' }}{% endif %}"
)


def test_an_opened_thought_is_told_before_the_first_word(tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = load(tiny("llama"))
    question = ask("is the string on?")
    assert not any(isinstance(event, ThoughtOpened) for event in reply(engine, question, greedy(max_tokens=4)))
    assert engine.held is not None
    monkeypatch.setattr(engine.held.tokenizer, "template", ChatTemplate(THINKING, {}))
    kinds = [type(event) for event in reply(engine, question, greedy(max_tokens=4))]
    assert kinds.count(ThoughtOpened) == 1
    assert Delta not in kinds or kinds.index(ThoughtOpened) < kinds.index(Delta)
    goes_on = [*question, Message("assistant", "<think>\nit is")]
    assert ThoughtOpened not in [type(event) for event in reply(engine, goes_on, greedy(max_tokens=4))]


def test_tokens_are_counted_as_the_target_reads_them(tiny: TinyFactory) -> None:
    engine = load(tiny("llama"))
    assert engine.held is not None
    texts = ["", "is the string on?", "on and on " * 50]
    assert engine.count_tokens(texts) == [len(engine.held.tokenizer.encode(text)) for text in texts]
