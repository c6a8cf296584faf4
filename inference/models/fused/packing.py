"""Weights in the native kernels' formats: packed once, kept on disk beside the model, read in seconds.

A GGUF beside the model gives its own blocks, the common kinds of them exactly; other models are packed from floats.
Both happen tensor by tensor: the model is never in memory twice.
"""

import hashlib
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inference.loading import Report, unreported
from inference.manager.safetensors_file import SafetensorsError, read_header, writing
from inference.models.fused.architecture import Architecture
from inference.models.fused.blocks import GGUF_NAME, blocks_of
from inference.models.fused.source import EMBEDDING, HEAD, Source, open_source, weight_files
from inference.models.fused.tensor_names import matrix_shapes, vector_names
from inference.settings import TABLES

if TYPE_CHECKING:
    import torch

    from inference.manager.gguf_file import GgufFile

log = logging.getLogger(__name__)

PACKING = 2  # to be raised when packed files of before must not be read any more
PIECE = 16 << 20  # bytes that are read before it is looked whether the person still waits
ALIGNMENT = 64  # bytes: a cache line, and the widest load of the kernels


@dataclass(frozen=True)
class Packed:
    """One tensor in its final form. done, total: bytes of the source up to and with it, and of all."""

    name: str
    tensor: "torch.Tensor"
    done: int
    total: int


def packed_folder(folder: Path) -> Path:
    """Inside a folder of our own, so that it goes with the model; in the cache for one that belongs to the person."""
    from inference.manager.paths import cache_folder
    from inference.manager.store import MARKER

    if (folder / MARKER).is_file():
        return folder / "packed"
    return cache_folder() / "packed" / hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]


def packed_file(folder: Path, kind: str) -> Path:
    """Where the packed weights of this state of the folder are, or will be. kind: `settings.packed_kind`."""
    recipe = _recipe(folder, kind)
    return packed_folder(folder) / f"{recipe}-{_digest(folder, recipe)}.safetensors"


def packed_tensors(
    folder: Path, architecture: Architecture, kind: str, report: Report = unreported
) -> "dict[str, torch.Tensor]":
    """Every tensor by its transformers name: matrices as packed bytes (uint8), norms and biases as float32.

    kind: `settings.packed_kind`. Raises UserError for missing or damaged files.
    """
    recipe = _recipe(folder, kind)
    path = packed_file(folder, kind)
    try:
        return _read(path, report)
    except (OSError, SafetensorsError):
        pass  # not packed yet, or not to the end
    try:
        _write(path, _pack(folder, architecture, recipe), report)
        return _read(path, report)
    except (OSError, SafetensorsError) as error:
        log.info("packed weights cannot be kept in %s (%s)", path.parent, error)
        return dict(_counted(_pack(folder, architecture, recipe), report))


def _recipe(folder: Path, kind: str) -> str:
    """blocks: those of the GGUF file, always for int8; for int4 only if most of them are that small."""
    blocks = blocks_of(folder)
    return "blocks" if blocks is not None and (kind == "int8" or blocks.four_bit) else kind


def _digest(folder: Path, recipe: str) -> str:
    """Changes with the source files and with the code that packs, so that a stale file is never read."""
    import inference.native

    state = hashlib.sha256(str(PACKING).encode())
    for path in [folder / GGUF_NAME] if recipe == "blocks" else weight_files(folder):
        if path.is_file():
            status = path.stat()
            state.update(f"{path.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    native = Path(inference.native.__file__).parent
    for path in (
        native / "foreword.h",
        native / "tiles.py",
        native / "weights.py",
        native / "gguf_blocks.py",
        Path(__file__).with_name("tensor_names.py"),
        Path(__file__),
    ):
        if path.is_file():  # a packaged program has no sources, and changes them only with its version
            state.update(path.read_bytes())
    return state.hexdigest()[:16]


def _pack(folder: Path, architecture: Architecture, recipe: str) -> "Iterator[Packed]":
    """recipe: blocks, or a kind of weights."""
    if recipe != "blocks":
        with open_source(folder) as source:
            yield from _pack_floats(source, architecture, recipe)
        return
    from inference.manager.gguf_file import GgufFile

    with GgufFile(folder / GGUF_NAME) as file:
        yield from _pack_blocks(file)


def _pack_blocks(file: "GgufFile") -> "Iterator[Packed]":
    import gguf
    import numpy as np
    import torch

    from inference.manager.gguf_architecture import blueprint
    from inference.native.gguf_blocks import pack_gguf

    weights = blueprint(file).weights
    done, total = 0, sum(weight.tensor.data.nbytes for weight in weights)
    for weight in weights:
        tensor, order = weight.tensor, weight.row_order()
        done += tensor.data.nbytes
        if len(tensor.shape) == 1:
            values = np.array(tensor.dequantize().reshape(-1), dtype=np.float32)
            values = values if order is None else values[order]
            yield Packed(weight.name, torch.from_numpy(values - np.float32(weight.offset)), done, total)
            continue
        raw = tensor.data[slice(None) if order is None else order]
        outputs, inputs = tensor.shape
        packed = pack_gguf(raw, gguf.GGMLQuantizationType[tensor.type], outputs, inputs)
        yield Packed(weight.name, packed.data, done, total)


def _pack_floats(source: Source, architecture: Architecture, recipe: str) -> "Iterator[Packed]":
    """Embedding and head stay at 8 bits, unless the recipe says otherwise: they weigh most on the words, and in large
    models least on the clock."""
    from inference.native.weights import Format, pack_int4, pack_int8

    matrices = matrix_shapes(architecture)
    vectors = {name: values for name in vector_names(architecture) if (values := source.vector(name)) is not None}
    total = source.size([*matrices, *vectors])
    kind = Format[recipe.removesuffix(TABLES).upper()]
    for name in matrices:
        fine = kind is Format.INT8 or (name in (EMBEDDING, HEAD) and not recipe.endswith(TABLES))
        weight = source.matrix(name)
        packed = pack_int8(weight) if fine else pack_int4(weight, kind=kind)
        yield Packed(name, packed.data, source.bytes_read, total)
    for name, values in vectors.items():
        yield Packed(name, values, total, total)


def _counted(tensors: "Iterable[Packed]", report: Report) -> "Iterator[tuple[str, torch.Tensor]]":
    for packed in tensors:
        yield packed.name, packed.tensor
        report(packed.done, packed.total, "pack")


def _write(path: Path, tensors: "Iterable[Packed]", report: Report) -> None:
    """Write them one by one; earlier files of the same recipe go."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for stale in path.parent.glob(f"{path.name.split('-')[0]}-*.safetensors"):
        stale.unlink()
    with writing(path, ["x" * 80] * 4096) as writer:
        for packed in tensors:
            tensor, mark = packed.tensor, writer.begin(packed.name)
            writer.append(tensor.numpy())
            writer.end(packed.name, mark, "F32" if tensor.is_floating_point() else "U8", (len(tensor),))
            report(packed.done, packed.total, "pack")


def _read(path: Path, report: Report) -> "dict[str, torch.Tensor]":
    """All tensors, views of one block of memory."""
    import numpy as np
    import torch

    entries = read_header(path)
    starts, room = {}, 0
    for name, entry in entries.items():
        starts[name] = room
        room += -(-(entry.end - entry.begin) // ALIGNMENT) * ALIGNMENT
    # numpy asks the system for large pages, which saves address lookups; its memory starts anywhere.
    memory = np.empty(room + ALIGNMENT, np.uint8)
    memory = memory[-memory.ctypes.data % ALIGNMENT :][:room]
    tensors = {}
    with path.open("rb") as file:
        done, total = 0, max((entry.end for entry in entries.values()), default=0)
        data_start = path.stat().st_size - total
        for name, entry in entries.items():
            part = memory[starts[name] : starts[name] + entry.end - entry.begin]
            file.seek(data_start + entry.begin)
            for begin in range(0, len(part), PIECE):
                piece = part[begin : begin + PIECE]
                if file.readinto(piece.data) != len(piece):
                    raise SafetensorsError("is cut off")
                report(done + begin + len(piece), total)
            tensor = torch.from_numpy(part)
            tensors[name] = tensor.view(torch.float32) if entry.dtype == "F32" else tensor
            done += len(part)
    return tensors
