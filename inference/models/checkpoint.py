"""Looks at a model folder before anything heavy is loaded, and says in plain words what is wrong with it."""

import json
import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inference.errors import UserError

SINGLE = "model.safetensors"
INDEX = "model.safetensors.index.json"
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".msgpack", ".h5")
DOWNLOAD_AGAIN = "Download the model again, or choose another folder."
# The format's own bound on its header (github.com/huggingface/safetensors, "Format").
MAX_HEADER_BYTES = 100_000_000


@dataclass(frozen=True)
class Checkpoint:
    """A folder whose files are there and whole. parameters counts elements as stored; nbytes is their size on disk."""

    folder: Path
    config: dict[str, Any]
    shards: tuple[Path, ...]
    parameters: int
    nbytes: int


def read_checkpoint(folder: Path) -> Checkpoint:
    """Check config.json and every safetensors shard of `folder` by their headers. UserError names what is wrong."""
    if not folder.is_dir():
        raise UserError(
            f"There is no model folder {folder}.", "Choose a folder that holds config.json and *.safetensors."
        )
    config = _read_json(folder / "config.json")
    shards, expected = _find_shards(folder)
    parameters = nbytes = 0
    found: set[str] = set()
    for shard in shards:
        header = read_header(shard)
        found.update(header)
        parameters += sum(math.prod(tensor["shape"]) for tensor in header.values())
        nbytes += max((int(tensor["data_offsets"][1]) for tensor in header.values()), default=0)
    for tensor, name in expected.items():
        if tensor not in found:
            raise UserError(f"{name} lacks the weights {tensor} that {INDEX} promises.", DOWNLOAD_AGAIN)
    return Checkpoint(folder, config, shards, parameters, nbytes)


def read_header(shard: Path) -> dict[str, dict[str, Any]]:
    """Tensors of a safetensors file: name -> dtype, shape, data_offsets. UserError when the file is cut short."""
    size = shard.stat().st_size
    if size == 0:
        raise UserError(f"{shard.name} is empty.", DOWNLOAD_AGAIN)
    broken = UserError(f"{shard.name} is damaged: it does not begin like a safetensors file.", DOWNLOAD_AGAIN)
    with shard.open("rb") as file:
        prefix = file.read(8)
        if len(prefix) < 8:
            raise broken
        (length,) = struct.unpack("<Q", prefix)
        if length > MAX_HEADER_BYTES:
            raise broken
        text = file.read(length)
    if len(text) < length:
        raise UserError(f"{shard.name} is cut short: it ends inside its header.", DOWNLOAD_AGAIN)
    try:
        header = json.loads(text)
        tensors = {name: value for name, value in header.items() if name != "__metadata__"}
        end = max((int(value["data_offsets"][1]) for value in tensors.values()), default=0)
    except (ValueError, AttributeError, KeyError, TypeError, IndexError):
        raise broken from None
    if size < 8 + length + end:
        raise UserError(f"{shard.name} is cut short: {size:,} of {8 + length + end:,} bytes are there.", DOWNLOAD_AGAIN)
    return tensors


def _read_json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise UserError(f"{path.parent} has no {path.name}.", "Choose a folder in the transformers format.")
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # json and unicode errors alike
        raise UserError(f"{path.name} cannot be read: {error}.", DOWNLOAD_AGAIN) from None
    if not isinstance(value, dict):
        raise UserError(f"{path.name} cannot be read: it is not a JSON object.", DOWNLOAD_AGAIN)
    return value


def _find_shards(folder: Path) -> tuple[tuple[Path, ...], dict[str, str]]:
    """The safetensors files to load and, from an index, which tensor is promised in which."""
    if (folder / SINGLE).is_file():
        return (folder / SINGLE,), {}
    if (folder / INDEX).is_file():
        index = _read_json(folder / INDEX)
        weight_map = index.get("weight_map")
        if not isinstance(weight_map, dict) or not weight_map or not isinstance(index.get("metadata"), dict):
            raise UserError(f"{INDEX} is not complete: it must name all weights.", DOWNLOAD_AGAIN)
        names = sorted({str(name) for name in weight_map.values()})
        for name in names:
            if Path(name).name != name:
                raise UserError(f"{INDEX} points outside the folder: {name}.", "Do not use this model.")
            if not (folder / name).is_file():
                raise UserError(f"The weights file {name} is missing ({len(names)} are needed).", DOWNLOAD_AGAIN)
        return tuple(folder / name for name in names), {str(key): str(value) for key, value in weight_map.items()}
    files = sorted(path.name for path in folder.iterdir() if path.is_file())
    if any(name.endswith(".safetensors") for name in files):
        raise UserError(
            f"The weights are not named as expected: neither {SINGLE} nor {INDEX} is there.", DOWNLOAD_AGAIN
        )
    if pickles := [name for name in files if name.endswith(PICKLES)]:
        raise UserError(
            f"The weights are only there as {pickles[0]}, a format that can run code when it is opened.",
            f"Get the safetensors version of this model ({SINGLE}).",
        )
    raise UserError(f"{folder} holds no weights.", f"Get the model's {SINGLE}, or choose another folder.")
