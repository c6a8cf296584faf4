"""What runs a trained head beside its target: the native kernels where the target has them, else torch."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from inference.heads.package import Package

if TYPE_CHECKING:
    from torch import Tensor

    from inference.models.causal_model import Cache
    from inference.models.fused.model import FusedModel

REACH = 32  # of a trained head: with 16 of a prompt's entries read it is as often right as with all of them


class HeadRunner(Protocol):
    """Shared by all texts; what it remembers of one is in that text's cache."""

    @property
    def depths(self) -> tuple[int, ...]: ...

    @property
    def nbytes(self) -> int:
        """Of weights, the target's own not counted."""
        ...

    @property
    def capacity(self) -> int:
        """Most entries a cache may hold, those of a draft among them."""
        ...

    @property
    def reach(self) -> int:
        """Entries before a draft that are worth reading where more are missing."""
        ...

    def new_cache(self) -> "Cache": ...

    def draft(self, tokens: Sequence[int], features: "Tensor", cache: "Cache", k: int, least: float = 0.0) -> list[int]:
        """Append entries to `cache`: `tokens`, and the target's features of the positions before them, float32
        [n, 3, hidden], n >= 1. Returns up to k tokens that follow, each the likeliest; the cache keeps the entries.

        The draft ends where its chance of being right as a whole, as the head sees it, would fall below `least`.
        """
        ...


def runner_for(package: Package, model: "FusedModel", folder: Path) -> HeadRunner:
    """folder: the target's. Raises UserError where its files are gone."""
    output = output_rows(folder, package.vocabulary)
    if (native := model.native) is not None and package.card.shape.head_dim % 16 == 0:
        from inference.heads.native_runner import NativeRunner

        return NativeRunner(package, native, output, model.context_length)
    from inference.heads.torch_runner import TorchRunner

    return TorchRunner(package, model, output)


def output_rows(folder: Path, vocabulary: "Tensor") -> "Tensor":
    """The rows of the target's output layer for these tokens, float32 [tokens, hidden]."""
    from inference.models.fused.source import EMBEDDING, HEAD, open_source

    with open_source(folder) as source:
        return source.rows(HEAD if HEAD in source else EMBEDDING, vocabulary.tolist()).float()
