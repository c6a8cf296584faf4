"""The real SmolLM2 in every CPU format."""

from pathlib import Path
from typing import Any

import pytest
import torch

from inference.models import causal_model
from inference.models.fused.model import FusedModel
from inference.models.transformers_model import TransformersModel
from inference.perplexity import perplexity
from inference.tokenizer import Tokenizer
from tests.inference.models.test_fused_model import read
from tests.real_model import real_model_folder

pytestmark = pytest.mark.model


def text(count: int) -> list[int]:
    """The first `count` tokens of a module whose docstrings are prose and the rest code."""
    words = Path(causal_model.__file__).read_text(encoding="utf-8")
    tokenizer = Tokenizer.load(real_model_folder(), False)
    ids = tokenizer.encode(words)
    assert len(ids) >= count
    return ids[:count]


def fused(precision: Any) -> FusedModel:
    return FusedModel.load(real_model_folder(), precision, "cpu", 2048)


def test_logits_are_those_of_the_adapter() -> None:
    tokens = text(120)
    expected = read(TransformersModel.load(real_model_folder(), "float32", "cpu", 2048), tokens, [120])
    found = read(fused("float32"), tokens, [120])
    assert float((found - expected).abs().max()) <= 1e-5 * float(expected.abs().max())


@pytest.mark.parametrize("precision", ["float32", "bfloat16", "int8", "int4"])
def test_a_row_does_not_depend_on_its_neighbours(precision: str) -> None:
    model, tokens = fused(precision), text(60)
    whole = read(model, tokens, [60])
    for sizes in ([1], [5], [9], [17, 2]):
        assert torch.equal(read(model, tokens, sizes), whole), sizes


@pytest.mark.parametrize("precision", ["auto", "int4", "int8", "bfloat16"])
def test_quality_is_within_a_hundredth_of_float32(precision: str) -> None:
    tokens = text(400)
    assert perplexity(fused(precision), tokens) < 1.01 * perplexity(fused("float32"), tokens)
