"""4-bit weights by bitsandbytes on the processor: every setting reaches the weights, and a real model answers in it."""

from pathlib import Path

import pytest

from inference.manager.host import draft_settings
from inference.models.fused.model import FusedModel
from inference.models.transformers_model import TransformersModel
from inference.settings import FourBit, LoadSettings, Precision
from tests.inference.conftest import TinyFactory
from tests.inference.engines import ask, finished, greedy, load, reply, text_of
from tests.real_model import real_model_folder

FORMS = (
    FourBit(), FourBit(block=128), FourBit(double=False), FourBit(double=False, block=128), FourBit("fp4"),
    FourBit(compute="float32"),
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_every_setting_reaches_the_weights(form: FourBit, tiny: TinyFactory) -> None:
    import torch
    from bitsandbytes.nn import Linear4bit

    model = TransformersModel.load(tiny("llama"), "int4", "cpu", 64, four_bit=form)
    layers = [module for module in model._model.modules() if isinstance(module, Linear4bit)]
    assert len(layers) == 2 * 7
    for layer in layers:
        state = layer.weight.quant_state
        block = form.block if layer.in_features % form.block == 0 else 64
        assert (state.quant_type, state.blocksize, state.nested) == (form.kind, block, form.double)
        scales = -(-layer.in_features * layer.out_features // block)
        assert state.absmax.numel() == scales
        assert layer.compute_dtype == (torch.float32 if form.compute == "float32" else torch.bfloat16)
    assert {layer.weight.quant_state.blocksize for layer in layers} == {64, form.block}
    logits = model.forward([5, 6, 7], model.new_cache(), 1)
    exact = TransformersModel.load(tiny("llama"), "float32", "cpu", 64)
    expected = exact.forward([5, 6, 7], exact.new_cache(), 1)
    assert torch.corrcoef(torch.cat([logits, expected]))[0, 1] > 0.9


def test_memory_of_a_weight() -> None:
    assert FourBit().bits == pytest.approx(4.127, abs=1e-3)
    assert FourBit(double=False).bits == 4.5 and FourBit(double=False, block=128).bits == 4.25


@pytest.mark.parametrize("wrong", [{"kind": "int4"}, {"block": 100}, {"compute": "int8"}])
def test_what_cannot_be_set(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not"):
        FourBit(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "precision"),
    [
        (LoadSettings(precision="int4", draft_precision="bfloat16"), "bfloat16"),
        (LoadSettings(precision="float32", draft_precision="int8"), "int8"),
        (LoadSettings(precision="int8", implementation="adapter"), "auto"),
        (LoadSettings(precision="bfloat16"), "bfloat16"),
    ],
)
def test_a_draft_has_a_precision_of_its_own(
    monkeypatch: pytest.MonkeyPatch, settings: LoadSettings, precision: Precision
) -> None:
    monkeypatch.setattr(FusedModel, "computes_natively", lambda *_: True)
    assert draft_settings(Path("anywhere"), settings).precision == precision


@pytest.mark.full  # half a minute on a busy machine
@pytest.mark.model
def test_a_real_model_answers_in_nf4_with_double_quantization() -> None:
    engine = load(
        real_model_folder(), settings=LoadSettings(precision="int4", implementation="adapter", context_length=256)
    )
    events = reply(engine, ask("What is the capital of France?"), greedy(max_tokens=8))
    assert "Paris" in text_of(events) and finished(events).statistics.rounds
    assert engine.target is not None and "int4" in engine.target.description
