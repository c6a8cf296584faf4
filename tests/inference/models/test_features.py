"""What a model's layers leave behind, as a trained head reads it: the same everywhere, however a text is cut."""

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from inference.models.causal_model import CausalModel, FeatureModel
from inference.models.fused.graphs import PlainCalls
from inference.models.fused.model import FusedModel
from inference.models.fused.source import open_source
from inference.models.fused.static_decoder import StaticDecoder
from inference.models.fused.weights import load_weights
from inference.models.transformers_model import TransformersModel
from tests.inference.conftest import TinyFactory

DEPTHS = (0, 2, 3)
TEXT = [7 + (i * i) % 250 for i in range(40)]


@pytest.fixture(scope="module", params=["llama", "gemma3"])
def folder(request: pytest.FixtureRequest, tiny: TinyFactory) -> Path:
    return tiny(request.param, layers=4)


def expected(folder: Path) -> torch.Tensor:
    """float32 [rows, depths, hidden] of transformers; it normalizes the last layer's output before it shows it."""
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    left: dict[int, torch.Tensor] = {}
    for index, layer in enumerate(model.model.layers):
        layer.register_forward_hook(lambda module, args, out, index=index: left.__setitem__(index, out))
    with torch.inference_mode():
        model(torch.tensor([TEXT]))
    return torch.stack([left[depth].reshape(len(TEXT), -1) for depth in DEPTHS], dim=1)


def seen(model: FeatureModel, cuts: list[int]) -> torch.Tensor:
    model.observe(DEPTHS)
    cache, start, parts = model.new_cache(), 0, []
    for end in cuts:
        model.forward(TEXT[start:end], cache, 1)
        parts.append(model.features().clone())
        start = end
    return torch.cat(parts)


@pytest.mark.parametrize(("precision", "near"), [("float32", 1e-4), ("int8", 0.03), ("bfloat16", 0.05)])
def test_features_are_what_transformers_computes(folder: Path, precision: str, near: float) -> None:
    model = FusedModel.load(folder, precision, "cpu", 512)  # type: ignore[arg-type]
    features, wanted = seen(model, [40]), expected(folder)
    assert features.shape == wanted.shape
    assert float((features - wanted).norm() / wanted.norm()) < near
    assert torch.equal(seen(model, [1, 2, 9, 17, 39, 40]), features)
    model.observe(())
    model.forward(TEXT, model.new_cache(), 1)
    assert model.features().numel() == 0
    with pytest.raises(ValueError):
        model.observe((4,))


def test_the_decoder_for_cards_shows_them_too(folder: Path) -> None:
    whole = FusedModel.load(folder, "float32", "cpu", 512)
    with open_source(folder) as source:
        weights = load_weights(whole.architecture, source, "float32", torch.device("cpu"))
    decoder = StaticDecoder(whole.architecture, weights, 512, PlainCalls())
    decoder.prepare()
    model = FusedModel(whole.architecture, decoder, "float32", "static", 512)
    wanted = expected(folder)
    for cuts in ([40], [1, 4, 9, 17, 39, 40]):
        torch.testing.assert_close(seen(model, cuts), wanted, rtol=1e-3, atol=1e-3)
    before = model.forward(TEXT, model.new_cache(), 40).clone()
    model.observe(())
    torch.testing.assert_close(model.forward(TEXT, model.new_cache(), 40), before)
    assert model.features().numel() == 0


def test_the_adapter_shows_the_same(folder: Path) -> None:
    adapter: CausalModel = TransformersModel.load(folder, "float32", "cpu", 512)
    assert isinstance(adapter, FeatureModel)
    assert isinstance(FusedModel.load(folder, "float32", "cpu", 512), FeatureModel)
    torch.testing.assert_close(seen(adapter, [1, 9, 40]), expected(folder), rtol=1e-4, atol=1e-4)
