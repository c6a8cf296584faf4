"""What recurrent layers keep, and the snapshots to go back to: the plan's figures are those of the library's states."""

import inspect
from typing import Any

import pytest
import torch

from inference.models import recurrent_history
from inference.models.transformers_cache import TransformersCache
from inference.plan import cache as planned
from inference.plan.cache import cache_bytes, snapshot_bytes
from inference.plan.model_shape import ModelShape, shape_of

COMMON: dict[str, Any] = {
    "vocab_size": 100,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 1024,
}
DELTA: dict[str, Any] = {
    "layer_types": ["linear_attention"] * 3 + ["full_attention"],
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 12,
    "linear_value_head_dim": 16,
    "linear_conv_kernel_dim": 4,
    "head_dim": 32,
}
MAMBA: dict[str, Any] = {"mamba_d_state": 16, "mamba_d_conv": 4, "mamba_expand": 2}
HEADS: dict[str, Any] = {"mamba_n_heads": 8, "mamba_d_head": 16, "mamba_n_groups": 1, "mamba_chunk_size": 16}
EXPERTS: dict[str, Any] = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
STATE: dict[str, Any] = {"state_size": 16, "expand": 2, "conv_kernel": 4}
NEMOTRON: dict[str, Any] = {
    "layers_block_type": ["linear_attention", "linear_attention", "full_attention", "mlp"],
    "head_dim": 16,
    "mamba_num_heads": 8,
    "mamba_head_dim": 16,
    "ssm_state_size": 16,
    "n_groups": 1,
    "conv_kernel": 4,
    "chunk_size": 16,
}
ROPE: dict[str, Any] = {
    "rope_type": "default",
    "rope_theta": 10000.0,
    "partial_rotary_factor": 0.25,
    "mrope_section": [2, 1, 1],
    "mrope_interleaved": True,
}
FAMILIES: dict[str, dict[str, Any]] = {
    "qwen3_next": DELTA | EXPERTS | {"shared_expert_intermediate_size": 32},
    "qwen3_5_text": DELTA | {"rope_parameters": ROPE},
    "falcon_h1": MAMBA | HEADS | {"mamba_d_ssm": 128},
    "mamba": STATE,
    "mamba2": STATE | {"num_heads": 8, "head_dim": 16, "n_groups": 1, "chunk_size": 16},
    "lfm2": {"layer_types": ["conv", "conv", "full_attention", "conv"], "conv_L_cache": 3},
    "jamba": MAMBA | {"attn_layer_period": 4, "attn_layer_offset": 3, "mamba_dt_rank": 8, "num_experts": 2},
    "bamba": MAMBA | HEADS | {"attn_layer_indices": [3]},
    "nemotron_h": NEMOTRON,
}


def read(kind: str, dtype: torch.dtype, passes: list[int]) -> tuple[TransformersCache, ModelShape]:
    """A random model of the family reads so many tokens in each pass."""
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.for_model(kind, **(COMMON | FAMILIES[kind]))
    model = AutoModelForCausalLM.from_config(config, dtype=dtype).eval()
    cache = TransformersCache(config, 1024)
    accepted = inspect.signature(model.forward).parameters
    name = next(name for name in ("cache", "past_key_values", "cache_params") if name in accepted)
    with torch.inference_mode():
        for count in passes:
            cache.begin(count)
            model(input_ids=torch.arange(count)[None] % 100, use_cache=True, **{name: cache})
            cache.finish(count)
    return cache, shape_of(config.to_dict())


@pytest.mark.parametrize("bits", [32, 16])
@pytest.mark.parametrize("kind", FAMILIES)
def test_states_are_those_of_the_library(kind: str, bits: int) -> None:
    cache, shape = read(kind, torch.float32 if bits == 32 else torch.bfloat16, [8])
    assert cache.history is not None
    assert shape.state_bytes(bits) == cache.history.nbytes > 0
    growing = sum(layer.nbytes for layer in cache._growing)  # room for 256 positions at first
    assert cache_bytes(shape, 256, "adapter", bits) - shape.state_bytes(bits) == growing


def test_snapshots_of_a_long_text() -> None:
    """As many as there can be: after long stretches of a prompt, and at the starts of the last passes."""
    cache, shape = read("qwen3_5_text", torch.float32, [70] * 8 + [1] * 25)
    assert cache.history is not None
    kept = cache.history.nbytes - shape.state_bytes(32)
    assert snapshot_bytes(shape, 32) == kept


@pytest.mark.parametrize("budget", [1, 4_000, 40_000, 100_000])
def test_snapshots_within_their_budget(budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recurrent_history, "BUDGET_BYTES", budget)
    monkeypatch.setattr(planned, "SNAPSHOT_BYTES", budget)
    cache, shape = read("qwen3_5_text", torch.float32, [70] * 8 + [1] * 25)
    assert cache.history is not None
    assert snapshot_bytes(shape, 32) == cache.history.nbytes - shape.state_bytes(32)


def test_as_many_as_the_history_keeps() -> None:
    real = (recurrent_history.RECENT, recurrent_history.LASTING, recurrent_history.BUDGET_BYTES)
    assert real == (planned.RECENT, planned.LASTING, planned.SNAPSHOT_BYTES)
