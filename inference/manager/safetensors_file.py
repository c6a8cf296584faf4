"""The safetensors format, without torch: a header that can be checked in a millisecond, and a writer that streams.

Format: eight bytes little-endian header length, that many bytes of JSON, then the data. The JSON maps a name to
{"dtype", "shape", "data_offsets": [begin, end]}, offsets counted from the end of the header.
"""

import json
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    import numpy as np

MAX_HEADER = 100_000_000  # bytes; the reference implementation's own bound

# Bits per element. The last rows are newer than many files, but they cost nothing.
DTYPE_BITS = {
    "F64": 64, "I64": 64, "U64": 64, "F32": 32, "I32": 32, "U32": 32, "F16": 16, "BF16": 16, "I16": 16, "U16": 16,
    "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "I8": 8, "U8": 8, "BOOL": 8, "F4": 4, "C64": 64,
}  # fmt: skip


class SafetensorsError(ValueError):
    """The file is not a whole safetensors file. The text completes the sentence "it ..."."""


@dataclass(frozen=True)
class TensorEntry:
    """One tensor of a file: offsets in bytes from the end of the header."""

    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int

    @property
    def elements(self) -> int:
        return prod(self.shape)


def _entry(name: str, value: Any) -> TensorEntry:
    try:
        begin, end = value["data_offsets"]
        entry = TensorEntry(value["dtype"], tuple(value["shape"]), begin, end)
    except (TypeError, KeyError, ValueError) as error:
        raise SafetensorsError(f"describes the tensor {name!r} in a way that makes no sense") from error
    numbers = (*entry.shape, begin, end)
    if not all(isinstance(number, int) and number >= 0 for number in numbers) or begin > end:
        raise SafetensorsError(f"describes the tensor {name!r} in a way that makes no sense")
    bits = DTYPE_BITS.get(entry.dtype)
    if bits is None:
        raise SafetensorsError(f"holds the tensor {name!r} in an unknown number format, {entry.dtype!r}")
    if entry.elements * bits != (end - begin) * 8:
        raise SafetensorsError(f"gives the tensor {name!r} a shape that does not fit its data")
    return entry


def data_start(file: BinaryIO) -> int:
    """Where the data of an open file begin, whose header was read before."""
    file.seek(0)
    return 8 + int(struct.unpack("<Q", file.read(8))[0])


def read_header(path: Path) -> dict[str, TensorEntry]:
    """Every tensor of the file, checked against the file's length. Raises OSError, SafetensorsError."""
    size = path.stat().st_size
    if size == 0:
        raise SafetensorsError("is empty")
    with path.open("rb") as file:
        start = file.read(8)
        if start == b"version ":
            raise SafetensorsError("is only a pointer of Git LFS, not the weights")
        if len(start) < 8:
            raise SafetensorsError("is cut off")
        (length,) = struct.unpack("<Q", start)
        if length > MAX_HEADER:
            raise SafetensorsError("is not in the safetensors format")
        if 8 + length > size:
            raise SafetensorsError("is cut off")
        try:
            header = json.loads(file.read(length))
        except (ValueError, RecursionError) as error:
            raise SafetensorsError("has a damaged header") from error
    if not isinstance(header, dict):
        raise SafetensorsError("has a damaged header")
    entries = {name: _entry(name, value) for name, value in header.items() if name != "__metadata__"}
    end = 0
    for entry in sorted(entries.values(), key=lambda entry: (entry.begin, entry.end)):
        if entry.begin != end:
            raise SafetensorsError("has a damaged header: its tensors overlap or leave holes")
        end = entry.end
    if 8 + length + end > size:
        raise SafetensorsError("is cut off")
    if 8 + length + end < size:
        raise SafetensorsError("is longer than its header says")
    return entries


class SafetensorsWriter:
    """Writes one tensor after another, so that a model never has to be in memory. Use `writing`.

    The header comes first in the file but is only known at the end, so room for it is kept and padded with blanks,
    which the format allows.
    """

    def __init__(self, file: BinaryIO, room: int) -> None:
        self._file = file
        self._room = room
        self._header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
        file.seek(8 + room)

    @property
    def _position(self) -> int:
        return self._file.tell() - 8 - self._room

    def begin(self, name: str) -> int:
        """Start a tensor. Returns the mark that `rewind` needs."""
        if name in self._header:
            raise ValueError(f"{name} is there already")
        return self._position

    def append(self, data: "np.ndarray[Any, Any]") -> None:
        self._file.write(data.tobytes())

    def rewind(self, mark: int) -> None:
        """Forget what was appended since `begin`."""
        self._file.seek(8 + self._room + mark)

    def end(self, name: str, mark: int, dtype: str, shape: tuple[int, ...]) -> None:
        end = self._position
        if prod(shape) * DTYPE_BITS[dtype] != (end - mark) * 8:
            raise ValueError(f"{name}: {end - mark} bytes do not make {dtype} {shape}")
        self._header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [mark, end]}

    def finish(self) -> None:
        self._file.truncate()
        header = json.dumps(self._header).encode()
        if len(header) > self._room:
            raise ValueError("too little room was kept for the header")
        self._file.seek(0)
        self._file.write(struct.pack("<Q", self._room) + header.ljust(self._room))


@contextmanager
def writing(path: Path, names: list[str]) -> Iterator[SafetensorsWriter]:
    """A writer for tensors with these names; the file appears under `path` only when the block ends without error."""
    room = -(-(200 + sum(len(json.dumps(name)) + 160 for name in names)) // 8) * 8
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with temporary.open("wb") as file:
            writer = SafetensorsWriter(file, room)
            yield writer
            writer.finish()
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
