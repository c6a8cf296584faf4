"""Sampled replies have the target's distribution with every drafter: chi-square through Engine.generate."""

import threading
from collections import Counter

import pytest
import torch
from scipy.stats import chi2

from inference.engine import Engine
from inference.events import Failed
from inference.sampling import filtered
from inference.settings import GenerationSettings, SamplingSettings, SpeculationSettings
from tests.inference.conftest import TinyFactory
from tests.inference.engines import ask, held, load

RUNS = 600
LENGTH = 3
QUESTION = ask("the the the the the")
FILTERS = {
    "plain": SamplingSettings(temperature=1.0),
    "filtered": SamplingSettings(temperature=0.8, top_k=8, top_p=0.95, min_p=0.02),
}


@pytest.fixture(scope="module")
def engine(tiny: TinyFactory, tiny_draft: TinyFactory) -> Engine:
    return load(tiny("llama", layers=3, vocabulary=40), tiny_draft("llama", keep=2, layers=3, vocabulary=40))


def settings(drafter: str, sampling: SamplingSettings, seed: int) -> GenerationSettings:
    from dataclasses import replace

    speculation = SpeculationSettings(mode="on", drafter=drafter, draft_length=3, dynamic=False)  # type: ignore[arg-type]
    return GenerationSettings(replace(sampling, seed=seed), speculation, max_tokens=LENGTH)


def replies(engine: Engine, drafter: str, sampling: SamplingSettings) -> Counter[tuple[int, ...]]:
    """Tokens of RUNS replies of at most LENGTH tokens, each with a seed of its own."""
    counts: Counter[tuple[int, ...]] = Counter()
    for seed in range(RUNS):
        events = list(engine.generate(QUESTION, settings(drafter, sampling, seed), threading.Event()))
        assert not isinstance(events[-1], Failed), events[-1]
        session = held(engine)[-1]
        counts[tuple(session[-events[-1].statistics.reply_tokens :])] += 1  # type: ignore[union-attr]
    return counts


def exact(engine: Engine, sampling: SamplingSettings) -> list[dict[tuple[int, ...], float]]:
    """Probability of each beginning of one and of two tokens, from the model's own logits."""
    assert engine._host.target is not None
    model, prompt = engine._host.target.model, held(engine)[-1]
    ends = engine._host.target.tokenizer.end_tokens()

    def row(tokens: list[int]) -> torch.Tensor:
        return filtered(model.forward(tokens, model.new_cache()), sampling)[0]

    first = {(t,): float(p) for t, p in enumerate(row(prompt)) if p > 0}
    second: dict[tuple[int, ...], float] = {}
    for (t,), p in first.items():
        if t in ends:
            second[(t,)] = p
        else:
            second |= {(t, u): p * float(q) for u, q in enumerate(row([*prompt, t])) if q > 0}
    return [first, second]


def assert_distributed(counts: Counter[tuple[int, ...]], expected: dict[tuple[int, ...], float]) -> None:
    """Chi-square over the beginnings that are due at least five times; the rest are one cell."""
    assert set(counts) <= set(expected), "something was said that the target never says"
    common = {key for key, p in expected.items() if p * RUNS >= 5}
    cells = [(counts[key], RUNS * expected[key]) for key in common]
    rest = RUNS * (1 - sum(expected[key] for key in common))
    if rest > 1:
        cells.append((RUNS - sum(seen for seen, _ in cells), rest))
    statistic = sum((seen - due) ** 2 / due for seen, due in cells)
    assert statistic < chi2.ppf(0.9999, max(len(cells) - 1, 1)), (statistic, len(cells))


@pytest.mark.parametrize("filters", FILTERS)
@pytest.mark.parametrize("drafter", ["none", "ngram", "model", "combined"])
def test_replies_are_distributed_as_the_target_says(engine: Engine, drafter: str, filters: str) -> None:
    sampling = FILTERS[filters]
    counts = replies(engine, drafter, sampling)
    prompt = held(engine)[-1]
    del prompt[prompt_length(engine) :]
    for length, expected in enumerate(exact(engine, sampling), 1):
        beginnings: Counter[tuple[int, ...]] = Counter()
        for tokens, count in counts.items():
            beginnings[tokens[:length]] += count
        assert_distributed(beginnings, expected)


def prompt_length(engine: Engine) -> int:
    from inference.chat_template import render

    assert engine._host.target is not None
    return len(render(engine._host.target.tokenizer, QUESTION))


def test_the_same_seed_says_the_same(engine: Engine) -> None:
    def once(seed: int) -> tuple[int, ...]:
        list(engine.generate(QUESTION, settings("model", FILTERS["plain"], seed), threading.Event()))
        return tuple(held(engine)[-1])

    assert once(7) == once(7)
    assert len({once(seed) for seed in range(8)}) > 1
