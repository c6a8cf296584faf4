"""Ways in which a model folder can be broken, each with the words that a person must read about it.

A damage is done to a whole folder of `tests.tiny_models`; one that happens during loading is done by `Damage.late`.
"""

import json
import os
import shutil
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

WEIGHTS, INDEX, CONFIG = "model.safetensors", "model.safetensors.index.json", "config.json"
Act = Callable[[Path], object]


@dataclass(frozen=True)
class Damage:
    """told: a regular expression that the message must match. late: done when the weights are about to be read."""

    name: str
    act: Act
    told: str
    late: bool = False


def write(name: str, content: str | bytes) -> Act:
    return lambda folder: (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def remove(name: str) -> Act:
    return lambda folder: (folder / name).unlink()


def cut(name: str, keep: int) -> Act:
    """Keep the first bytes; a negative number takes that many off the end."""
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:keep])


def changed(name: str, **values: Any) -> Act:
    """Other values in a JSON file. Python's json writes NaN and Infinity, as other programs do."""

    def act(folder: Path) -> None:
        before = json.loads((folder / name).read_text(encoding="utf-8"))
        (folder / name).write_text(json.dumps(before | values), encoding="utf-8")

    return act


def config(**values: Any) -> Act:
    return changed(CONFIG, **values)


def template(source: str) -> Act:
    return changed("tokenizer_config.json", chat_template=source)


def without(key: str) -> Act:
    def act(folder: Path) -> None:
        values = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        del values[key]
        (folder / CONFIG).write_text(json.dumps(values), encoding="utf-8")

    return act


def weights(change: Callable[[dict[str, torch.Tensor]], object]) -> Act:
    def act(folder: Path) -> None:
        tensors = load_file(folder / WEIGHTS)
        change(tensors)
        save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})

    return act


def header(change: Callable[[dict[str, Any]], object]) -> Act:
    """Another header before the same bytes."""

    def act(folder: Path) -> None:
        raw = (folder / WEIGHTS).read_bytes()
        (length,) = struct.unpack("<Q", raw[:8])
        values = json.loads(raw[8 : 8 + length])
        change(values)
        text = json.dumps(values).encode()
        (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(text)) + text + raw[8 + length :])

    return act


def split(folder: Path) -> None:
    """Two shards and an index, as large models come."""
    tensors = load_file(folder / WEIGHTS)
    names = sorted(tensors)
    parts = {"a.safetensors": names[::2], "b.safetensors": names[1::2]}
    for file, own in parts.items():
        save_file({name: tensors[name] for name in own}, folder / file, metadata={"format": "pt"})
    (folder / WEIGHTS).unlink()
    where = {name: file for file, own in parts.items() for name in own}
    (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": where}), encoding="utf-8")


def sharded(act: Act) -> Act:
    def both(folder: Path) -> None:
        split(folder)
        act(folder)

    return both


def shard_named(name: str) -> Act:
    """The index says that the first weight stands in another file."""

    def act(folder: Path) -> None:
        split(folder)
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
        index["weight_map"][next(iter(index["weight_map"]))] = name
        (folder / INDEX).write_text(json.dumps(index), encoding="utf-8")

    return act


def link(name: str, target: str) -> Act:
    def act(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to(target)

    return act


def pipe(name: str) -> Act:
    """Opening one waits for a writer, who never comes."""

    def act(folder: Path) -> None:
        (folder / name).unlink()
        os.mkfifo(folder / name)

    return act


def directory(name: str) -> Act:
    def act(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).mkdir()

    return act


def circle(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to(folder)


def a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_bytes(b"")


def pickled(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder / "pytorch_model.bin")


def fewer_rows(folder: Path) -> None:
    """Config and weights agree, and the tokenizer knows more tokens than they."""
    weights(lambda t: t.update({name: t[name][:200].clone() for name in (EMBEDDING, "lm_head.weight")}))(folder)
    config(vocab_size=200)(folder)


EMBEDDING = "model.embed_tokens.weight"
QUERY, UP = "model.layers.0.self_attn.q_proj.weight", "model.layers.1.mlp.up_proj.weight"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
NAN, INFINITE = float("nan"), float("inf")
HUGE = 10**12

DAMAGES = (
    Damage("folder gone", shutil.rmtree, "no (model )?folder"),
    Damage("folder a file", a_file, "not a (folder|model)"),
    Damage("folder a link to itself", circle, "模型"),
    Damage("no config", remove(CONFIG), "no config.json"),
    Damage("config empty", write(CONFIG, ""), "config.json is empty"),
    Damage("config cut", cut(CONFIG, 40), "config.json is damaged"),
    Damage("config a list", write(CONFIG, "[1]"), "config.json is damaged"),
    Damage("config nested without end", write(CONFIG, "[" * 200_000), "config.json is damaged"),
    Damage("config of another encoding", write(CONFIG, b"\xff\xfe\x00{}"), "config.json is damaged"),
    Damage("config a Git LFS pointer", write(CONFIG, POINTER), "config.json is only a pointer"),
    Damage("config a folder", directory(CONFIG), "config.json"),
    Damage("config a link to itself", link(CONFIG, CONFIG), "config.json"),
    Damage("config a pipe", pipe(CONFIG), "config.json"),
    Damage("no kind", without("model_type"), "config.json does not say"),
    Damage("unknown kind", config(model_type="perceptron", architectures=["PForCausalLM"]), "PForCausalLM"),
    Damage("own code", config(model_type="p", auto_map={"AutoModelForCausalLM": "m.M"}), "Python code"),
    Damage("size a word", config(hidden_size="many"), "config.json.*hidden_size"),
    Damage("size missing", without("hidden_size"), "config.json|embeddings"),
    Damage("size NaN", config(hidden_size=NAN), "config.json.*hidden_size"),
    Damage("size negative", config(hidden_size=-64), "config.json.*hidden_size"),
    Damage("layers negative", config(num_hidden_layers=-2), "config.json.*num_hidden_layers"),
    Damage("layers a fraction", config(num_hidden_layers=2.5), "config.json.*num_hidden_layers"),
    Damage("layers without end", config(num_hidden_layers=HUGE), "layer"),
    Damage("no heads", config(num_attention_heads=0), "config.json.*num_attention_heads"),
    Damage("heads that do not share", config(num_key_value_heads=3), "config.json|shape"),
    Damage("head size odd", config(head_dim=15), "config.json|shape"),
    Damage("epsilon NaN", config(rms_norm_eps=NAN), "config.json.*rms_norm_eps"),
    Damage("epsilon negative", config(rms_norm_eps=-1.0), "config.json.*rms_norm_eps"),
    Damage("rope infinite", config(rope_parameters={"rope_type": "default", "rope_theta": INFINITE}), "rope_theta"),
    Damage("rope unknown", config(rope_parameters={"rope_type": "spiral", "rope_theta": 1e4}), "config.json.*spiral"),
    Damage("context negative", config(max_position_embeddings=-1), "config.json.*max_position_embeddings"),
    Damage("activation unknown", config(hidden_act="swosh"), "config.json.*swosh"),
    Damage("terabytes of layers", config(intermediate_size=HUGE), f"{WEIGHTS}|shape.*{HUGE}"),
    Damage("terabytes of tokens", config(vocab_size=HUGE), str(HUGE)),
    Damage("terabytes of heads", config(num_attention_heads=HUGE), f"{WEIGHTS}|shape|config.json"),
    Damage("quantized in an unknown way", config(quantization_config={"quant_method": "dust"}), "config.json.*dust"),
    Damage("quantization a number", config(quantization_config=7), "config.json"),
    Damage("no weights", remove(WEIGHTS), "no weights|holds no weights"),
    Damage("only a pickle", pickled, "pickle|can run"),
    Damage("weights empty", cut(WEIGHTS, 0), f"{WEIGHTS} is empty"),
    Damage("weights cut in the header", cut(WEIGHTS, 100), f"{WEIGHTS} is cut"),
    Damage("weights cut at the end", cut(WEIGHTS, -1), f"{WEIGHTS} is cut"),
    Damage("weights five bytes", cut(WEIGHTS, 5), WEIGHTS),
    Damage("weights a web page", write(WEIGHTS, "<!doctype html><title>Sign in</title>"), WEIGHTS),
    Damage("weights a Git LFS pointer", write(WEIGHTS, POINTER), "Git LFS"),
    Damage("weights a pipe", pipe(WEIGHTS), WEIGHTS),
    Damage("weights a link to nowhere", link(WEIGHTS, "gone"), WEIGHTS),
    Damage("weights of an unknown type", header(lambda h: h[UP].update(dtype="F99")), WEIGHTS),
    Damage("weights of too many bytes", header(lambda h: h[UP].update(dtype="F64")), WEIGHTS),
    Damage("weights at a negative place", header(lambda h: h[UP].update(data_offsets=[-8, 0])), WEIGHTS),
    Damage("weights of a negative shape", header(lambda h: h[UP].update(shape=[-128, 64])), WEIGHTS),
    Damage("weights whole numbers", weights(lambda t: t.update({UP: t[UP].to(torch.int32)})), UP),
    Damage("weights of another shape", weights(lambda t: t.update({QUERY: t[QUERY][:48].clone()})), "q_proj"),
    Damage("weights of one dimension", weights(lambda t: t.update({QUERY: t[QUERY].reshape(-1)})), "q_proj"),
    Damage("a weight missing", weights(lambda t: t.pop(UP)), "up_proj"),
    Damage("a weight of another name", weights(lambda t: t.update({"x": t.pop(EMBEDDING)})), "embed"),
    Damage("a layer missing", weights(lambda t: [t.pop(n) for n in list(t) if "layers.1" in n]), "layer 2 of 2"),
    Damage("other weights", config(intermediate_size=96), "96"),
    Damage("shard empty", sharded(cut("b.safetensors", 0)), "b.safetensors.* is empty"),
    Damage("shard cut", sharded(cut("b.safetensors", -1)), "b.safetensors.* is cut"),
    Damage("shard missing", sharded(remove("b.safetensors")), "b.safetensors.* is missing"),
    Damage("shard outside", shard_named("../模型/a.safetensors"), "a.safetensors"),
    Damage("shard anywhere", shard_named("/etc/passwd"), "/etc/passwd"),
    Damage("shard a pickle", shard_named("config.json"), "config.json"),
    Damage("index cut", sharded(cut(INDEX, 30)), f"{INDEX} is damaged"),
    Damage("index empty", sharded(write(INDEX, '{"metadata": {}, "weight_map": {}}')), INDEX),
    Damage("index of numbers", sharded(write(INDEX, '{"weight_map": {"a": 7}}')), INDEX),
    Damage("no tokenizer", remove("tokenizer.json"), "no tokenizer"),
    Damage("tokenizer cut", cut("tokenizer.json", 200), "tokenizer.json is damaged"),
    Damage("tokenizer without words", write("tokenizer.json", "{}"), "tokenizer.json"),
    Damage("tokenizer nonsense", changed("tokenizer.json", model={"type": "BPE", "vocab": 7}), "tokenizer"),
    Damage("tokenizer settings cut", cut("tokenizer_config.json", 20), "tokenizer_config.json is damaged"),
    Damage("tokenizer settings a list", write("tokenizer_config.json", "[]"), "tokenizer_config.json is damaged"),
    Damage("generation settings cut", cut("generation_config.json", 9), "generation_config.json is damaged"),
    Damage("special tokens corrupt", write("special_tokens_map.json", "{"), "special_tokens_map.json is damaged"),
    Damage("more tokens than rows", fewer_rows, "tokenizer.*200|200.*tokenizer"),
    Damage("template that breaks out", template("{{ ''.__class__.__mro__ }}"), "chat template"),
    Damage("template too greedy", template("{{ 'x' * 10**9 }}"), "chat template"),
    Damage("template with a fault", template("{% for %}"), "chat template"),
    Damage("template that refuses", template("{{ raise_exception('go away') }}"), "go away"),
    Damage("template that is deaf", template("hello"), "leaves out"),
    Damage("folder vanishes", shutil.rmtree, "模型", late=True),
    Damage("weights vanish", remove(WEIGHTS), "weights|" + WEIGHTS, late=True),
    Damage("weights shrink", cut(WEIGHTS, 3000), WEIGHTS, late=True),
    Damage("config vanishes", remove(CONFIG), CONFIG, late=True),
)  # fmt: skip
