"""What comes out of `verify` is distributed as the target says, whatever the draft."""

from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from inference.drafters.drafter import Draft
from inference.sampling import Distribution, draw, filtered
from inference.settings import SamplingSettings
from inference.verify import Verdict, residual, verify

VOCABULARY = 12
FILTERS = [
    SamplingSettings(temperature=1.0),
    SamplingSettings(temperature=0.7, top_k=6),
    SamplingSettings(temperature=1.4, top_p=0.8),
    SamplingSettings(temperature=1.0, min_p=0.1),
]


def rows(seed: int, count: int, settings: SamplingSettings) -> torch.Tensor:
    logits = torch.randn(count, VOCABULARY, generator=torch.Generator().manual_seed(seed)) * 1.5
    return filtered(logits, settings)


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
@pytest.mark.parametrize("kind", ["full", "full, other filter", "point"])
def test_the_first_token_has_the_targets_distribution(settings: SamplingSettings, kind: str, form: str) -> None:
    p = rows(1, 3, settings)
    target = Distribution(FORMS[form](p))
    q = rows(2, 2, settings if kind == "full" else SamplingSettings(temperature=2.0))
    generator = torch.Generator().manual_seed(3)
    counts: Counter[int] = Counter()
    for _ in range(4000):
        drawn = Draft((draw(q[0], generator), draw(q[1], generator)), FORMS[form](q))
        draft = Draft((4, 7)) if kind == "point" else drawn
        verdict = verify(draft, target, generator)
        counts[draft.tokens[0] if verdict.accepted else verdict.token] += 1
    assert_distributed(counts, p[0])


@pytest.mark.parametrize("kind", ["full", "point"])
def test_the_second_token_has_its_rows_distribution(kind: str) -> None:
    settings = FILTERS[0]
    p, q = rows(4, 3, settings), rows(5, 2, settings)
    generator = torch.Generator().manual_seed(6)
    counts: Counter[int] = Counter()
    for _ in range(8000):
        first = draw(q[0], generator) if kind == "full" else int(p[0].argmax())
        draft = Draft((first, draw(q[1], generator) if kind == "full" else 3), q if kind == "full" else None)
        verdict = verify(draft, Distribution(p), generator)
        if verdict.accepted:
            counts[draft.tokens[1] if verdict.accepted == 2 else verdict.token] += 1
    assert_distributed(counts, p[1])


def test_a_draft_from_the_targets_own_distribution_is_always_accepted() -> None:
    p = rows(7, 4, FILTERS[0])
    generator = torch.Generator().manual_seed(8)
    for _ in range(200):
        draft = Draft(tuple(draw(row, generator) for row in p[:3]), p[:3])
        assert verify(draft, Distribution(p), generator).accepted == 3


@given(st.lists(st.integers(0, 3), max_size=6), st.lists(st.integers(0, 3), min_size=7, max_size=7))
def test_greedy_takes_the_common_prefix_and_then_the_targets_token(drafted: list[int], best: list[int]) -> None:
    best = best[: len(drafted) + 1]
    generator = torch.Generator().manual_seed(0)
    verdict = verify(Draft(tuple(drafted)), Distribution(None, tuple(best)), generator)
    assert drafted[: verdict.accepted] == best[: verdict.accepted]
    assert verdict.accepted == len(drafted) or drafted[verdict.accepted] != best[verdict.accepted]
    assert verdict.token == best[verdict.accepted]
    one_hot = torch.eye(4)[list(best)]
    assert verify(Draft(tuple(drafted)), Distribution(one_hot), generator) == verdict, "no special case"


def test_a_refusal_in_spite_of_equal_distributions_still_yields_a_token() -> None:
    p = rows(9, 1, FILTERS[0])[0]
    assert residual(p, Draft((1,), p.unsqueeze(0)), 0) is p


def test_rows_must_fit_the_draft() -> None:
    with pytest.raises(ValueError, match="2 rows"):
        verify(Draft((1,)), Distribution(None, (1,)), torch.Generator())
    assert verify(Draft(), Distribution(None, (5,)), torch.Generator()) == Verdict(0, 5)
