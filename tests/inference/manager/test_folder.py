"""Damaged model folders: each gives one clear sentence, never a traceback, and says what to do."""

import json
import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inference.errors import UserError
from inference.manager.folder import inspect, resolve
from tests.inference.manager.model_folders import CONFIG, make_folder, make_sharded_folder, safetensors, tensors

SHARD = "model-00002-of-00002.safetensors"


def test_a_whole_folder_is_described(tmp_path: Path) -> None:
    report = inspect(make_folder(tmp_path / "Tiny"))
    assert (report.name, report.architecture, report.model_type) == ("Tiny", "LlamaForCausalLM", "llama")
    assert (report.context_length, report.parameters, report.size_bytes) == (64, 520, 2080)
    assert (report.dtype, report.quantization, report.has_chat_template) == ("F32", "", True)
    assert not report.needs_remote_code
    spec = report.spec
    assert (spec.identifier, spec.folder, spec.name) == (str(tmp_path / "Tiny"), tmp_path / "Tiny", "Tiny")


def test_a_sharded_folder_counts_all_its_shards(tmp_path: Path) -> None:
    assert inspect(make_sharded_folder(tmp_path / "m")).parameters == 520


def test_a_name_in_chinese_and_with_blanks(tmp_path: Path) -> None:
    assert inspect(make_folder(tmp_path / "我的 模型")).name == "我的 模型"


def test_settings_that_a_loader_must_know(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "m")
    changes = {"quantization_config": {"quant_method": "bitsandbytes"}, "auto_map": {"AutoModelForCausalLM": "x.Y"}}
    (folder / "config.json").write_text(json.dumps(CONFIG | changes))
    report = inspect(folder)
    assert report.quantization == "bitsandbytes" and report.needs_remote_code


def test_the_text_part_of_a_model_that_also_sees(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "m")
    config = {"architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3", "text_config": CONFIG}
    (folder / "config.json").write_text(json.dumps(config))
    assert inspect(folder).context_length == 64


def test_a_hub_cache_entry_stands_for_its_snapshot(tmp_path: Path) -> None:
    entry = tmp_path / "models--someone--Tiny-1B"
    snapshot = make_folder(entry / "snapshots" / "abc123")
    assert resolve(entry) == snapshot
    assert inspect(snapshot).name == "Tiny-1B"
    assert resolve(snapshot) == snapshot


def write(name: str, content: bytes | str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    return damage


def remove(*names: str) -> Callable[[Path], None]:
    return lambda folder: [(folder / name).unlink() for name in names] and None


def config(**changes: Any) -> Callable[[Path], None]:
    values = {key: value for key, value in (CONFIG | changes).items() if value is not None}
    return write("config.json", json.dumps(values))


def cut(name: str, keep: int) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:keep]) and None


def header(**changes: Any) -> Callable[[Path], None]:
    """model.safetensors whose header says something else about the embeddings."""

    def damage(folder: Path) -> None:
        raw = (folder / "model.safetensors").read_bytes()
        (length,) = struct.unpack("<Q", raw[:8])
        values = json.loads(raw[8 : 8 + length])
        values["model.embed_tokens.weight"] |= changes
        text = json.dumps(values).encode()
        (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + raw[8 + length :])

    return damage


def both(*steps: Callable[[Path], None]) -> Callable[[Path], None]:
    return lambda folder: [step(folder) for step in steps] and None


def link(name: str, target: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to(target)

    return damage


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
fewer_layers = {name: value for name, value in tensors().items() if "layers.1" not in name}
PICKLED = both(remove("model.safetensors"), write("pytorch_model.bin", b"\x80\x04"))
DAMAGED: list[tuple[str, Callable[[Path], None], str]] = [
    ("no config", remove("config.json"), "no config.json"),
    ("empty config", write("config.json", ""), "config.json is empty"),
    ("config cut off", cut("config.json", 20), "config.json is damaged"),
    ("config not text", write("config.json", b"\xff\xfe\x00\x80"), "config.json is damaged"),
    ("config a list", write("config.json", "[1, 2]"), "config.json is damaged"),
    ("config nested beyond reason", write("config.json", "[" * 200_000), "config.json is damaged"),
    ("config a Git LFS pointer", write("config.json", POINTER), "Git LFS"),
    ("no model type", config(model_type=None), "what kind of model"),
    ("model type a number", config(model_type=7), "what kind of model"),
    ("a classifier", config(architectures=["BertForSequenceClassification"]), "BertForSequenceClassification"),
    ("a translator", config(architectures=["T5ForConditionalGeneration"], model_type="t5"), "does not chat"),
    ("an adapter", both(remove("config.json"), write("adapter_config.json", "{}")), "only an adapter"),
    ("a folder of GGUF", both(remove("config.json"), write("x.gguf", "GGUF")), "GGUF"),
    ("no tokenizer", remove("tokenizer.json"), "no tokenizer"),
    ("half a tokenizer", both(remove("tokenizer.json"), write("vocab.json", "{}")), "merges.txt is missing"),
    ("tokenizer cut off", cut("tokenizer.json", 10), "tokenizer.json is damaged"),
    ("tokenizer without vocabulary", write("tokenizer.json", "{}"), "holds no vocabulary"),
    ("tokenizer settings damaged", write("tokenizer_config.json", "{"), "tokenizer_config.json is damaged"),
    ("generation settings damaged", write("generation_config.json", "nul"), "generation_config.json is damaged"),
    ("no weights", remove("model.safetensors"), "no weights"),
    ("pickled weights", PICKLED, "can run any code"),
    ("empty weights", write("model.safetensors", ""), "model.safetensors is empty"),
    ("weights of a few bytes", cut("model.safetensors", 5), "model.safetensors is cut off"),
    ("header cut off", cut("model.safetensors", 100), "model.safetensors is cut off"),
    ("data cut off", cut("model.safetensors", -1), "model.safetensors is cut off"),
    ("weights a Git LFS pointer", write("model.safetensors", POINTER), "Git LFS"),
    ("weights a web page", write("model.safetensors", "<!DOCTYPE html><html></html>"), "not in the safetensors format"),
    ("header not JSON", write("model.safetensors", struct.pack("<Q", 4) + b"abcd"), "damaged header"),
    ("header a list", write("model.safetensors", struct.pack("<Q", 2) + b"[]"), "damaged header"),
    ("header without tensors", write("model.safetensors", struct.pack("<Q", 2) + b"{}"), "no weights"),
    ("shape and data differ", header(shape=[32, 9]), "does not fit its data"),
    ("unknown number format", header(dtype="F99"), "unknown number format"),
    ("negative shape", header(shape=[-32, -8]), "makes no sense"),
    ("shape of texts", header(shape=["32", 8]), "makes no sense"),
    ("offsets backwards", header(data_offsets=[1024, 0]), "makes no sense"),
    ("offsets overlapping", header(data_offsets=[16, 1040]), "overlap or leave holes"),
    ("no offsets", header(data_offsets=None), "makes no sense"),
    ("another model's embeddings", config(vocab_size=33), "do not fit config.json"),
    ("another model's width", config(hidden_size=16), "do not fit config.json"),
    ("a layer left out", write("model.safetensors", safetensors(fewer_layers)), "layer 2 of 2"),
    ("more layers in the configuration", config(num_hidden_layers=3), "layer 3 of 3"),
    ("a link in a circle", link("config.json", "config.json"), "config.json"),
    ("a link to nowhere", link("model.safetensors", "absent"), "leads nowhere"),
]
DAMAGED_SHARDS: list[tuple[str, Callable[[Path], None], str]] = [
    ("a shard missing", remove(SHARD), rf"{SHARD} \(part 2 of 2\) is missing"),
    ("a shard empty", write(SHARD, ""), rf"{SHARD} \(part 2 of 2\) is empty"),
    ("a shard cut off", cut(SHARD, -4), rf"{SHARD} \(part 2 of 2\) is cut off"),
    (
        "a shard of something else",
        write(SHARD, safetensors({"x": np.zeros(1, np.float32)})),
        rf"{SHARD}.*lacks the weight",
    ),
    ("index cut off", cut("model.safetensors.index.json", 30), "index.json is damaged"),
    ("index without files", write("model.safetensors.index.json", "{}"), "names no files"),
    ("index of numbers", write("model.safetensors.index.json", '{"weight_map": {"a": 1}}'), "names no files"),
    ("index that leads out", write("model.safetensors.index.json", '{"weight_map": {"a": "../x"}}'), "is missing"),
    (
        "index that leads far out",
        write("model.safetensors.index.json", '{"weight_map": {"a": "/etc/x"}}'),
        "is missing",
    ),
]


def check(folder: Path, damage: Callable[[Path], None], said: str) -> None:
    inspect(folder)
    damage(folder)
    with pytest.raises(UserError, match=said) as caught:
        inspect(folder)
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("damage", "said"), [pytest.param(d, s, id=name) for name, d, s in DAMAGED])
def test_a_damaged_folder(tmp_path: Path, damage: Callable[[Path], None], said: str) -> None:
    check(make_folder(tmp_path / "m"), damage, said)


@pytest.mark.parametrize(("damage", "said"), [pytest.param(d, s, id=name) for name, d, s in DAMAGED_SHARDS])
def test_a_damaged_sharded_folder(tmp_path: Path, damage: Callable[[Path], None], said: str) -> None:
    check(make_sharded_folder(tmp_path / "m"), damage, said)


def test_no_folder_and_no_folder_at_all(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no folder"):
        inspect(tmp_path / "absent")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UserError, match="is not a folder"):
        inspect(tmp_path / "file")


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a file system that refuses, since root may read everything."""
    folder = make_folder(tmp_path / "m")

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(UserError, match="may not be read"):
        inspect(folder)


def test_a_folder_that_vanishes_while_it_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_folder(tmp_path / "m")
    real = Path.iterdir

    def last_look(path: Path) -> Any:
        names = list(real(path))
        shutil.rmtree(path)
        return names

    monkeypatch.setattr(Path, "iterdir", last_look)
    with pytest.raises(UserError, match="There is no folder"):
        inspect(folder)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_damage_to_the_weights_gives_anything_but_a_sentence(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Cut anywhere: always noticed. A byte changed anywhere: noticed, or harmless, but never a crash."""
    folder = make_folder(tmp_path_factory.mktemp("any") / "m")
    path = folder / "model.safetensors"
    raw = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(raw) - 1))
    if data.draw(st.booleans()):
        path.write_bytes(raw[:place])
        with pytest.raises(UserError):
            inspect(folder)
        return
    raw[place] = data.draw(st.integers(0, 255))
    path.write_bytes(raw)
    try:
        inspect(folder)
    except UserError as error:
        assert error.message


def test_inspecting_reads_no_weights(tmp_path: Path) -> None:
    """A sparse file of 64 GB is looked at as fast as a small one."""
    folder = make_folder(tmp_path / "m")
    entry = {"dtype": "F32", "shape": [1 << 34], "data_offsets": [0, 1 << 36]}
    text = json.dumps({"model.huge": entry}).encode()
    path = folder / "model.safetensors"
    path.write_bytes(struct.pack("<Q", len(text)) + text)
    os.truncate(path, 8 + len(text) + (1 << 36))
    assert inspect(folder).size_bytes == 1 << 36
