"""Keys and values at 16 bits and fewer: what is kept, and that a text reads the same however it was written."""

from dataclasses import replace

import pytest
import torch

from inference.native.library import Library
from inference.native.native_model import Heads, NativeModel
from inference.native.page_cache import PageCache, key_bits
from tests.inference.native.test_library import heads, normal
from tests.inference.native.test_native_model import native, reference, tokens

# The coarsest step, in parts of a group's largest value or its range.
STEPS = {16: 2**-11, 8: 1 / 127, 5: 1.1 / 31, 4: 1.1 / 15, 2: 1.8 / 3}


@pytest.mark.parametrize("bits", [16, 8, 4, 2])
@pytest.mark.parametrize("size", [32, 48, 64])
def test_what_is_kept_is_near_what_was_written(library: Library, bits: int, size: int) -> None:
    cache = PageCache(2, 2, size, 400, bits=bits)
    assert library.functions.foreword_page_bytes(2, 2, size, bits) == cache.page_bytes
    q, k, v = normal(300, 6 * size), normal(300, 2 * size, seed=1), normal(300, 2 * size, seed=2)
    settings = heads(size)
    turned = k.clone()
    library.attention(settings, q, turned, v, cache=cache, layer=1)
    cache.length = 300
    for kept, written, step in ((cache.keys(1), turned, STEPS[key_bits(bits)]), (cache.values(1), v, STEPS[bits])):
        wanted = written.view(300, 2, size)
        reach = wanted.max() - wanted.min()
        assert kept.shape == wanted.shape
        assert (kept - wanted).abs().max() <= step * reach / 2 * 1.1
    assert cache.copy(270).keys(1).equal(cache.keys(1)[:270])
    assert cache.copy(270).bits == bits


@pytest.mark.parametrize("bits", [8, 4, 2])
@pytest.mark.parametrize("kind", ["llama", "qwen2"])
def test_rolling_back_leaves_no_trace_in_other_rows(library: Library, kind: str, bits: int) -> None:
    llama: NativeModel = native(reference(kind), library)
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
    assert 0 < (whole - exact).norm() < {8: 0.06, 4: 0.5, 2: 0.8}[bits] * exact.norm()
    other = llama.new_cache(400)
    pair = llama.forward_texts([5, 5], [cache, other])
    assert torch.equal(pair[0], llama.forward([5], llama_after(llama, text, bits))[0]), "beside a cache of other bits"


def test_what_is_the_same_in_every_key_costs_no_bits(library: Library) -> None:
    model = reference("qwen2")
    for layer in model.model.layers:
        with torch.no_grad():
            layer.self_attn.k_proj.bias.normal_(0, 0.3).view(2, -1)[:, [3, 15, 19]] += 60  # as in Qwen2.5
    qwen, text = native(model, library), tokens(200)
    exact = qwen.forward(text, qwen.new_cache(200), rows=200)
    kept = qwen.forward(text, qwen.new_cache(200, 4), rows=200)
    assert (kept - exact).norm() < 0.2 * exact.norm()
    bare = Heads(6, 2, 32, 32**-0.5, qwen.weights.layers[0].heads.rotary)
    without = replace(qwen.weights, layers=tuple(replace(layer, heads=bare) for layer in qwen.weights.layers))
    blind = NativeModel(library, without)
    spoiled = blind.forward(text, blind.new_cache(200, 4), rows=200)
    assert (spoiled - exact).norm() > 3 * (kept - exact).norm()


def llama_after(llama: NativeModel, text: list[int], bits: int) -> PageCache:
    cache = llama.new_cache(400, bits)
    llama.forward(text, cache)
    return cache


def test_other_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="16, 8, 4, 2"):
        PageCache(1, 1, 32, 10, bits=5)
