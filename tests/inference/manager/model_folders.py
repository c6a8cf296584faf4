"""Small whole model folders, without torch, to be damaged by tests."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

CONFIG: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "vocab_size": 32,
    "hidden_size": 8,
    "num_hidden_layers": 2,
    "max_position_embeddings": 64,
}


def tensors() -> dict[str, np.ndarray[Any, Any]]:
    shapes = {"model.embed_tokens.weight": (32, 8), "model.norm.weight": (8,)}
    shapes |= {f"model.layers.{i}.mlp.up_proj.weight": (16, 8) for i in range(2)}
    return {name: np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for name, shape in shapes.items()}


def safetensors(values: dict[str, np.ndarray[Any, Any]]) -> bytes:
    """The bytes of a file, written here by hand, so that reader and writer are not judged by themselves."""
    header, data = {}, b""
    for name, value in values.items():
        begin = len(data)
        data += value.tobytes()
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def make_folder(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"type": "BPE", "vocab": {}}}))
    (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": "{{ messages }}"}))
    (folder / "model.safetensors").write_bytes(safetensors(tensors()))
    return folder


def make_sharded_folder(folder: Path) -> Path:
    make_folder(folder)
    (folder / "model.safetensors").unlink()
    where = {}
    values = list(tensors().items())
    for i, part in enumerate((values[:2], values[2:]), 1):
        name = f"model-{i:05}-of-00002.safetensors"
        (folder / name).write_bytes(safetensors(dict(part)))
        where |= dict.fromkeys(dict(part), name)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": where}))
    return folder
