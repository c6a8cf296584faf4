"""The length-addressed cache."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from inference.models.fused.architecture import Architecture
from inference.models.fused.cache import BLOCK, FIRST_CAPACITY, FusedCache

SHAPE = Architecture.from_config({
    "model_type": "llama", "vocab_size": 10, "hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 2,
    "num_attention_heads": 2,
})  # fmt: skip


def new(context: int = 1000) -> FusedCache:
    assert SHAPE is not None
    return FusedCache(SHAPE, context, torch.float32, torch.device("cpu"))


def test_an_empty_cache_takes_no_memory() -> None:
    assert new().nbytes == 0


def test_growth_is_geometric_and_keeps_what_is_there() -> None:
    cache = new(10_000)
    capacities = []
    for length in range(1, 5000, 7):
        cache.reserve(length)
        cache.keys[:, :, cache.length : length] = float(length)
        cache.length = length
        capacities.append(cache.capacity)
    assert len(set(capacities)) <= 6
    assert capacities[0] == FIRST_CAPACITY
    assert float(cache.keys[0, 0, 0, 0]) == 1.0
    assert float(cache.keys[1, 1, 4995, 0]) == 4999.0


def test_never_beyond_the_context() -> None:
    cache = new(100)
    cache.reserve(100)
    assert cache.capacity <= 100 + BLOCK
    with pytest.raises(ValueError, match="101 tokens do not fit"):
        cache.reserve(101)


@given(st.lists(st.integers(0, 200), max_size=20))
def test_truncate_says_what_remains_or_refuses(cuts: list[int]) -> None:
    cache = new()
    cache.reserve(150)
    cache.length = 150
    for cut in cuts:
        before = cache.length
        if cut > before:
            with pytest.raises(ValueError, match="cannot be cut"):
                cache.truncate(cut)
        else:
            assert cache.truncate(cut) == cut
        assert cache.length == min(before, cut)


def test_a_copy_is_independent() -> None:
    cache = new()
    cache.reserve(10)
    cache.keys[:] = 1.0
    cache.length = 10
    twin = cache.copy(4)
    cache.keys[:] = 2.0
    assert twin.length == 4
    assert bool((twin.keys[:, :, :4] == 1.0).all())
    with pytest.raises(ValueError, match="holds no"):
        twin.copy(5)
