"""Keys and values at 16, 8 and 4 bits: what is kept, and that a text reads the same however it was written."""

import pytest
import torch

from inference.native.library import Library
from inference.native.native_model import NativeModel
from inference.native.page_cache import PageCache
from tests.inference.native.test_library import heads, normal
from tests.inference.native.test_native_model import native, reference, tokens

STEPS = {16: 2**-11, 8: 1 / 127, 4: 1.1 / 15}  # the coarsest step, in parts of a group's largest value or its range


@pytest.mark.parametrize("bits", [16, 8, 4])
@pytest.mark.parametrize("size", [32, 48])
def test_what_is_kept_is_near_what_was_written(library: Library, bits: int, size: int) -> None:
    cache = PageCache(2, 2, size, 400, bits=bits)
    assert library.functions.foreword_page_bytes(2, 2, size, bits) == cache.page_bytes
    q, k, v = normal(300, 6 * size), normal(300, 2 * size, seed=1), normal(300, 2 * size, seed=2)
    settings = heads(size)
    turned = k.clone()
    library.attention(settings, q, turned, v, cache=cache, layer=1)
    cache.length = 300
    for kept, written in ((cache.keys(1), turned), (cache.values(1), v)):
        wanted = written.view(300, 2, size)
        reach = wanted.max() - wanted.min()
        assert kept.shape == wanted.shape
        assert (kept - wanted).abs().max() <= STEPS[bits] * reach / 2 * 1.1
    assert cache.copy(270).keys(1).equal(cache.keys(1)[:270])
    assert cache.copy(270).bits == bits


@pytest.mark.parametrize("bits", [8, 4])
def test_rows_know_nothing_of_each_other_and_rolling_back_leaves_no_trace(library: Library, bits: int) -> None:
    llama: NativeModel = native(reference("llama"), library)
    text = tokens(300)
    whole = llama.forward(text, llama.new_cache(400, bits), rows=300)
    cache = llama.new_cache(400, bits)
    position = 0
    for count in (1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33, 100, 89):
        llama.forward(tokens(9)[::-1], cache)  # a draft that is not accepted
        cache.truncate(position)
        part = llama.forward(text[position : position + count], cache, rows=count)
        assert torch.equal(part, whole[position : position + count])
        position += count
    exact = llama.forward(text, llama.new_cache(400), rows=300)
    assert 0 < (whole - exact).norm() < {8: 0.06, 4: 0.5}[bits] * exact.norm()
    other = llama.new_cache(400)
    pair = llama.forward_texts([5, 5], [cache, other])
    assert torch.equal(pair[0], llama.forward([5], llama_after(llama, text, bits))[0]), "beside a cache of other bits"


def llama_after(llama: NativeModel, text: list[int], bits: int) -> PageCache:
    cache = llama.new_cache(400, bits)
    llama.forward(text, cache)
    return cache


def test_other_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="16, 8 or 4"):
        PageCache(1, 1, 32, 10, bits=5)
