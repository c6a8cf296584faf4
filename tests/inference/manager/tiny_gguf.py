"""Writes tiny GGUF files the way the usual converter does: from a transformers model, with the `gguf` library's own
name map and the published row permutation, so that Foreword's reading of them is judged by something else than itself.
"""

from pathlib import Path
from typing import Any

import gguf
import numpy as np

BYTES = [chr(b) if 33 <= b <= 126 or 161 <= b <= 172 or b >= 174 else None for b in range(256)]
ALPHABET = [c if c else chr(256 + sum(x is None for x in BYTES[:b])) for b, c in enumerate(BYTES)]
MERGES = ["h e", "l l", "he ll", "hell o", "Ġ w", "1 2", "Ġ Ġ"]
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
TOKENS = [*SPECIAL, *ALPHABET, *(merge.replace(" ", "") for merge in MERGES), "<think>", "<unused>"]
TYPES = [3] * 3 + [1] * (len(ALPHABET) + len(MERGES)) + [4, 5]


def add_byte_level_tokenizer(writer: gguf.GGUFWriter, split: str | None = "qwen2") -> None:
    writer.add_tokenizer_model("gpt2")
    if split is not None:
        writer.add_tokenizer_pre(split)
    writer.add_token_list(TOKENS)
    writer.add_token_types(TYPES)
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_pad_token_id(0)
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)


def add_sizes(writer: gguf.GGUFWriter, config: dict[str, Any]) -> None:
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_key_length(config["head_dim"])
    writer.add_value_length(config["head_dim"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_vocab_size(config["vocab_size"])


def permuted(rows: np.ndarray[Any, Any], heads: int) -> np.ndarray[Any, Any]:
    """The order in which files of the llama architecture hold the rows of queries and keys."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def add_weights(
    writer: gguf.GGUFWriter, architecture: str, config: dict[str, Any], state: dict[str, Any], quantization: str = "F32"
) -> None:
    """Every weight of a transformers state dict; matrices in `quantization`, the rest in float32."""
    kind = {name: arch for arch, name in gguf.MODEL_ARCH_NAMES.items()}[architecture]
    names = gguf.get_tensor_name_map(kind, config["num_hidden_layers"])
    for name, weight in state.items():
        if name == "lm_head.weight" and config["tie_word_embeddings"]:
            continue
        values = weight.float().numpy()
        stored = names.get_name(name, try_suffixes=(".weight", ".bias"))
        assert stored is not None, name
        if architecture == "llama" and ("q_proj" in name or "k_proj" in name):
            heads = config["num_attention_heads" if "q_proj" in name else "num_key_value_heads"]
            values = permuted(values, heads)
        if architecture == "gemma3" and "norm" in name:
            values = values + 1
        if quantization != "F32" and values.ndim == 2:
            form = gguf.GGMLQuantizationType[quantization]
            writer.add_tensor(stored, gguf.quantize(values, form), raw_dtype=form)
        else:
            writer.add_tensor(stored, values.astype(np.float32))


def finish(writer: gguf.GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_tiny_llama(path: Path, quantization: str = "F32", seed: int = 0) -> dict[str, np.ndarray[Any, Any]]:
    """A whole tiny llama without torch. Returns its weights as transformers would name and order them."""
    config = {
        "num_hidden_layers": 1, "max_position_embeddings": 64, "hidden_size": 64, "intermediate_size": 96,
        "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 32, "rms_norm_eps": 1e-5,
        "vocab_size": len(TOKENS), "tie_word_embeddings": True,
    }  # fmt: skip
    random = np.random.default_rng(seed)
    layer = "model.layers.0."
    shapes = {
        "model.embed_tokens.weight": (len(TOKENS), 64), "model.norm.weight": (64,),
        layer + "input_layernorm.weight": (64,), layer + "post_attention_layernorm.weight": (64,),
        layer + "self_attn.q_proj.weight": (64, 64), layer + "self_attn.k_proj.weight": (32, 64),
        layer + "self_attn.v_proj.weight": (32, 64), layer + "self_attn.o_proj.weight": (64, 64),
        layer + "mlp.gate_proj.weight": (96, 64), layer + "mlp.up_proj.weight": (96, 64),
        layer + "mlp.down_proj.weight": (64, 96),
    }  # fmt: skip
    state = {name: _Array(random.normal(size=shape).astype(np.float32)) for name, shape in shapes.items()}
    writer = gguf.GGUFWriter(path, "llama")
    add_sizes(writer, config)
    add_byte_level_tokenizer(writer)
    add_weights(writer, "llama", config, state, quantization)
    finish(writer)
    return {name: array.values for name, array in state.items()}


class _Array:
    """An array with the two methods of a tensor that `add_weights` uses."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.values = values

    def float(self) -> "_Array":
        return self

    def numpy(self) -> np.ndarray[Any, Any]:
        return self.values
