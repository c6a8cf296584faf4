"""The safetensors files of a model, read tensor by tensor under the names transformers gives them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from inference.errors import UserError
from inference.manager.safetensors_file import SafetensorsError, TensorEntry, data_start, read_header
from inference.manager.whole_reads import read_into
from inference.models.fused.architecture import Architecture

if TYPE_CHECKING:
    import torch

EMBEDDING, HEAD, FINAL_NORM = "model.embed_tokens.weight", "lm_head.weight", "model.norm.weight"
_REMEDY = "Download the model again."
_TYPES = {
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2", "I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8", "U8": "uint8",
    "BOOL": "bool",
}  # fmt: skip


class Source:
    """Tensors of a folder. Made by `open_source`."""

    def __init__(self, places: "dict[str, Place]") -> None:
        self._places = places
        self._read: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._places

    @property
    def names(self) -> Iterable[str]:
        return self._places.keys()

    @property
    def bytes_read(self) -> int:
        """Of the tensors that were asked for so far; what was asked for twice counts once."""
        return self.size(self._read)

    def size(self, names: Iterable[str]) -> int:
        """Bytes in the files of those of `names` that are there."""
        return sum(self._places[name].nbytes for name in names if name in self._places)

    def matrix(self, name: str) -> "torch.Tensor":
        """[outputs, inputs] in the file's own type. Raises UserError where the files lack it."""
        if name not in self._places:
            raise UserError(f"The model's files lack the tensor {name}.", _REMEDY)
        return self._tensor(name)

    def rows(self, name: str, numbers: Sequence[int]) -> "torch.Tensor":
        """[numbers, inputs] of a matrix that is there, in the file's own type: those rows and no others are read."""
        return self._places[name].rows(numbers)

    def vector(self, name: str) -> "torch.Tensor | None":
        """float32 [n], or None where the model has no such tensor."""
        if name not in self._places:
            return None
        return self._tensor(name).float()

    def _tensor(self, name: str) -> "torch.Tensor":
        self._read.add(name)
        return self._places[name].read()


@dataclass(frozen=True)
class Place:
    """A tensor in an open file."""

    file: BinaryIO
    start: int  # of the file's data
    entry: TensorEntry

    @property
    def nbytes(self) -> int:
        return self.entry.end - self.entry.begin

    def read(self) -> "torch.Tensor":
        """Into memory of its own."""
        import torch

        data = torch.empty(self.nbytes, dtype=torch.uint8)
        read_into(self.file, self.start + self.entry.begin, data.numpy().data)
        return self._typed(data).reshape(self.entry.shape)

    def rows(self, numbers: Sequence[int]) -> "torch.Tensor":
        import torch

        size = self.nbytes // self.entry.shape[0]
        data = torch.empty(len(numbers) * size, dtype=torch.uint8)
        target = data.numpy().data
        for place, number in enumerate(numbers):
            read_into(
                self.file, self.start + self.entry.begin + number * size, target[place * size : (place + 1) * size]
            )
        return self._typed(data).reshape(len(numbers), *self.entry.shape[1:])

    def _typed(self, data: "torch.Tensor") -> "torch.Tensor":
        import torch

        kind = _TYPES.get(self.entry.dtype)
        if kind is None:
            raise UserError(f"The model's file {Path(self.file.name).name} is damaged.", _REMEDY)
        return data.view(getattr(torch, kind))


def tying_in_fact(architecture: Architecture, folder: Path) -> Architecture:
    """Some folders say that embedding and head are one matrix, yet hold two that differ: then they are two."""
    import torch

    if not architecture.tied:
        return architecture
    with open_source(folder) as source:
        if HEAD not in source or torch.equal(source.matrix(HEAD), source.matrix(EMBEDDING)):
            return architecture
    return replace(architecture, tied=False)


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files of a model in a stable order, whether they exist or not."""
    index = folder / "model.safetensors.index.json"
    if not index.is_file():
        return [folder / "model.safetensors"]
    try:
        weight_map = json.loads(index.read_text(encoding="utf-8"))["weight_map"]
    except (ValueError, KeyError) as error:
        raise UserError(f"The model's file {index.name} is damaged.", _REMEDY) from error
    return sorted({folder / name for name in weight_map.values()})


@contextmanager
def open_source(folder: Path) -> Iterator[Source]:
    """Raises UserError where weights are missing or damaged."""
    with ExitStack() as stack:
        places: dict[str, Place] = {}
        for path in weight_files(folder):
            if not path.is_file():
                raise UserError(f"The model's file {path.name} is missing.", _REMEDY)
            try:
                entries = read_header(path)
            except SafetensorsError as error:
                raise UserError(f"The model's file {path.name} is damaged.", _REMEDY) from error
            file = stack.enter_context(path.open("rb", buffering=0))
            places |= {name: Place(file, data_start(file), entry) for name, entry in entries.items()}
        yield Source(places)
