"""Reads GGUF files: metadata and, when they are asked for, the blocks of every tensor.

Format: the GGUF specification, versions 2 and 3, little-endian. The `gguf` library knows the block types; its own
reader takes eight seconds for a vocabulary of 150,000 tokens, this one a third of a second.
"""

import math
import os
import struct
from dataclasses import dataclass
from math import prod
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from inference.errors import UserError
from inference.manager.whole_reads import read_into

if TYPE_CHECKING:
    import numpy as np

_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9
_REMEDY = "Get the file again."
_HEAD = 16 << 20  # bytes that are read first: metadata and names of most models
_LONGEST_NAME = 80  # characters of it that are told
_LONGEST_HEAD = 512 << 20  # what claims to be longer is damaged


class _Cursor:
    """Reads values one after another. Raises struct.error where the bytes end and more of the file may say more,
    ValueError where they make no sense. size: of the file, of which `data` is the beginning."""

    def __init__(self, data: bytes | bytearray, size: int) -> None:
        self.data = data
        self.size = size
        self.position = 0

    def scalar(self, form: str) -> Any:
        (value,) = struct.unpack_from(form, self.data, self.position)
        self.position += struct.calcsize(form)
        return value

    def string(self) -> str:
        length = self.scalar("<Q")
        if self.position + length > self.size:
            raise ValueError("a text ends after the file")
        if self.position + length > len(self.data):
            raise struct.error("a text does not end")
        raw = self.data[self.position : self.position + length]
        self.position += length
        # Tokens of some old vocabularies are not valid UTF-8; such a token is never matched, and must not be fatal.
        return raw.decode("utf-8", errors="replace")

    def value(self, kind: int, depth: int = 0) -> Any:
        if kind in _SCALARS:
            return self.scalar(_SCALARS[kind])
        if kind == _STRING:
            return self.string()
        if kind != _ARRAY or depth > 4:
            raise ValueError(f"it holds a value of the unknown type {kind}")
        inner, count = self.scalar("<I"), self.scalar("<Q")
        if count > self.size:
            raise ValueError("an array ends after the file")
        if inner in _SCALARS:
            form = f"<{count}{_SCALARS[inner][1]}"
            values = list(struct.unpack_from(form, self.data, self.position))
            self.position += struct.calcsize(form)
            return values
        return [self.value(inner, depth + 1) for _ in range(count)]


class GgufBlocks:
    """A tensor's bytes in its file, uint8 [rows, bytes of a row]: read when rows are asked for."""

    def __init__(self, file: BinaryIO, offset: int, rows: int, row: int) -> None:
        self._file = file
        self._offset = offset
        self.shape = rows, row

    @property
    def nbytes(self) -> int:
        return prod(self.shape)

    def __getitem__(self, rows: "slice | np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
        """A range of rows, or these in this order. Raises OSError, and UserError when the file was cut meanwhile."""
        import numpy as np

        if not isinstance(rows, slice):
            first, last = (int(rows.min()), int(rows.max())) if rows.size else (0, -1)
            return np.ascontiguousarray(self[first : last + 1][rows - first])
        begin, end, _ = rows.indices(self.shape[0])
        found = np.empty((max(0, end - begin), self.shape[1]), np.uint8)
        if found.size:
            read_into(self._file, self._offset + begin * self.shape[1], found.reshape(-1).data)
        return found


@dataclass(frozen=True)
class GgufTensor:
    """One tensor as it is stored. shape is in torch's order: [rows, columns]; type is a ggml type, e.g. "Q4_K"."""

    name: str
    type: str
    shape: tuple[int, ...]
    data: "GgufBlocks"

    @property
    def elements(self) -> int:
        return prod(self.shape)

    def dequantize(self, rows: "slice | np.ndarray[Any, Any]" = slice(None)) -> "np.ndarray[Any, Any]":
        """These rows of `data` (all of them, a range, or a list of numbers) as float32 [rows, columns]."""
        import gguf
        import numpy as np

        values = gguf.dequantize(self.data[rows], gguf.GGMLQuantizationType[self.type])
        return np.asarray(values, dtype=np.float32).reshape(-1, self.shape[-1])


class GgufFile:
    """An open GGUF file. Raises UserError when the file is damaged or of a kind that cannot be read.

    A context manager: tensors cannot be read after the end.
    """

    metadata: dict[str, Any]
    tensors: dict[str, GgufTensor]

    def __init__(self, path: Path) -> None:
        self.path = path
        self.metadata = {}
        self.tensors = {}
        try:
            self._file = path.open("rb", buffering=0)
        except OSError as error:
            raise self._unreadable(error) from error
        try:
            self._parse_all()
        except OSError as error:
            self.close()
            raise self._unreadable(error) from error
        except (struct.error, ValueError, OverflowError, MemoryError) as error:
            self.close()
            reason = "it ends too early" if isinstance(error, struct.error) else str(error)
            if isinstance(error, OverflowError | MemoryError):
                reason = "it holds a number that makes no sense"
            raise UserError(f"{path.name} is damaged or cut off ({reason}).", _REMEDY) from error
        except UserError:
            self.close()
            raise

    def _unreadable(self, error: OSError) -> UserError:
        return UserError(f"{self.path} could not be read: {error.strerror or error}.", "Check the file.")

    def _parse_all(self) -> None:
        """From the beginning of the file, and from more of it where that ends too early."""
        self._size = os.fstat(self._file.fileno()).st_size
        length = min(_HEAD, self._size)
        while True:
            head = bytearray(length)
            read_into(self._file, 0, memoryview(head))
            if head[:4] != b"GGUF":
                raise UserError(f"{self.path.name} is not a GGUF file.", "Choose a file in the GGUF format.")
            try:
                self._parse(_Cursor(head, self._size))
                return
            except struct.error:
                longest = min(_LONGEST_HEAD, self._size)
                if length >= longest:
                    raise
                length = min(8 * length, longest)

    def _parse(self, cursor: _Cursor) -> None:
        self.metadata, self.tensors = {}, {}
        cursor.position = 4
        version = cursor.scalar("<I")
        if version not in (2, 3):
            raise UserError(
                f"{self.path.name} is GGUF version {version if version < 100 else 'big-endian'}, which cannot be read.",
                "Get a newer file: version 2 or 3, little-endian.",
            )
        count, pairs = cursor.scalar("<Q"), cursor.scalar("<Q")
        for _ in range(pairs):
            key = cursor.string()
            self.metadata[key] = cursor.value(cursor.scalar("<I"))
        if self.metadata.get("split.count", 1) > 1:
            raise UserError(
                f"{self.path.name} is one part of a model in several files.",
                "Join the parts into one file first (llama-gguf-split --merge), or get the model in one file.",
            )
        described = []
        for _ in range(count):
            name = cursor.string()
            dimensions = cursor.scalar("<I")
            if dimensions > 8:
                raise ValueError(f"the tensor {_short(name)} has {dimensions} dimensions")
            shape = tuple(cursor.scalar("<Q") for _ in range(dimensions))[::-1]
            described.append((name, shape, cursor.scalar("<I"), cursor.scalar("<Q")))
        alignment = self.metadata.get("general.alignment", 32)
        if not isinstance(alignment, int) or alignment <= 0:
            raise ValueError(f"it asks for an alignment of {_short(alignment)}")
        start = -(-cursor.position // alignment) * alignment
        for name, shape, kind, offset in described:
            self.tensors[name] = self._tensor(name, shape or (1,), kind, start + offset)

    def _tensor(self, name: str, shape: tuple[int, ...], kind: int, offset: int) -> GgufTensor:
        import gguf

        try:
            quantization = gguf.GGMLQuantizationType(kind)
            block, nbytes = gguf.GGML_QUANT_SIZES[quantization]
        except (ValueError, KeyError):
            raise UserError(
                f"{self.path.name} uses a kind of quantization that Foreword does not know (number {kind}).",
                "Get the model in a common one, for example Q4_K_M or Q8_0.",
            ) from None
        if shape[-1] % block or not prod(shape):
            raise ValueError(f"the tensor {_short(name)} has an impossible shape")
        row = shape[-1] // block * nbytes
        rows = prod(shape[:-1])
        if offset + rows * row > self._size:
            raise ValueError(f"the tensor {_short(name)} ends after the file")
        return GgufTensor(name, quantization.name, shape, GgufBlocks(self._file, offset, rows, row))

    @property
    def architecture(self) -> str:
        return str(self.metadata.get("general.architecture", ""))

    def setting(self, key: str, default: Any = None) -> Any:
        """metadata["<architecture>.<key>"]."""
        return self.metadata.get(f"{self.architecture}.{key}", default)

    def integer(self, key: str, default: int | None = None) -> int:
        """A positive whole number that the model needs. Lists of one repeated number count as that number."""
        value = self.setting(key, default)
        if isinstance(value, list) and len(set(value)) == 1:
            value = value[0]
        if isinstance(value, list):
            raise UserError(
                f"{self.path.name} has layers of different shapes, which Foreword cannot convert.",
                "Get the model as a transformers folder (safetensors), or choose another model.",
            )
        if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 1 << 31:
            raise UserError(f"{self.path.name} does not say its {key}, or says nonsense.", _REMEDY)
        return value

    def real(self, key: str, default: float) -> float:
        """A positive number."""
        value = self.setting(key, default)
        if not isinstance(value, int | float) or not 0 < value < math.inf:
            raise UserError(f"{self.path.name} gives {key} a value that makes no sense.", _REMEDY)
        return float(f"{value:.7g}")  # the file holds float32: 1e-5, not 9.999999747378752e-06

    def close(self) -> None:
        self.tensors = {}
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _short(value: Any) -> str:
    """On one line, as a damaged header may say anything."""
    text = repr(value)
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"
