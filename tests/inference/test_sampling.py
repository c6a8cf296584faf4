"""The filters against plain restatements of their definitions."""

import ctypes
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from inference.chance import AHEAD, Chances
from inference.native.library import load
from inference.sampling import LIKELIEST, Sampler, Views, draw, draw_on_card, filtered, penalize
from inference.settings import SamplingSettings

CPU = torch.device("cpu")
rows = st.lists(st.floats(-8, 8, width=32), min_size=2, max_size=40)


def plain(logits: list[float], s: SamplingSettings) -> list[float]:
    """One row, by the definitions, in double precision and with a sort."""
    order = sorted(range(len(logits)), key=lambda i: -logits[i])
    if s.top_k:
        floor = logits[order[min(s.top_k, len(order)) - 1]]
        order = [i for i in order if logits[i] >= floor]
    top = logits[order[0]]
    weights = {i: math.exp((logits[i] - top) / s.temperature) for i in order}
    total = sum(weights.values())
    mass, last = 0.0, weights[order[0]]
    for i in order:
        if mass / total >= s.top_p:
            break
        mass, last = mass + weights[i], weights[i]
    kept = {i: w for i, w in weights.items() if w >= last and w >= s.min_p}
    return [kept.get(i, 0.0) / sum(kept.values()) for i in range(len(logits))]


@given(rows, st.floats(0.1, 3), st.integers(0, 10), st.floats(0.05, 1), st.floats(0, 0.9))
def test_filters_follow_their_definitions(
    row: list[float], temperature: float, top_k: int, top_p: float, min_p: float
) -> None:
    settings = SamplingSettings(temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p)
    got = filtered(torch.tensor([row]), settings)[0]
    assert got.sum().item() == pytest.approx(1.0, abs=1e-5)
    want = torch.tensor(plain(row, settings))
    # A token right on a threshold may fall either way in single precision: the rest must agree.
    differing = ((got > 0) != (want > 0)).nonzero().flatten().tolist()
    assert len(differing) <= 2
    if not differing:
        assert torch.allclose(got, want, atol=1e-4)


def test_top_p_of_a_flat_row_looks_past_the_likeliest() -> None:
    got = filtered(torch.zeros(1, 4 * LIKELIEST), SamplingSettings(temperature=1.0, top_p=0.9))
    assert (got > 0).all()  # all are equally likely, so none may be cut by the order of sorting
    sloped = torch.linspace(0, 1, 4 * LIKELIEST).unsqueeze(0)
    kept = int((filtered(sloped, SamplingSettings(temperature=1.0, top_p=0.9)) > 0).sum())
    assert LIKELIEST < kept < 4 * LIKELIEST


def test_greedy_is_the_likeliest_token_of_each_row() -> None:
    sampler = Sampler(SamplingSettings(temperature=0), CPU)
    distribution = sampler.distribution(torch.tensor([[0.0, 2.0, 1.0], [3.0, 2.0, 1.0]]))
    assert distribution.probabilities is None
    assert distribution.tokens == (1, 0)
    assert distribution.rows == 2


def test_penalty_divides_positive_and_multiplies_negative_logits() -> None:
    row = torch.tensor([2.0, -2.0, 1.0])
    penalize(row, [0, 1, 99], 2.0)
    assert row.tolist() == [1.0, -4.0, 1.0]


@pytest.mark.parametrize("native", [True, False])
def test_a_row_is_penalized_for_the_draft_in_front_of_it_only(native: bool) -> None:
    load()
    settings = SamplingSettings(temperature=0, repetition_penalty=3.0)
    sampler = Sampler(settings, CPU, [3], native=native)
    logits = torch.tensor([[1.0, 0.9, 0.8, 2.0]]).repeat(3, 1)
    assert sampler.distribution(logits, [0, 1]).tokens == (0, 1, 2)
    assert logits[0, 3] == 2.0, "the model's own logits stay as they are"
    assert sampler.distribution(logits[:1], [0, 1]).tokens == (2,), "one row stands behind the whole draft"
    sampler.commit([0])
    assert sampler.distribution(logits[:1]).tokens == (1,)
    assert Sampler(settings, CPU, [3], native=native).say(logits, [0, 1]) == [0, 1, 2]
    assert Sampler(settings, CPU, [3], native=native).say(logits, [0, 3]) == [0, 1]


def test_the_same_seed_draws_the_same() -> None:
    weights = torch.rand(50)
    settings = SamplingSettings(seed=5)
    first, second = Sampler(settings, CPU).generator, Sampler(settings, CPU).generator
    assert [draw(weights, first) for _ in range(20)] == [draw(weights, second) for _ in range(20)]
    assert Sampler(SamplingSettings(), CPU).seed != Sampler(SamplingSettings(), CPU).seed


def test_draw_never_takes_what_has_no_weight() -> None:
    weights = torch.tensor([0.0, 1e-30, 0.0, 1e-30, 0.0])
    generator = torch.Generator().manual_seed(0)
    assert {draw(weights, generator) for _ in range(200)} == {1, 3}


@pytest.mark.parametrize("size", [1, 5, 128, 129, 1000])
def test_draws_follow_the_weights(size: int) -> None:
    """In blocks or not, and on a card: what is drawn is where the number falls in the sum of all weights."""
    weights = torch.rand(size, generator=torch.Generator().manual_seed(size)) ** 4
    weights[torch.arange(size) % 3 == 1] = 0.0
    mass = weights.double().cumsum(-1)
    first, second, third = (torch.Generator().manual_seed(9) for _ in range(3))
    for _ in range(500):
        chance = float(torch.rand(1, generator=third, dtype=torch.float64))
        token = draw(weights, first)
        assert weights[token] > 0
        assert mass[token] - weights[token] - 1e-4 <= chance * mass[-1] <= mass[token] + 1e-4
        assert abs(float(mass[draw_on_card(weights, second)] - mass[token])) < 1e-3


def test_chance_is_the_processors_where_the_card_has_no_float64() -> None:
    assert Sampler(SamplingSettings(temperature=1.0), torch.device("mps")).generator.device.type == "cpu"


def test_without_filters_the_softmax_is_the_same() -> None:
    logits = torch.randn(3, 500) * 4
    for temperature in (0.2, 0.7, 1.5):
        settings = SamplingSettings(temperature=temperature)
        probabilities = Sampler(settings, CPU, native=False).distribution(logits).probabilities
        assert isinstance(probabilities, np.ndarray)
        assert np.allclose(probabilities, filtered(logits, settings).numpy(), atol=1e-6)


def test_the_likeliest_token_is_that_of_the_logits_as_they_are_now() -> None:
    """A model writes to the same memory again and again, or returns new tensors, as it likes."""
    views = Views()

    def likeliest(logits: torch.Tensor) -> tuple[int, ...]:
        rows = views.of(logits)
        assert rows is not None
        return tuple(rows.argmax(-1).tolist())

    kept = torch.zeros(3, 8)
    for step in range(20):
        kept.zero_()
        kept[torch.arange(3), torch.tensor([step, step + 1, step + 2]) % 8] = 1.0
        assert likeliest(kept) == (step % 8, (step + 1) % 8, (step + 2) % 8)
        fresh = torch.zeros(1, 8)
        fresh[0, (step * 3) % 8] = 1.0
        assert likeliest(fresh) == ((step * 3) % 8,)
    assert likeliest(torch.zeros(2, 8)) == (0, 0), "the first of equals"


def test_chance_belongs_to_a_place() -> None:
    """However far one looks ahead, and whatever was looked at before."""
    wanted = Chances(7).ahead(3 * AHEAD).tolist()
    chances, got = Chances(7), list[float]()
    while len(got) < 2 * AHEAD:
        step = 1 + len(got) % 9
        chances.ahead(1 + len(got) % 17)
        numbers = chances.ahead(step).tolist()
        assert ctypes.c_double.from_address(chances.address(step)).value == numbers[0]
        got += numbers
        chances.advance(step)
    assert got == wanted[: len(got)]
    assert 0.45 < np.mean(wanted) < 0.55
    assert Chances(8).ahead(1) != wanted[0]
