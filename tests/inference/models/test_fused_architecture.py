"""Reading config.json: what is known must be read as transformers reads it, what is not must be refused."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from inference.models.fused.architecture import Architecture, Rope
from inference.models.fused.model import FusedModel
from tests.inference.conftest import TinyFactory

LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "vocab_size": 100,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}


def known(**changes: Any) -> Architecture:
    found = Architecture.from_config(LLAMA | changes)
    assert found is not None
    return found


def test_sizes() -> None:
    a = known()
    assert (a.heads, a.key_heads, a.head_size, a.group, a.query_size, a.key_size) == (4, 2, 16, 2, 64, 32)
    assert a.parameters == 4 * 64 * (2 * 64 + 2 * 32 + 3 * 128) + 2 * 100 * 64


@pytest.mark.parametrize(
    "changes",
    [
        {"model_type": "mixtral"},
        {"model_type": None},
        {"rope_scaling": {"rope_type": "yarn", "factor": 4.0}},
        {"rope_scaling": {"type": "dynamic", "factor": 2.0}},
        {"rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5}},
        {"hidden_act": "relu"},
        {"quantization_config": {"quant_method": "gptq"}},
        {"layer_types": ["linear_attention"] * 4},
        {"layer_types": ["full_attention"] * 3},
        {"model_type": "gemma3_text", "attn_logit_softcapping": 50.0},
        {"model_type": "gemma3_text", "use_bidirectional_attention": True},
        {"model_type": "smollm3", "use_sliding_window": True, "sliding_window": 64},
    ],
)
def test_what_is_not_known_is_refused(changes: dict[str, Any]) -> None:
    assert Architecture.from_config(LLAMA | changes) is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"model_type": "llama"}', "\u00ff"])
def test_a_damaged_config_is_not_supported(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    assert not FusedModel.supports(tmp_path)


def test_a_folder_without_config_is_not_supported(tmp_path: Path) -> None:
    assert not FusedModel.supports(tmp_path)


@pytest.mark.parametrize("kind", ["llama", "mistral", "qwen2", "qwen3", "smollm3", "gemma3"])
def test_families(tiny: TinyFactory, kind: str) -> None:
    assert FusedModel.supports(tiny(kind))
    assert not FusedModel.supports(tiny(kind), "int8", "cuda")


def test_hybrid_models_are_left_to_the_adapter(tiny: TinyFactory) -> None:
    assert not FusedModel.supports(tiny("qwen3_5"))


def test_windows() -> None:
    def windows(**changes: Any) -> list[int | None]:
        return [layer.window for layer in known(**changes).layers]

    assert windows() == [None] * 4
    assert windows(model_type="mistral") == [4096] * 4
    assert windows(model_type="mistral", sliding_window=None) == [None] * 4
    assert windows(model_type="qwen2", sliding_window=8, max_window_layers=2) == [None] * 4
    sliding = {"model_type": "qwen3", "use_sliding_window": True, "sliding_window": 8, "max_window_layers": 2}
    assert windows(**sliding) == [None, None, 8, 8]
    assert windows(model_type="gemma3_text", sliding_window=8, sliding_window_pattern=2) == [8, None, 8, None]


def test_layers_without_positions() -> None:
    layers = known(model_type="smollm3", num_hidden_layers=8).layers
    assert [layer.rope is not None for layer in layers] == [True, True, True, False] * 2
    layers = known(model_type="smollm3", no_rope_layers=[0, 1, 1, 0]).layers
    assert [layer.rope is not None for layer in layers] == [False, True, True, False]


def test_gemma_rotates_sliding_layers_by_a_base_of_their_own() -> None:
    changes = {"rope_theta": 1e6, "rope_local_base_freq": 1e4, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}
    full, sliding = (
        known(model_type="gemma3_text", sliding_window_pattern=2, **changes).layers[index].rope for index in (1, 0)
    )
    assert full == Rope(1e6, "linear", 8.0, original_context=131072)
    assert sliding == Rope(1e4, original_context=131072)


@pytest.mark.parametrize("key", ["rope_scaling", "rope_parameters"])
def test_old_and_new_spelling_of_rotary_scaling(key: str) -> None:
    rope = known(**{key: LLAMA3, "rope_theta": 500000.0}).layers[0].rope
    assert rope == Rope(500000.0, "llama3", 8.0, 1.0, 4.0, 8192)


@pytest.mark.parametrize(
    "scaling",
    [
        {"rope_type": "default", "rope_theta": 10000.0},
        {"rope_type": "linear", "rope_theta": 10000.0, "factor": 4.0},
        LLAMA3,
        LLAMA3 | {"factor": 32.0},
    ],
)
def test_rotary_tables_are_those_of_transformers(scaling: dict[str, Any]) -> None:
    import torch
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    from inference.models.fused.rotary import tables

    config = LlamaConfig(
        **{key: value for key, value in LLAMA.items() if key != "model_type"},
        head_dim=64,
        max_position_embeddings=131072,
        rope_parameters=dict(scaling),
    )
    rope = known(head_dim=64, max_position_embeddings=131072, rope_parameters=dict(scaling)).layers[0].rope
    assert rope is not None
    cos, sin = tables(rope, 64, 4096)
    expected = LlamaRotaryEmbedding(config)(torch.zeros(1), torch.arange(4096)[None])
    # Angles reach 4,096 radians in single precision: a last bit there is 2.4e-4.
    torch.testing.assert_close(cos, expected[0][0, :, :32], atol=5e-4, rtol=0)
    torch.testing.assert_close(sin, expected[1][0, :, :32], atol=5e-4, rtol=0)


def test_scaled_frequencies_lie_between_the_plain_and_the_divided_one() -> None:
    rope = Rope(500000.0, "llama3", 8.0, 1.0, 4.0, 8192)
    assert rope.scale(1.0) == 1.0  # turns often: untouched
    assert rope.scale(1e-6) == 8.0  # never turns once: divided
    middle = rope.scale(2 * math.pi * 2.5 / 8192)
    assert middle == pytest.approx(1 / (0.5 / 8 + 0.5))


def test_explicit_null_is_not_a_missing_key(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(LLAMA | {"head_dim": None, "num_key_value_heads": None}))
    found = Architecture.read(tmp_path)
    assert found is not None
    assert (found.head_size, found.key_heads) == (16, 4)
