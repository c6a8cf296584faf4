"""Greedy output with speculation is greedy output without it, token for token, for every drafter and K."""

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from inference.drafters.draft_model import ModelDrafter
from inference.engine import Engine
from inference.events import Delta
from tests.inference.conftest import TinyFactory
from tests.inference.engines import ask, finished, greedy, held, load, pieces_of, reply, text_of

KINDS = ("llama", "qwen3", "gemma3", "qwen3_5")
QUESTIONS = (
    ask("hello hello hello the system is the system is"),
    ask("and on and on and on", "is the string on?", "the string is on and on"),
)


@pytest.fixture(scope="module", params=KINDS)
def engine(request: pytest.FixtureRequest, tiny: TinyFactory, tiny_draft: TinyFactory) -> Engine:
    return load(tiny(request.param, layers=4, seed=3), tiny_draft(request.param, keep=3, layers=4, seed=3))


@pytest.fixture(scope="module")
def overlapping(request: pytest.FixtureRequest, tiny: TinyFactory, tiny_draft: TinyFactory) -> Iterator[Engine]:
    """As if the draft were on another device: it writes on while the target verifies."""
    folder = tiny(request.param, layers=4, seed=3)
    engine = load(folder, tiny_draft(request.param, keep=3, layers=4, seed=3), overlap=True)
    yield engine
    engine.unload()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("draft ahead")]


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


@pytest.mark.parametrize("least_chance", [0.001, 0.4])
def test_drafts_that_end_early_give_the_same_tokens(
    engine: Engine, least_chance: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply(engine, QUESTIONS[0], greedy())
    expected = tokens(engine)
    engine.forget_chats()
    monkeypatch.setattr("inference.crew.LEAST_CHANCE", least_chance)
    for k in range(1, 9):
        drafted = finished(reply(engine, QUESTIONS[0], greedy("model", k))).statistics
        assert tokens(engine) == expected, f"K = {k}"
        assert drafted.proposed > 0
    assert drafted.proposed < 8 * drafted.rounds, "none ended early"
    engine.forget_chats()


def test_drafts_from_past_texts_give_the_same_tokens(engine: Engine, tmp_path: Path) -> None:
    """Past replies that say the same, the same in part, and something else."""
    said = [text_of(reply(engine, question, greedy())) for question in QUESTIONS]
    past = [said[0][:60] + said[1], said[1], said[0][20:90] + "hello", "the system is another one"]
    engine.learn(past, tmp_path, threading.Event())
    plain = reply(engine, QUESTIONS[0], greedy())
    expected = tokens(engine)
    for k in range(1, 9):
        assert text_of(reply(engine, QUESTIONS[0], greedy("ngram", k))) == text_of(plain)
        assert tokens(engine) == expected, f"K = {k}"
    learned = engine.learn(past, tmp_path, threading.Event())
    assert learned is not None and learned.texts == 4
    assert learned.proposed > learned.accepted > 0, "some stood and some fell"
    again = reply(engine, QUESTIONS[0], greedy("ngram", 4))
    statistics, origins = finished(again).statistics, Counter(piece.origin for piece in pieces_of(again))
    assert 0 < statistics.past_accepted <= statistics.past_proposed <= statistics.proposed
    assert origins["recalled"] > 0
    engine.forget_past(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_penalties_are_the_same_with_and_without_a_draft(engine: Engine) -> None:
    plain = reply(engine, QUESTIONS[0], greedy(repetition_penalty=1.3))
    for drafter in ("ngram", "model", "combined"):
        assert text_of(reply(engine, QUESTIONS[0], greedy(drafter, 5, repetition_penalty=1.3))) == text_of(plain)


@pytest.mark.parametrize(
    ("overlapping", "drafter"),
    [("llama", "model"), ("llama", "combined"), ("qwen3_5", "model")],
    indirect=["overlapping"],
)
def test_drafting_while_the_target_verifies_gives_the_same_tokens(overlapping: Engine, drafter: str) -> None:
    engine = overlapping
    question, ready = QUESTIONS[drafter == "model"], 0
    reply(engine, question, greedy(max_tokens=24))
    expected = tokens(engine)
    for k in range(1, 9):
        drafted = reply(engine, question, greedy(drafter, k, max_tokens=24))
        assert tokens(engine) == expected, f"K = {k}"
        ready += finished(drafted).statistics.ready
    assert ready > 0, "nothing was drafted meanwhile, so nothing was tested"


@pytest.mark.parametrize("overlapping", ["llama"], indirect=True)
def test_a_reply_that_breaks_off_leaves_nothing_that_drafts(overlapping: Engine) -> None:
    """Stopped between rounds: the chat goes on from what was shown, and as if it had been read anew."""
    engine = overlapping
    events = engine.generate(QUESTIONS[0], greedy("model", 5), threading.Event())
    for event in events:
        if isinstance(event, Delta):
            break
    events.close()  # type: ignore[attr-defined]
    session = engine._pool._sessions[-1]  # type: ignore[union-attr]
    draft = next(one for kind, one in session.drafters.items() if kind != "ngram")
    assert isinstance(draft, ModelDrafter) and draft._job is None and draft._drafted == []
    assert draft._cache.length <= len(session.tokens) == draft.length
    reply(engine, QUESTIONS[0], greedy("model", 5))
    continued = tokens(engine)
    engine.forget_chats()
    reply(engine, QUESTIONS[0], greedy())
    assert tokens(engine) == continued
