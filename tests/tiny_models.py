"""Complete random models on disk, small enough to be made in a moment and never downloaded.

`tiny_model` writes what a model hub would give (config, generation config, safetensors, tokenizer with chat template);
`truncated_copy` keeps the first layers of any such folder, which makes a draft that shares its vocabulary.
"""

import json
import os
import shutil
from pathlib import Path
from typing import Any

KINDS = ("llama", "mistral", "qwen2", "qwen3", "smollm3", "gemma3", "qwen3_5")
START, END, END_OF_TEXT = "<|im_start|>", "<|im_end|>", "<|endoftext|>"
SPECIALS = (END_OF_TEXT, START, END)

CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)

HIDDEN = 64
CONTEXT = 1024
SLIDING_WINDOW = 12  # shorter than any text a test reads

# Merged first to last; each piece must be made of two that stand before it (single bytes come for nothing).
_MERGES = (
    "th", "the", "in", "an", "er", "on", "re", "us", "user", "as", "ss", "at", "st", "ant", "or", "ing", "and",
    "Ġ" "t", "Ġ" "the", "Ġ" "a", "Ġ" "s", "Ġ" "is", "he", "ll", "el", "lo", "hello", "sy", "syst", "em", "system",
    "is", "ist", "istant", "ass", "assistant",
)  # fmt: skip
# Characters of a vocabulary too small for all 256 bytes, the most frequent first ("Ġ" is a space, "Ċ" a new line).
_FREQUENT = "Ġetaoinshrdlucmfwypvbgkjqxz" + "Ċ.,0123456789?!'-ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _vocabulary(size: int | None) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Tokens of a byte-level BPE and its merges. None: specials, all 256 bytes and the merges above (about 300)."""
    from tokenizers.pre_tokenizers import ByteLevel

    alphabet = sorted(ByteLevel.alphabet())
    if size is not None and size < len(SPECIALS) + len(alphabet):
        alphabet = list(_FREQUENT[: size - len(SPECIALS)])
    tokens = {token: index for index, token in enumerate([*SPECIALS, *alphabet])}
    merges: list[tuple[str, str]] = []
    for piece in _MERGES:
        if size is not None and len(tokens) >= size:
            break
        halves = [(piece[:cut], piece[cut:]) for cut in range(1, len(piece))]
        known = next((pair for pair in halves if pair[0] in tokens and pair[1] in tokens), None)
        if known is not None and piece not in tokens:
            tokens[piece] = len(tokens)
            merges.append(known)
    return tokens, merges


def _write_tokenizer(folder: Path, size: int | None, chat_template: str | None) -> int:
    """Write tokenizer.json and tokenizer_config.json; return the number of tokens."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    tokens, merges = _vocabulary(size)
    tokenizer = Tokenizer(models.BPE(vocab=tokens, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in SPECIALS])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=END_OF_TEXT,
        eos_token=END,
        pad_token=END_OF_TEXT,
        model_max_length=CONTEXT,
        clean_up_tokenization_spaces=False,
    )
    if chat_template is not None:
        fast.chat_template = chat_template
    fast.save_pretrained(str(folder))
    # One file, as most models on a hub have it, and readable by every version of transformers.
    template_file = folder / "chat_template.jinja"
    if template_file.exists():
        path = folder / "tokenizer_config.json"
        config = json.loads(path.read_text(encoding="utf-8"))
        config["chat_template"] = template_file.read_text(encoding="utf-8")
        path.write_text(json.dumps(config, indent=2, ensure_ascii=False), encoding="utf-8")
        template_file.unlink()
    return len(tokens)


def _config(kind: str, vocabulary: int, layers: int) -> Any:
    import transformers

    common: dict[str, Any] = {
        "vocab_size": vocabulary,
        "hidden_size": HIDDEN,
        "intermediate_size": 2 * HIDDEN,
        "num_hidden_layers": layers,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": HIDDEN // 4,
        "max_position_embeddings": CONTEXT,
        "tie_word_embeddings": False,
        # Large, so that norms of near-zero vectors do not blow rounding up: float32 logits are good to 1e-5.
        "rms_norm_eps": 1e-3,
        "bos_token_id": 0,
        "pad_token_id": 0,
        "eos_token_id": [2, 0],
    }
    alternating = ["sliding_attention" if layer % 2 == 0 else "full_attention" for layer in range(layers)]
    match kind:
        case "llama":
            return transformers.LlamaConfig(**common)
        case "mistral":
            return transformers.MistralConfig(**common, sliding_window=None)
        case "qwen2":
            del common["head_dim"]
            return transformers.Qwen2Config(**common)
        case "qwen3":
            return transformers.Qwen3Config(**common)
        case "smollm3":
            # 1: rotary positions, 0: none. Every fourth layer in the real one; every second here, so that both occur.
            return transformers.SmolLM3Config(**common, no_rope_layers=[1 - layer % 2 for layer in range(layers)])
        case "gemma3":
            return transformers.Gemma3TextConfig(
                **common,
                sliding_window=SLIDING_WINDOW,
                layer_types=alternating,
                query_pre_attn_scalar=HIDDEN // 4,
            )
        case "qwen3_5":
            # Three of four layers are linear attention in the real ones; the last is always full attention here.
            types = ["linear_attention"] * (layers - 1) + ["full_attention"]
            common["head_dim"] = 32  # a quarter of it is rotated, in three sections
            return transformers.Qwen3_5TextConfig(
                **common,
                layer_types=types,
                linear_num_key_heads=2,
                linear_num_value_heads=4,
                linear_key_head_dim=12,
                linear_value_head_dim=12,
                rope_parameters={
                    "rope_type": "default",
                    "rope_theta": 10000.0,
                    "partial_rotary_factor": 0.25,
                    "mrope_section": [2, 1, 1],
                    "mrope_interleaved": True,
                },
            )
    raise ValueError(f"no tiny model of kind {kind!r}; there are {', '.join(KINDS)}")


def _randomize(model: Any, seed: int) -> None:
    """Weights large enough for clear logits; later layers weigh less, so that a truncated copy agrees often."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    for name, parameter in model.named_parameters():
        if parameter.dim() < 2 or "conv1d" in name:
            # Norms, biases and decay rates keep their values, a little shaken.
            parameter.data += 0.05 * torch.randn(parameter.shape, generator=generator)
            continue
        scale = 1.0 / parameter.shape[-1] ** 0.5
        if name.endswith("embed_tokens.weight"):
            scale = 1.0
        elif name.endswith("lm_head.weight"):
            scale = 0.3
        elif name.endswith(("o_proj.weight", "out_proj.weight", "down_proj.weight")):
            layer = int(name.split("layers.")[1].split(".")[0])
            scale *= 1.5 / (1 + layer) ** 1.5
        parameter.data = scale * torch.randn(parameter.shape, generator=generator)


def tiny_model(
    kind: str,
    folder: Path,
    *,
    seed: int = 0,
    layers: int = 2,
    vocabulary: int | None = None,
    chat_template: str | None = CHATML,
    padding: int = 0,
) -> Path:
    """Write a random model of one of `KINDS` to `folder` and return the folder.

    vocabulary: tokens of the tokenizer, at least 8; None is about 300 (all bytes, some merges, three specials). Fewer
    than 259 tokens cannot spell every text: what has no token is dropped. padding: rows of logits beyond the
    tokenizer. chat_template None writes a tokenizer without one. seed: the same weights every time.
    """
    import torch
    from transformers import AutoModelForCausalLM, GenerationConfig
    from transformers.utils import logging

    logging.disable_progress_bar()
    folder.mkdir(parents=True, exist_ok=True)
    tokens = _write_tokenizer(folder, vocabulary, chat_template)
    state = torch.random.get_rng_state()
    torch.manual_seed(seed)  # the library initializes norms and decay rates from the global generator
    model = AutoModelForCausalLM.from_config(_config(kind, tokens + padding, layers), dtype=torch.float32)
    torch.random.set_rng_state(state)
    _randomize(model, seed)
    model.generation_config = GenerationConfig(bos_token_id=0, pad_token_id=0, eos_token_id=[2, 0])
    model.save_pretrained(str(folder))
    return folder


def truncated_copy(source_folder: Path, folder: Path, layers: int) -> Path:
    """Write to `folder` a copy of the model in `source_folder` that keeps only its first `layers` layers."""
    from safetensors import safe_open
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    for path in source_folder.iterdir():
        if path.is_file() and path.name != "config.json" and ".safetensors" not in path.name:
            shutil.copy(path, folder / path.name)
    config = json.loads((source_folder / "config.json").read_text(encoding="utf-8"))
    whole = int(config["num_hidden_layers"])
    if not 1 <= layers <= whole:
        raise ValueError(f"a model of {whole} layers cannot keep {layers}")
    config["num_hidden_layers"] = layers
    for key, value in config.items():
        if isinstance(value, list) and len(value) == whole and key in ("layer_types", "no_rope_layers"):
            config[key] = value[:layers]
    if "max_window_layers" in config:
        config["max_window_layers"] = min(config["max_window_layers"], layers)
    (folder / "config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
    tensors = {}
    for path in sorted(source_folder.glob("*.safetensors")):
        with safe_open(os.fspath(path), framework="pt") as shard:
            for name in shard.keys():  # noqa: SIM118  (a safetensors handle is no mapping)
                if ".layers." not in name or int(name.split(".layers.")[1].split(".")[0]) < layers:
                    tensors[name] = shard.get_tensor(name)
    save_file(tensors, os.fspath(folder / "model.safetensors"), metadata={"format": "pt"})
    return folder
