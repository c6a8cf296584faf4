"""What comes out of `verify` is distributed as the target says, whatever the draft."""

from collections import Counter
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from inference.drafters.drafter import Draft
from inference.native.library import load
from inference.sampling import Distribution, Sampler, draw, filtered
from inference.settings import SamplingSettings
from inference.verify import Verdict, judge, residual, verify

CPU = torch.device("cpu")
VOCABULARY = 12
FILTERS = [
    SamplingSettings(temperature=1.0),
    SamplingSettings(temperature=0.7, top_k=6),
    SamplingSettings(temperature=1.4, top_p=0.8),
    SamplingSettings(temperature=1.0, min_p=0.1),
]


def some_logits(seed: int, count: int) -> torch.Tensor:
    return torch.randn(count, VOCABULARY, generator=torch.Generator().manual_seed(seed)) * 1.5


def rows(seed: int, count: int, settings: SamplingSettings) -> torch.Tensor:
    return filtered(some_logits(seed, count), settings)


def sampler(settings: SamplingSettings, native: bool) -> Sampler:
    load()  # the kernels, which a model would have loaded
    made = Sampler(replace(settings, seed=3), CPU, native=native)
    assert (made._native is not None) == native
    return made


def assert_distributed(counts: Counter[int], expected: torch.Tensor) -> None:
    """Chi-square at a level of one in ten thousand; fixed seeds, so the outcome is the same in every run."""
    total = sum(counts.values())
    assert not [t for t in counts if expected[t] == 0], "a token without probability was drawn"
    cells = [(counts[t], total * float(p)) for t, p in enumerate(expected) if p > 0]
    statistic = sum((seen - due) ** 2 / due for seen, due in cells)
    assert statistic < chi2.ppf(0.9999, max(len(cells) - 1, 1))


FORMS = {"torch": lambda p: p, "numpy": lambda p: p.numpy()}  # as on a graphics card, and on the CPU


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("settings", FILTERS, ids=lambda s: f"T{s.temperature}-k{s.top_k}-p{s.top_p}-m{s.min_p}")
@pytest.mark.parametrize("kind", ["full", "full, other filter"])
def test_the_first_token_has_the_targets_distribution(settings: SamplingSettings, kind: str, form: str) -> None:
    p = rows(1, 3, settings)
    q = rows(2, 2, settings if kind == "full" else SamplingSettings(temperature=2.0))
    generator = torch.Generator().manual_seed(3)
    counts: Counter[int] = Counter()
    for _ in range(4000):
        draft = Draft((draw(q[0], generator), draw(q[1], generator)), FORMS[form](q))
        verdict = judge(draft, FORMS[form](q), FORMS[form](p), generator)
        counts[draft.tokens[0] if verdict.accepted else verdict.token] += 1
    assert_distributed(counts, p[0])


@pytest.mark.parametrize("native", [True, False], ids=["native", "torch"])
@pytest.mark.parametrize("settings", FILTERS, ids=lambda s: f"T{s.temperature}-k{s.top_k}-p{s.top_p}-m{s.min_p}")
def test_after_a_point_draft_the_tokens_have_their_rows_distributions(settings: SamplingSettings, native: bool) -> None:
    logits, p = some_logits(1, 3), rows(1, 3, settings)
    likely = int(p[0].argmax())
    first: Counter[int] = Counter()
    second: Counter[int] = Counter()
    speaker = sampler(settings, native)
    for _ in range(4000):
        draft = Draft((likely, 7))
        verdict = verify(draft, logits, speaker)
        said = (*draft.tokens[: verdict.accepted], verdict.token)
        speaker.commit(said)
        first[said[0]] += 1
        if verdict.accepted:
            second[said[1]] += 1
    assert_distributed(first, p[0])
    assert_distributed(second, p[1])


def test_the_second_token_has_its_rows_distribution() -> None:
    settings = FILTERS[0]
    p, q = rows(4, 3, settings), rows(5, 2, settings)
    generator = torch.Generator().manual_seed(6)
    counts: Counter[int] = Counter()
    for _ in range(8000):
        draft = Draft((draw(q[0], generator), draw(q[1], generator)), q)
        verdict = judge(draft, q, p, generator)
        if verdict.accepted:
            counts[draft.tokens[1] if verdict.accepted == 2 else verdict.token] += 1
    assert_distributed(counts, p[1])


@pytest.mark.parametrize("native", [True, False], ids=["native", "torch"])
def test_a_draw_is_judged_by_what_its_sampler_makes_of_the_logits(native: bool) -> None:
    settings = SamplingSettings(temperature=0.8, top_k=7, top_p=0.9, repetition_penalty=1.3)
    logits, target = some_logits(1, 2), sampler(settings, native)
    target.commit([2, 5])
    p = target.distribution(logits, [1]).probabilities
    q = rows(2, 1, settings)
    counts: Counter[int] = Counter()
    for _ in range(4000):
        draft = Draft((draw(q[0], target.generator),), q)
        verdict = verify(draft, logits, target)
        counts[draft.tokens[0] if verdict.accepted else verdict.token] += 1
    assert p is not None
    assert_distributed(counts, torch.as_tensor(p[0]))


def test_a_draft_from_the_targets_own_distribution_is_always_accepted() -> None:
    p = rows(7, 4, FILTERS[0])
    generator = torch.Generator().manual_seed(8)
    for _ in range(200):
        draft = Draft(tuple(draw(row, generator) for row in p[:3]), p[:3])
        assert judge(draft, p[:3], p, generator).accepted == 3


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("native", [True, False], ids=["native", "torch"])
@given(st.lists(st.integers(0, 3), max_size=6), st.lists(st.integers(0, 3), min_size=7, max_size=7))
def test_a_sure_target_takes_the_common_prefix_and_then_says_its_own(
    native: bool, temperature: float, drafted: list[int], best: list[int]
) -> None:
    best = best[: len(drafted) + 1]
    logits = 200 * torch.eye(4)[list(best)]
    verdict = verify(Draft(tuple(drafted)), logits, sampler(SamplingSettings(temperature=temperature), native))
    assert drafted[: verdict.accepted] == best[: verdict.accepted]
    assert verdict.accepted == len(drafted) or drafted[verdict.accepted] != best[verdict.accepted]
    assert verdict.token == best[verdict.accepted]


@pytest.mark.parametrize("native", [True, False], ids=["native", "torch"])
def test_what_is_said_does_not_depend_on_the_draft(native: bool) -> None:
    """Not even at a temperature: a seed stands for one text."""

    def text(k: int, right: bool) -> list[int]:
        speaker, said, row = sampler(SamplingSettings(temperature=1.0), native), list[int](), some_logits(9, 80)
        while len(said) < 60:
            at = len(said)
            draft = Draft(tuple(known[at : at + k]) if right else (5,) * k)
            verdict = verify(draft, row[at : at + k + 1].clone(), speaker)
            new = [*draft.tokens[: verdict.accepted], verdict.token]
            speaker.commit(new)
            said += new
        return said[:60]

    known = text(0, right=False)
    assert len(set(known)) > 5
    for k in (1, 2, 5):
        assert text(k, right=False) == known
    known += [0] * 5
    assert text(4, right=True) == known[:60]


def test_a_refusal_in_spite_of_equal_distributions_still_yields_a_token() -> None:
    p = rows(9, 1, FILTERS[0])[0]
    assert residual(p, p) is p


@pytest.mark.parametrize("native", [True, False], ids=["native", "torch"])
def test_rows_must_fit_the_draft(native: bool) -> None:
    greedy, warm = sampler(SamplingSettings(temperature=0), native), sampler(FILTERS[0], native)
    with pytest.raises(ValueError, match="2 rows"):
        verify(Draft((1,)), some_logits(1, 1), greedy)
    with pytest.raises(ValueError, match="2 rows"):
        verify(Draft((1,), rows(1, 1, FILTERS[0])), some_logits(1, 1), warm)
    with pytest.raises(ValueError, match="temperature 0"):
        verify(Draft((1,), rows(1, 1, FILTERS[0])), some_logits(1, 2), greedy)
    assert verify(Draft(), 9 * torch.eye(4)[2:3], greedy) == Verdict(0, 2)
    assert Distribution(None, (5,)).rows == 1
