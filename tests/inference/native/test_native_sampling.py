"""Sampling in native code against the definition in torch, row by row."""

import gc
from dataclasses import replace

import numpy as np
import pytest
import torch

from inference.native.addresses import Addresses
from inference.native.library import Library, load
from inference.sampling import Sampler, filtered
from inference.settings import SamplingSettings

CPU = torch.device("cpu")
SETTINGS = [
    SamplingSettings(temperature=0.0),
    SamplingSettings(temperature=0.7),
    SamplingSettings(temperature=0.7, top_k=40),
    SamplingSettings(temperature=1.0, top_p=0.9),
    SamplingSettings(temperature=3.0, top_p=0.97),
    SamplingSettings(temperature=1.3, min_p=0.1),
    SamplingSettings(temperature=0.9, top_k=500, top_p=0.8, min_p=0.01, repetition_penalty=1.2),
    SamplingSettings(temperature=1.0, top_p=0.0),
]
name = pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: f"T{s.temperature}-{s.top_k}-{s.top_p}-{s.min_p}")


def pair(settings: SamplingSettings, seen: list[int]) -> tuple[Sampler, Sampler]:
    load()
    native, plain = (Sampler(replace(settings, seed=11), CPU, seen, native=way) for way in (True, False))
    assert native._native is not None and plain._native is None
    return native, plain


@name
@pytest.mark.parametrize("size", [7, 256, 3000])
def test_the_same_words_for_the_same_chances(settings: SamplingSettings, size: int, library: Library) -> None:
    native, plain = pair(settings, [1, 2, 5])
    different = 0
    for seed in range(60):
        logits = torch.randn(4, size, generator=torch.Generator().manual_seed(seed)) * 3
        draft = logits[:3].argmax(-1).tolist()
        said, wanted = native.say(logits, draft), plain.say(logits, draft)
        different += said != wanted  # right on a border between two tokens, rounding may decide
        for speaker in (native, plain):
            speaker.commit(wanted)
    assert different <= 1


@name
@pytest.mark.parametrize("size", [5, 700, 3000])
def test_the_same_probabilities(settings: SamplingSettings, size: int, library: Library) -> None:
    if settings.greedy:
        return
    native, plain = pair(settings, [0, 3])
    logits = torch.randn(3, size, generator=torch.Generator().manual_seed(size)) * 3
    got, wanted = (np.asarray(one.distribution(logits, [1, 4]).probabilities) for one in (native, plain))
    assert got.sum(-1) == pytest.approx(1.0, abs=1e-5)
    assert ((got > 0) != (wanted > 0)).sum() <= 2, "a token right on a threshold may fall either way"
    assert np.abs(got - wanted).max() < 1e-3 * wanted.max()


@name
def test_every_instruction_set_says_the_same(settings: SamplingSettings, library: Library) -> None:
    logits = torch.randn(40, 1000, generator=torch.Generator().manual_seed(1)) * 3
    best, found = library.instruction_set, []
    try:
        for instruction_set in (*{"avx512vnni": ("avx512vnni", "avx2")}.get(best, (best,)), "scalar"):
            library.use(instruction_set)
            speaker, _ = pair(settings, [1])
            found.append([speaker.say(row.unsqueeze(0)) for row in logits])
    finally:
        library.use(best)
    assert all(said == found[0] for said in found)


def test_ties_at_the_threshold_all_stay(library: Library) -> None:
    """As in torch: which of equals is cut must not depend on the order of sorting."""
    logits = torch.tensor([[2.0, 1.0, 1.0, 1.0, 0.0]])
    for settings in (SamplingSettings(temperature=1.0, top_k=2), SamplingSettings(temperature=1.0, top_p=0.5)):
        native, _ = pair(settings, [])
        got = np.asarray(native.distribution(logits).probabilities)
        assert np.allclose(got, filtered(logits, settings).numpy(), atol=1e-6)
        assert (got > 0).tolist() == [[True, True, True, True, False]]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_what_is_no_number_is_never_said(temperature: float, library: Library) -> None:
    native, _ = pair(SamplingSettings(temperature=temperature), [])
    logits = torch.full((1, 600), -torch.inf)
    logits[0, ::2] = torch.nan
    logits[0, 301] = -5.0
    assert native.say(logits) == [301], "forbidden tokens and NaN have no weight"
    logits[0, 599] = torch.inf
    assert native.say(logits) == [599]
    assert native.say(torch.full((1, 600), torch.nan)) == [0], "a token in any case"


def test_logits_of_another_kind_are_left_to_torch(library: Library) -> None:
    native, _ = pair(SamplingSettings(temperature=0.0), [])
    logits = torch.zeros(2, 30, dtype=torch.float64)
    logits[0, 7] = logits[1, 9] = 1.0
    assert native.say(logits, [7]) == [7, 9]
    assert native.say(logits.float().T.contiguous().T, [8]) == [7]


def test_addresses_are_those_of_living_tensors() -> None:
    addresses = Addresses()
    kept = torch.zeros(3, 4)
    for step in range(3 * Addresses.MOST):
        passing = torch.zeros(1 + step % 5, 8)
        place = addresses.of(passing)
        assert place == (passing.data_ptr(), 1 + step % 5, 8)
        assert addresses.of(kept) == (kept.data_ptr(), 3, 4)
        del passing
        gc.collect(0)
    assert addresses.of(kept[:, :2]) is None, "not contiguous"
