"""One pass over many texts: each row is, bit for bit, what its text alone would have given."""

import pytest
import torch

from inference.native.library import Library
from tests.inference.native.test_native_model import VOCABULARY, native, reference, tokens

LENGTHS = (1, 255, 256, 257, 300, 17)  # on both sides of a page's border


@pytest.mark.parametrize("family", ["llama", "qwen2", "qwen3", "gemma3"])
@pytest.mark.parametrize("threads", [1, 3])
def test_texts_do_not_know_of_each_other(library: Library, family: str, threads: int) -> None:
    model = native(reference(family), library)
    before, library.threads = library.threads, threads
    try:
        texts = [tokens(length) for length in LENGTHS]
        together, alone = ([model.new_cache(400) for _ in texts] for _ in range(2))
        for caches in (together, alone):
            for text, cache in zip(texts, caches, strict=True):
                model.forward(text, cache)
        model.observe((0, 2))
        for token in (3, 7, 11):
            asked = [(token * (i + 1)) % VOCABULARY for i in range(len(texts))]
            wanted, seen = [], []
            for one, cache in zip(asked, alone, strict=True):
                wanted.append(model.forward([one], cache).clone())
                seen.append(model.features().clone())
            assert torch.equal(model.forward_texts(asked, together), torch.cat(wanted))
            assert torch.equal(model.features(), torch.cat(seen))
        assert [cache.length for cache in together] == [length + 3 for length in LENGTHS]
    finally:
        library.threads = before


def test_what_does_not_fit_is_refused(library: Library) -> None:
    model = native(reference("llama"), library)
    cache, other = model.new_cache(8), model.new_cache(8)
    full = model.new_cache(8)
    model.forward(tokens(8), full)
    for asked, caches in (([], []), ([1], [cache, other]), ([1, 2], [cache, cache]), ([VOCABULARY], [cache])):
        with pytest.raises(ValueError):
            model.forward_texts(asked, caches)
    with pytest.raises(ValueError):
        model.forward_texts([1], [full])
    with pytest.raises(ValueError):
        model.forward_texts([1], [cache], torch.empty(2, VOCABULARY))
    assert cache.length == other.length == 0 and full.length == 8
