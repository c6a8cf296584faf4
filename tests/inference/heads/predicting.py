"""Tiny checkpoints with a multi-token prediction layer, its tensors named as public checkpoints name them."""

import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

NEW = 0.05  # of the random part: the layer mostly passes on the token's embedding, which says much in a tiny model


def add_prediction_layer(source: Path, folder: Path, layout: str = "mtp", *, leave_out: str = "") -> Path:
    """Copy the tiny model in `source` to `folder`, with a layer made of its last one.

    layout mtp: as Qwen3.5 stores it; beyond: as DeepSeek-V3 and GLM do, numbered behind the model's own layers.
    leave_out: tensors with this in their names.
    """
    shutil.copytree(source, folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    weights, layers, hidden = (
        load_file(folder / "model.safetensors"),
        config["num_hidden_layers"],
        config["hidden_size"],
    )
    generator = torch.Generator().manual_seed(5)
    join = torch.cat([torch.eye(hidden), torch.zeros(hidden, hidden)], dim=1)
    join += NEW * torch.randn(join.shape, generator=generator)
    block = {name.partition(f"layers.{layers - 1}.")[2]: tensor for name, tensor in weights.items()}
    block = {name: tensor.clone() for name, tensor in block.items() if name}
    norm = weights["model.norm.weight"]
    around = {"hidden": norm.clone(), "embedding": norm.clone(), "join": join, "last": norm.clone()}
    names = {
        "mtp": ("pre_fc_norm_hidden.weight", "pre_fc_norm_embedding.weight", "fc.weight", "norm.weight"),
        "beyond": ("hnorm.weight", "enorm.weight", "eh_proj.weight", "shared_head.norm.weight"),
    }[layout]
    start = "mtp." if layout == "mtp" else f"model.layers.{layers}."
    inner = f"{start}layers.0." if layout == "mtp" else start
    added = {f"{start}{name}": around[role] for name, role in zip(names, around, strict=True)}
    added |= {f"{inner}{name}": tensor for name, tensor in block.items()}
    kept = {name: tensor for name, tensor in added.items() if not leave_out or leave_out not in name}
    save_file(weights | kept, folder / "model.safetensors", {"format": "pt"})
    promise = "mtp_num_hidden_layers" if layout == "mtp" else "num_nextn_predict_layers"
    (folder / "config.json").write_text(json.dumps(config | {promise: 1}), encoding="utf-8")
    return folder


def beside_a_picture_model(source: Path, folder: Path) -> Path:
    """The same model as Qwen3.5 is published: its text part within one that also sees, whose weights are left out."""
    shutil.copytree(source, folder)
    text = json.loads((source / "config.json").read_text(encoding="utf-8"))
    weights = load_file(source / "model.safetensors")
    named = {
        name.replace("model.", "model.language_model.", 1) if name.startswith("model.") else name: tensor
        for name, tensor in weights.items()
    }
    save_file(named, folder / "model.safetensors", {"format": "pt"})
    sight = {
        "depth": 1,
        "hidden_size": 16,
        "intermediate_size": 16,
        "num_heads": 2,
        "out_hidden_size": text["hidden_size"],
    }
    whole = {"model_type": "qwen3_5", "text_config": text, "vision_config": sight, "eos_token_id": text["eos_token_id"]}
    (folder / "config.json").write_text(json.dumps(whole), encoding="utf-8")
    return folder
