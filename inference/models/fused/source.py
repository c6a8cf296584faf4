"""The safetensors files of a model, read tensor by tensor under the names transformers gives them."""

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inference.errors import UserError
from inference.manager.safetensors_file import SafetensorsError, read_header
from inference.models.fused.architecture import Architecture

if TYPE_CHECKING:
    import torch

EMBEDDING, HEAD, FINAL_NORM = "model.embed_tokens.weight", "lm_head.weight", "model.norm.weight"
_REMEDY = "Download the model again."


class Source:
    """Tensors of a folder. Made by `open_source`."""

    def __init__(self, files: dict[str, Any], sizes: dict[str, int]) -> None:
        self._files = files  # tensor name -> open file
        self._sizes = sizes  # tensor name -> bytes in the file
        self._read: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._files

    @property
    def names(self) -> Iterable[str]:
        return self._files.keys()

    @property
    def bytes_read(self) -> int:
        """Of the tensors that were asked for so far; what was asked for twice counts once."""
        return self.size(self._read)

    def size(self, names: Iterable[str]) -> int:
        """Bytes in the files of those of `names` that are there."""
        return sum(self._sizes.get(name, 0) for name in names)

    def matrix(self, name: str) -> "torch.Tensor":
        """[outputs, inputs] in the file's own type. Raises UserError where the files lack it."""
        if name not in self._files:
            raise UserError(f"The model's files lack the tensor {name}.", _REMEDY)
        return self._tensor(name)

    def vector(self, name: str) -> "torch.Tensor | None":
        """float32 [n], or None where the model has no such tensor."""
        if name not in self._files:
            return None
        return self._tensor(name).float()

    def _tensor(self, name: str) -> "torch.Tensor":
        self._read.add(name)
        tensor: torch.Tensor = self._files[name].get_tensor(name)
        return tensor


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
    from safetensors import SafetensorError, safe_open

    with ExitStack() as stack:
        files: dict[str, Any] = {}
        sizes: dict[str, int] = {}
        for path in weight_files(folder):
            if not path.is_file():
                raise UserError(f"The model's file {path.name} is missing.", _REMEDY)
            try:
                file = stack.enter_context(safe_open(str(path), framework="pt"))
                sizes |= {name: entry.end - entry.begin for name, entry in read_header(path).items()}
            except (SafetensorError, SafetensorsError) as error:
                raise UserError(f"The model's file {path.name} is damaged.", _REMEDY) from error
            files |= dict.fromkeys(file.keys(), file)
        yield Source(files, sizes)
