"""Greedy output with speculation is greedy output without it, token for token, for every drafter and K."""

import pytest

from inference.engine import Engine
from tests.inference.conftest import TinyFactory
from tests.inference.engines import ask, finished, greedy, held, load, reply, text_of

KINDS = ("llama", "qwen3", "gemma3", "qwen3_5")
QUESTIONS = (
    ask("hello hello hello the system is the system is"),
    ask("and on and on and on", "is the string on?", "the string is on and on"),
)


@pytest.fixture(scope="module", params=KINDS)
def engine(request: pytest.FixtureRequest, tiny: TinyFactory, tiny_draft: TinyFactory) -> Engine:
    return load(tiny(request.param, layers=4, seed=3), tiny_draft(request.param, keep=3, layers=4, seed=3))


def tokens(engine: Engine) -> list[int]:
    """Prompt and reply of the last run."""
    return held(engine)[-1].copy()


@pytest.mark.parametrize("drafter", ["ngram", "model", "combined"])
def test_every_draft_length_gives_the_same_tokens(engine: Engine, drafter: str) -> None:
    for question in QUESTIONS:
        plain = reply(engine, question, greedy())
        expected = tokens(engine)
        proposed = 0
        for k in range(1, 9):
            drafted = reply(engine, question, greedy(drafter, k))
            assert tokens(engine) == expected, f"K = {k}"
            assert text_of(drafted) == text_of(plain)
            assert finished(drafted).reason == finished(plain).reason
            proposed += finished(drafted).statistics.proposed
        assert proposed > 0, "nothing was drafted, so nothing was tested"


def test_penalties_are_the_same_with_and_without_a_draft(engine: Engine) -> None:
    plain = reply(engine, QUESTIONS[0], greedy(repetition_penalty=1.3))
    for drafter in ("ngram", "model", "combined"):
        assert text_of(reply(engine, QUESTIONS[0], greedy(drafter, 5, repetition_penalty=1.3))) == text_of(plain)
