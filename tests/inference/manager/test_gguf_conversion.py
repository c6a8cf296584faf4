"""GGUF to transformers: equal weights, equal logits, equal tokens, and a sentence for what cannot be converted."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from safetensors import safe_open
from transformers import AutoModelForCausalLM, AutoTokenizer

from inference.errors import UserError
from inference.manager.folder import inspect
from inference.manager.gguf_conversion import SOURCE, ConversionCancelled, convert
from inference.manager.gguf_rope import llama3_divisors
from tests.inference.manager import tiny_gguf


def run(gguf_path: Path, folder: Path) -> list[tuple[int, int]]:
    return [(step.done, step.total) for step in convert(gguf_path, folder)]


# Weights


@pytest.mark.parametrize("quantization", ["F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1"])
def test_every_value_of_the_file_is_kept(tmp_path: Path, quantization: str) -> None:
    """Against the library's own dequantization; float16 may round it to 11 significant bits, the rest is exact."""
    original = tiny_gguf.write_tiny_llama(tmp_path / "t.gguf", quantization)
    progress = run(tmp_path / "t.gguf", tmp_path / "m")
    dtype = {"F32": "F32", "BF16": "BF16"}.get(quantization, "F16")
    assert inspect(tmp_path / "m").dtype == dtype
    with safe_open(tmp_path / "m" / "model.safetensors", "pt") as stored:
        assert set(stored.keys()) == set(original)
        for name, value in original.items():
            expected = value
            if value.ndim == 2:
                form = gguf.GGMLQuantizationType[quantization]
                expected = gguf.dequantize(gguf.quantize(value, form), form)
            found = stored.get_tensor(name).float().numpy()
            if dtype == "F16" and value.ndim == 2:
                np.testing.assert_array_equal(found, expected.astype(np.float16).astype(np.float32))
            else:
                np.testing.assert_array_equal(found, expected)
    assert progress[-1][0] == progress[-1][1] > 0
    assert [done for done, _ in progress] == sorted(done for done, _ in progress)


def test_beyond_the_range_of_float16_a_tensor_becomes_bfloat16(tmp_path: Path) -> None:
    def large(state: dict[str, Any]) -> None:
        state["model.layers.0.mlp.up_proj.weight"][5, 7] = 7e6

    write_model(tmp_path / "t.gguf", "qwen2", "Q8_0", change=large)
    run(tmp_path / "t.gguf", tmp_path / "m")
    with safe_open(tmp_path / "m" / "model.safetensors", "pt") as stored:
        weight = stored.get_tensor("model.layers.0.mlp.up_proj.weight")
        assert weight.dtype == torch.bfloat16 and weight.isfinite().all() and weight.max() > 6.9e6
        assert stored.get_tensor("model.layers.0.mlp.down_proj.weight").dtype == torch.float16


@pytest.mark.parametrize(
    "name",
    [
        "model.layers.0.mlp.up_proj.weight",
        "model.layers.0.self_attn.q_proj.weight",
        "model.layers.0.self_attn.q_proj.bias",
        "model.norm.weight",
    ],
)
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_values_that_are_not_numbers_are_refused(tmp_path: Path, name: str, value: float) -> None:
    def spoil(state: dict[str, Any]) -> None:
        state[name].view(-1)[0] = value

    write_model(tmp_path / "t.gguf", "qwen2", change=spoil)
    with pytest.raises(UserError, match="not numbers"):
        run(tmp_path / "t.gguf", tmp_path / "m")
    assert not (tmp_path / "m" / "config.json").exists()


# Whole models: the logits of the converted folder are those of the model that was written.

SIZES: dict[str, Any] = {
    "vocab_size": len(tiny_gguf.TOKENS), "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 7,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "max_position_embeddings": 128,
    "rms_norm_eps": 1e-5, "tie_word_embeddings": True, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0,
}  # fmt: skip
LLAMA3 = {
    "rope_type": "llama3", "rope_theta": 5e5, "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}  # fmt: skip
GEMMA = {
    "sliding_window": 6, "query_pre_attn_scalar": 16,
    "rope_parameters": {
        "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    },
}  # fmt: skip
PLAIN = {"rope_parameters": {"rope_type": "default", "rope_theta": 5e5}}
YARN = {"rope_type": "yarn", "rope_theta": 1e6, "factor": 4.0, "original_max_position_embeddings": 32}


def write_model(
    path: Path,
    architecture: str,
    quantization: str = "F32",
    details: dict[str, Any] | None = None,
    change: Callable[[dict[str, Any]], None] | None = None,
    metadata: Callable[[gguf.GGUFWriter], None] | None = None,
) -> Any:
    """A tiny random model, written as GGUF. Returns the transformers model."""
    from transformers import Gemma3TextConfig, LlamaConfig, Qwen2Config, Qwen3Config

    kinds = {"llama": LlamaConfig, "qwen2": Qwen2Config, "qwen3": Qwen3Config, "gemma3": Gemma3TextConfig}
    values = SIZES | (details or PLAIN)
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(kinds[architecture](**values, attn_implementation="eager")).eval()
    state = {name: weight.clone() for name, weight in model.state_dict().items()}
    with torch.no_grad():
        for weight in state.values():  # norms and biases start as ones and zeros: make a mix-up visible
            if weight.ndim == 1:
                weight.add_(torch.randn(weight.shape) * 0.3)
            else:
                weight.mul_(4)
    if change:
        change(state)
    model.load_state_dict(state)
    writer = gguf.GGUFWriter(path, architecture)
    tiny_gguf.add_sizes(writer, values)
    rope = values["rope_parameters"]
    rope = rope.get("full_attention", rope)
    writer.add_rope_freq_base(rope["rope_theta"])
    if rope["rope_type"] == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope["factor"])
    elif rope["rope_type"] == "yarn":
        writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        writer.add_rope_scaling_factor(rope["factor"])
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
    elif rope["rope_type"] == "llama3":
        divisors = llama3_divisors(rope["rope_theta"], values["head_dim"], rope["factor"])
        writer.add_tensor("rope_freqs.weight", np.array(divisors, dtype=np.float32))
    if "sliding_window" in values:
        writer.add_sliding_window(values["sliding_window"])
    tiny_gguf.add_byte_level_tokenizer(writer)
    if metadata:
        metadata(writer)
    tiny_gguf.add_weights(writer, architecture, values, state, quantization)
    tiny_gguf.finish(writer)
    return model


@pytest.mark.parametrize(
    ("architecture", "details"),
    [
        ("llama", PLAIN),
        ("llama", PLAIN | {"tie_word_embeddings": False}),
        ("llama", PLAIN | {"attention_bias": True, "mlp_bias": True}),
        ("llama", {"rope_parameters": LLAMA3}),
        ("llama", PLAIN | {"head_dim": 32}),
        ("qwen2", PLAIN),
        ("qwen2", {"rope_parameters": YARN}),
        ("qwen3", PLAIN | {"head_dim": 32, "tie_word_embeddings": False}),
        ("gemma3", GEMMA),
    ],
)
def test_the_converted_model_gives_the_same_logits(tmp_path: Path, architecture: str, details: dict[str, Any]) -> None:
    model = write_model(tmp_path / "t.gguf", architecture, details=details)
    run(tmp_path / "t.gguf", tmp_path / "m")
    converted = AutoModelForCausalLM.from_pretrained(
        tmp_path / "m", dtype=torch.float32, attn_implementation="eager"
    ).eval()
    assert type(converted) is type(model)
    tokens = torch.arange(3, 43).reshape(1, -1)
    with torch.no_grad():
        torch.testing.assert_close(converted(tokens).logits, model(tokens).logits, rtol=1e-5, atol=1e-5)


def test_llama_31_divisors_are_those_of_transformers() -> None:
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    config = LlamaConfig(head_dim=128, hidden_size=256, num_attention_heads=2, rope_parameters=LLAMA3)
    slowed, _ = ROPE_INIT_FUNCTIONS["llama3"](config, torch.device("cpu"))
    plain = 1.0 / (5e5 ** (torch.arange(0, 128, 2) / 128))
    expected = torch.tensor(llama3_divisors(5e5, 128, 32.0))
    torch.testing.assert_close(plain / slowed, expected, rtol=1e-4, atol=1e-4)


# Tokens


def converted_tokenizer(tmp_path: Path) -> Any:
    tiny_gguf.write_tiny_llama(tmp_path / "t.gguf")
    run(tmp_path / "t.gguf", tmp_path / "m")
    return AutoTokenizer.from_pretrained(tmp_path / "m")


def test_tokens_keep_their_numbers_and_special_ones_stay_whole(tmp_path: Path) -> None:
    tokenizer = converted_tokenizer(tmp_path)
    assert [tokenizer.convert_ids_to_tokens(i) for i in range(len(tiny_gguf.TOKENS))] == tiny_gguf.TOKENS
    text = "<|im_start|>user\nhello 12 é 你好 😀<|im_end|><think>"
    ids = tokenizer.encode(text)
    number = {token: i for i, token in enumerate(tiny_gguf.TOKENS)}
    assert ids[0] == number["<|im_start|>"] and ids[-2:] == [number["<|im_end|>"], number["<think>"]]
    assert number["hello"] in ids and number["12"] not in ids  # digits stand alone
    assert tokenizer.decode(ids) == text
    assert tokenizer.decode(ids, skip_special_tokens=True) == "user\nhello 12 é 你好 😀<think>"


def test_the_template_comes_along(tmp_path: Path) -> None:
    tokenizer = converted_tokenizer(tmp_path)
    text = tokenizer.apply_chat_template(
        [{"role": "user", "content": "hi"}], add_generation_prompt=True, tokenize=False
    )
    assert text == "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n"


def test_every_end_of_turn_is_in_the_configuration(tmp_path: Path) -> None:
    converted_tokenizer(tmp_path)
    generation = json.loads((tmp_path / "m" / "generation_config.json").read_text())
    assert generation == {"bos_token_id": 1, "pad_token_id": 0, "eos_token_id": [2, 0]}


# What is left on the disk


def test_the_gguf_stays_in_the_folder_without_being_copied(tmp_path: Path) -> None:
    tiny_gguf.write_tiny_llama(tmp_path / "t.gguf")
    run(tmp_path / "t.gguf", tmp_path / "m")
    assert (tmp_path / "m" / SOURCE).samefile(tmp_path / "t.gguf")
    assert not list((tmp_path / "m").glob(".*"))


def test_where_files_cannot_have_two_names_the_gguf_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr("inference.manager.gguf_conversion.os.link", refuse)
    tiny_gguf.write_tiny_llama(tmp_path / "t.gguf")
    run(tmp_path / "t.gguf", tmp_path / "m")
    assert (tmp_path / "m" / SOURCE).read_bytes() == (tmp_path / "t.gguf").read_bytes()


def test_converting_again_replaces_what_was_there(tmp_path: Path) -> None:
    """Also from the kept file itself."""
    tiny_gguf.write_tiny_llama(tmp_path / "t.gguf")
    run(tmp_path / "t.gguf", tmp_path / "m")
    before = (tmp_path / "m" / "model.safetensors").read_bytes()
    (tmp_path / "m" / "model.safetensors").write_bytes(b"")
    run(tmp_path / "m" / SOURCE, tmp_path / "m")
    assert (tmp_path / "m" / "model.safetensors").read_bytes() == before


def test_cancel_leaves_no_model(tmp_path: Path) -> None:
    tiny_gguf.write_tiny_llama(tmp_path / "t.gguf")
    cancel = threading.Event()
    steps = convert(tmp_path / "t.gguf", tmp_path / "m", cancel)
    next(steps)
    next(steps)
    cancel.set()
    with pytest.raises(ConversionCancelled):
        next(steps)
    assert not (tmp_path / "m" / "config.json").exists()
    assert not (tmp_path / "m" / "model.safetensors").exists()
    assert not list((tmp_path / "m").glob(".*"))


def test_the_disk_is_looked_at_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inference.manager.files.RESERVE", 1 << 62)
    tiny_gguf.write_tiny_llama(tmp_path / "t.gguf")
    with pytest.raises(UserError, match="Not enough disk space"):
        run(tmp_path / "t.gguf", tmp_path / "m")
    assert not (tmp_path / "m" / "model.safetensors").exists()


# What cannot be converted


# Damaged files


def test_memory_stays_far_below_the_size_of_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With pieces of 4096 values no array made during the conversion is larger than that."""
    monkeypatch.setattr("inference.manager.gguf_conversion._CHUNK", 4096)
    largest = 0
    real = gguf.dequantize

    def watch(data: Any, form: Any) -> Any:
        nonlocal largest
        values = real(data, form)
        largest = max(largest, values.size)
        return values

    monkeypatch.setattr(gguf, "dequantize", watch)
    original = tiny_gguf.write_tiny_llama(tmp_path / "t.gguf", "Q8_0")
    run(tmp_path / "t.gguf", tmp_path / "m")
    assert 0 < largest <= 4096 < original["model.embed_tokens.weight"].size
