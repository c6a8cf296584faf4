"""The fused decoder against the transformers adapter, and against itself at other numbers of rows."""

import itertools
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from inference.errors import UserError
from inference.models.causal_model import CausalModel
from inference.models.fused.architecture import UnsupportedArchitectureError
from inference.models.fused.model import FusedModel
from inference.models.transformers_model import TransformersModel
from inference.perplexity import perplexity
from tests.inference.conftest import TinyFactory

KINDS = ("llama", "mistral", "qwen2", "qwen3", "smollm3", "gemma3")
TORCH_PRECISIONS = ("float32", "bfloat16", "int8", "int4")
RELATIVE = 2e-6  # of the largest logit, between two orders of the same float32 sums; measured 4e-7

Change = Callable[[dict[str, Any]], None]


@pytest.fixture
def no_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every format in torch, whether this machine has native kernels or not."""
    monkeypatch.setattr("inference.models.fused.model._library", lambda *_: None)
    monkeypatch.setattr("inference.models.fused.model._products", lambda *_: None)


def tokens(count: int, seed: int = 0, high: int = 290) -> list[int]:
    return torch.randint(3, high, (count,), generator=torch.Generator().manual_seed(seed)).tolist()


def fused(folder: Path, precision: Any = "float32", context: int = 512) -> FusedModel:
    return FusedModel.load(folder, precision, "cpu", context)


def read(model: CausalModel, text: list[int], sizes: list[int]) -> torch.Tensor:
    """Logits of every token of `text`, read in pieces of the given sizes, over and over."""
    cache, parts, start = model.new_cache(), [], 0
    for size in itertools.cycle(sizes):
        part = text[start : start + size]
        if not part:
            return torch.cat(parts)
        parts.append(model.forward(part, cache, len(part)).clone())
        start += size
    raise AssertionError


def changed(source: Path, folder: Path, change: Change) -> Path:
    """A copy of a model with another config.json."""
    shutil.copytree(source, folder)
    config = json.loads((folder / "config.json").read_text())
    change(config)
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def assert_same_logits(folder: Path, text: list[int]) -> None:
    expected = read(TransformersModel.load(folder, "float32", "cpu", 512), text, [len(text)])
    found = read(fused(folder), text, [len(text)])
    assert found.shape == expected.shape
    assert float((found - expected).abs().max()) <= RELATIVE * float(expected.abs().max())


@pytest.mark.parametrize("kind", KINDS)
def test_logits_are_those_of_the_adapter(tiny: TinyFactory, kind: str) -> None:
    assert_same_logits(tiny(kind, layers=3), tokens(60))


def _tie(config: dict[str, Any]) -> None:
    config["tie_word_embeddings"] = True


def _linear_scaling(config: dict[str, Any]) -> None:
    config["rope_parameters"] = {"rope_type": "linear", "rope_theta": 10000.0, "factor": 4.0}


def _llama3_scaling(config: dict[str, Any]) -> None:
    config["rope_parameters"] = {
        "rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64,
    }  # fmt: skip


def _window(config: dict[str, Any]) -> None:
    config["sliding_window"] = 16


@pytest.mark.parametrize("change", [_tie, _linear_scaling, _llama3_scaling])
def test_variants_of_llama(tiny: TinyFactory, tmp_path: Path, change: Change) -> None:
    assert_same_logits(changed(tiny("llama"), tmp_path / "changed", change), tokens(100))


def test_mistral_with_a_window(tiny: TinyFactory, tmp_path: Path) -> None:
    assert_same_logits(changed(tiny("mistral"), tmp_path / "changed", _window), tokens(60))


def test_padded_vocabulary(tiny: TinyFactory) -> None:
    model = fused(tiny("llama", padding=13))
    assert model.forward([1], model.new_cache()).shape == (1, model.vocabulary_size)


@pytest.mark.usefixtures("no_kernels")
@pytest.mark.parametrize("precision", TORCH_PRECISIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_row_does_not_depend_on_its_neighbours(tiny: TinyFactory, kind: str, precision: str) -> None:
    assert_rows_alone(fused(tiny(kind), precision))


@pytest.mark.parametrize("precision", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("kind", KINDS)
def test_nor_does_it_where_our_own_kernels_multiply(tiny: TinyFactory, kind: str, precision: str) -> None:
    model = fused(tiny(kind), precision)
    assert model.own_threads and not model.description.endswith("torch")
    assert_rows_alone(model)


def test_the_logits_in_torch_alone_are_those_of_the_adapter_too(tiny: TinyFactory, no_kernels: None) -> None:
    model = fused(tiny("gemma3"))
    assert not model.own_threads and model.description.endswith("torch")
    assert_same_logits(tiny("gemma3"), tokens(60))


def assert_rows_alone(model: FusedModel) -> None:
    """Bit for bit: one row at a time, K + 1 rows, a prefill, and any mixture of them, across a growing cache."""
    text = tokens(300, seed=3)
    whole = read(model, text, [300])
    for sizes in ([1], [5], [9], [2, 3, 1, 17, 64]):
        assert torch.equal(read(model, text, sizes), whole), sizes


@pytest.mark.usefixtures("no_kernels")
@pytest.mark.parametrize("precision", TORCH_PRECISIONS)
def test_rolling_back_leaves_no_trace(tiny: TinyFactory, precision: str) -> None:
    model, text = fused(tiny("gemma3"), precision), tokens(80)
    expected = read(model, text, [1])
    cache = model.new_cache()
    model.forward(text[:40], cache)
    for start in range(40, 79):
        model.forward([text[start], *tokens(5, seed=start)], cache, 6)  # a draft that is refused at once
        assert cache.truncate(start + 1) == start + 1
        found = model.forward([text[start + 1]], cache, 1)
        assert torch.equal(found[0], expected[start + 1])
        cache.truncate(start + 1)


@pytest.mark.parametrize("precision", ["bfloat16", "int8", "int4"])
def test_packed_formats_stay_near(tiny: TinyFactory, precision: str) -> None:
    """Against float32. A random model is the worst case: nothing in it is redundant."""
    folder, text = tiny("llama"), tokens(60)
    expected, found = read(fused(folder), text, [60]), read(fused(folder, precision), text, [60])
    bound = {"bfloat16": 0.01, "int8": 0.02, "int4": 0.2}[precision]
    assert float((found - expected).norm() / expected.norm()) < bound


def test_only_the_last_rows_are_asked_for(tiny: TinyFactory) -> None:
    model, text = fused(tiny("qwen3")), tokens(20)
    whole = read(model, text, [20])
    assert torch.equal(model.forward(text, model.new_cache(), 3), whole[-3:])
    for rows in (0, 21):
        with pytest.raises(ValueError, match="rows of 20 tokens"):
            model.forward(text, model.new_cache(), rows)


def test_a_full_context_is_refused_and_leaves_the_cache_as_it_was(tiny: TinyFactory) -> None:
    model = fused(tiny("llama"), context=70)
    cache = model.new_cache()
    model.forward(tokens(69), cache)
    with pytest.raises(ValueError, match="do not fit"):
        model.forward([1, 2], cache)
    assert cache.length == 69
    assert bool(model.forward([1], cache).isfinite().all())


def test_two_texts_do_not_disturb_each_other(tiny: TinyFactory) -> None:
    model, first, second = fused(tiny("llama")), tokens(30, 1), tokens(30, 2)
    expected = read(model, first, [1])
    one, other = model.new_cache(), model.new_cache()
    for position in range(30):
        found = model.forward([first[position]], one).clone()
        model.forward([second[position]], other)
        assert torch.equal(found[0], expected[position])


def test_a_cache_of_another_kind_is_refused(tiny: TinyFactory) -> None:
    adapter = TransformersModel.load(tiny("llama"), "float32", "cpu", 512)
    with pytest.raises(TypeError, match="not this decoder's cache"):
        fused(tiny("llama")).forward([1], adapter.new_cache())


def test_missing_and_damaged_weights_are_explained(tiny: TinyFactory, tmp_path: Path) -> None:
    folder = changed(tiny("llama"), tmp_path / "broken", lambda config: None)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(UserError, match=r"model\.safetensors is damaged"):
        fused(folder)
    weights.unlink()
    with pytest.raises(UserError, match=r"model\.safetensors is missing"):
        fused(folder)


def test_an_unknown_architecture_is_refused_by_load(tiny: TinyFactory) -> None:
    with pytest.raises(UnsupportedArchitectureError):
        fused(tiny("qwen3_5"))


def test_perplexity_is_that_of_the_adapter(tiny: TinyFactory) -> None:
    folder, text = tiny("llama"), tokens(100)
    expected = perplexity(TransformersModel.load(folder, "float32", "cpu", 512), text)
    assert perplexity(fused(folder), text, chunk=7) == pytest.approx(expected, rel=1e-5)


def test_perplexity_of_a_model_that_knows_nothing(tiny: TinyFactory) -> None:
    """Equal logits: as many words as the vocabulary has."""

    class Blank(FusedModel):
        def forward(self, tokens: Any, cache: Any, rows: int = 1) -> torch.Tensor:
            return torch.zeros(rows, self.vocabulary_size)

    known = fused(tiny("llama"))
    blank = Blank(known.architecture, known._decoder, "float32", "torch", 512)
    assert perplexity(blank, tokens(50)) == pytest.approx(known.vocabulary_size)
    with pytest.raises(ValueError, match="fewer than two"):
        perplexity(blank, [1])
