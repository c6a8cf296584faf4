"""Every way a model folder can be broken is told in words, names the file, and says what to do."""

import json
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file

from inference.errors import UserError
from inference.models.checkpoint import read_checkpoint
from inference.models.transformers_model import TransformersModel

Tiny = Callable[..., Path]
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"


def change_config(folder: Path, **changes: Any) -> None:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | changes), encoding="utf-8")


def split(folder: Path) -> None:
    """Two shards and an index, as large models come."""
    tensors = load_file(folder / WEIGHTS)
    names = sorted(tensors)
    parts = {"a.safetensors": names[::2], "b.safetensors": names[1::2]}
    for file, own in parts.items():
        save_file({name: tensors[name] for name in own}, folder / file, metadata={"format": "pt"})
    (folder / WEIGHTS).unlink()
    weight_map = {name: file for file, own in parts.items() for name in own}
    index = {"metadata": {}, "weight_map": weight_map}
    (folder / INDEX).write_text(json.dumps(index), encoding="utf-8")


def cut(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])


def no_config(folder: Path) -> None:
    (folder / "config.json").unlink()


def corrupt_config(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": ', encoding="utf-8")


def config_of_another_encoding(folder: Path) -> None:
    (folder / "config.json").write_bytes(b"\xff\xfe\x00{}")


def config_is_a_list(folder: Path) -> None:
    (folder / "config.json").write_text("[]", encoding="utf-8")


def config_with_a_wrong_type(folder: Path) -> None:
    change_config(folder, num_hidden_layers="many")


def unknown_architecture(folder: Path) -> None:
    change_config(folder, model_type="perceptron", architectures=["PerceptronForCausalLM"])


def no_language_model(folder: Path) -> None:
    change_config(folder, model_type="clip", architectures=["CLIPModel"])


def own_code(folder: Path) -> None:
    change_config(
        folder, model_type="perceptron", architectures=["Perceptron"], auto_map={"AutoModelForCausalLM": "m.M"}
    )


def only_pickle(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder / "pytorch_model.bin")


def no_weights(folder: Path) -> None:
    (folder / WEIGHTS).unlink()


def strange_name(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder / "consolidated.safetensors")


def empty_shard(folder: Path) -> None:
    split(folder)
    cut(folder / "b.safetensors", 0)


def short_shard(folder: Path) -> None:
    split(folder)
    cut(folder / "b.safetensors", (folder / "b.safetensors").stat().st_size - 1)


def shard_cut_in_its_header(folder: Path) -> None:
    cut(folder / WEIGHTS, 100)


def shard_of_five_bytes(folder: Path) -> None:
    cut(folder / WEIGHTS, 5)


def shard_is_a_web_page(folder: Path) -> None:
    (folder / WEIGHTS).write_text("<!doctype html><title>Sign in</title>", encoding="utf-8")


def shard_with_a_mad_header(folder: Path) -> None:
    header = b'{"a": {"dtype": "F32"}}'
    (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(header)) + header)


def missing_shard(folder: Path) -> None:
    split(folder)
    (folder / "b.safetensors").unlink()


def empty_index(folder: Path) -> None:
    split(folder)
    (folder / INDEX).write_text('{"metadata": {}, "weight_map": {}}', encoding="utf-8")


def index_outside(folder: Path) -> None:
    split(folder)
    (folder / INDEX).write_text('{"metadata": {}, "weight_map": {"a": "../b.safetensors"}}', encoding="utf-8")


def broken_promise(folder: Path) -> None:
    split(folder)
    index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    index["weight_map"]["model.extra.weight"] = "a.safetensors"
    (folder / INDEX).write_text(json.dumps(index), encoding="utf-8")


def other_shapes(folder: Path) -> None:
    change_config(folder, intermediate_size=96)


def lost_tensor(folder: Path) -> None:
    tensors = load_file(folder / WEIGHTS)
    del tensors["model.layers.1.mlp.up_proj.weight"]
    save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (shutil.rmtree, "no model folder"),
        (no_config, "no config.json"),
        (corrupt_config, "config.json cannot be read"),
        (config_of_another_encoding, "config.json cannot be read"),
        (config_is_a_list, "config.json cannot be read"),
        (config_with_a_wrong_type, "config.json does not describe a model"),
        (unknown_architecture, "not supported: PerceptronForCausalLM"),
        (no_language_model, "not supported: CLIPModel"),
        (own_code, "its own Python code"),
        (only_pickle, "pytorch_model.bin, a format that can run code"),
        (no_weights, "holds no weights"),
        (strange_name, "not named as expected"),
        (empty_shard, "b.safetensors is empty"),
        (short_shard, "b.safetensors is cut short"),
        (shard_cut_in_its_header, "model.safetensors is cut short"),
        (shard_of_five_bytes, "model.safetensors is damaged"),
        (shard_is_a_web_page, "model.safetensors is damaged"),
        (shard_with_a_mad_header, "model.safetensors is damaged"),
        (missing_shard, "b.safetensors is missing"),
        (empty_index, "is not complete"),
        (index_outside, "outside the folder"),
        (broken_promise, "a.safetensors lacks the weights model.extra.weight"),
        (other_shapes, r"mlp.* have shape \[.*128.*\], but config.json asks for \[.*96.*\]"),
        (lost_tensor, r"lacks weights \(1\), first model.layers.1.mlp.up_proj.weight"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_damage_is_told_in_words(damage: Callable[[Path], None], told: str, tiny: Tiny, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny("llama"), tmp_path / "模型")
    damage(folder)
    with pytest.raises(UserError, match=told) as raised:
        TransformersModel.load(folder, "float32", "cpu", 512)
    assert raised.value.remedy


def test_a_whole_folder_is_measured(tiny: Tiny, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny("llama"), tmp_path / "model")
    single = read_checkpoint(folder)
    tensors = load_file(folder / WEIGHTS)
    assert single.parameters == sum(tensor.numel() for tensor in tensors.values())
    assert single.nbytes == 4 * single.parameters and single.shards == (folder / WEIGHTS,)
    split(folder)
    double = read_checkpoint(folder)
    assert (double.parameters, double.nbytes, len(double.shards)) == (single.parameters, single.nbytes, 2)
    model = TransformersModel.load(folder, "float32", "cpu", 512)
    assert model.nbytes >= single.nbytes
