"""The fused model: reads a folder, chooses a format, and stands behind the CausalModel interface."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from inference.models.fused.architecture import Architecture, UnsupportedArchitectureError
from inference.models.fused.cache import FusedCache
from inference.models.fused.decoder import Decoder
from inference.models.fused.source import open_source
from inference.models.fused.weights import load_weights
from inference.settings import Precision

if TYPE_CHECKING:
    import torch

    from inference.models.causal_model import Cache

log = logging.getLogger(__name__)


class FusedModel:
    """A CausalModel. Make it with `load`."""

    def __init__(self, architecture: Architecture, decoder: Decoder, precision: str, context_length: int) -> None:
        self._architecture = architecture
        self._decoder = decoder
        self._context_length = context_length
        self._precision = precision

    @staticmethod
    def supports(folder: Path, precision: Precision = "auto", device: str = "cpu") -> bool:
        """Cheap: reads config.json. On other devices than the CPU only float types are computed here."""
        if device not in ("cpu", "auto") and precision in ("int8", "int4"):
            return False
        return Architecture.read(folder) is not None

    @classmethod
    def load(
        cls,
        folder: Path,
        precision: Precision,
        device: str,
        context_length: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> "FusedModel":
        """progress(done, total) counts layers. device: auto, cpu, cuda, cuda:1, mps.

        Raises UnsupportedArchitectureError where the adapter must take over, UserError for missing or damaged files.
        """

        architecture = Architecture.read(folder)
        if architecture is None:
            raise UnsupportedArchitectureError("This model's architecture is not one the fused decoder knows.")
        place = resolve_device(device)
        chosen = choose_precision(precision, place)
        if place.type != "cpu" and chosen in ("int8", "int4"):
            raise UnsupportedArchitectureError(f"The fused decoder has no {chosen} weights on {place.type}.")
        context_length = min(context_length, architecture.context_length)
        with open_source(folder, architecture, blocks=chosen == "int4") as source:
            weights = load_weights(architecture, source, chosen, place, progress)
        return cls(architecture, Decoder(architecture, weights, context_length), chosen, context_length)

    @property
    def architecture(self) -> Architecture:
        return self._architecture

    @property
    def vocabulary_size(self) -> int:
        return self._architecture.vocabulary_size

    @property
    def context_length(self) -> int:
        return self._context_length

    @property
    def nbytes(self) -> int:
        return self._decoder.weights.nbytes

    @property
    def device(self) -> "torch.device":
        return self._decoder.weights.embedding.device

    @property
    def description(self) -> str:
        return f"fused, {self._precision}"

    def new_cache(self) -> FusedCache:
        import torch

        dtype = getattr(torch, self._precision, torch.bfloat16)
        dtype = dtype if dtype.is_floating_point else torch.bfloat16
        return FusedCache(self._architecture, self._context_length, dtype, self.device)

    def forward(self, tokens: Sequence[int], cache: "Cache", rows: int = 1) -> "torch.Tensor":
        if not isinstance(cache, FusedCache):
            raise TypeError("a cache of another kind of model")
        if not 1 <= rows <= len(tokens):
            raise ValueError(f"{rows} rows of {len(tokens)} tokens")
        return self._decoder.forward(tokens, cache, rows)


def resolve_device(device: str) -> "torch.device":
    """auto: the first graphics card there is, else the processor."""
    import torch

    if device != "auto":
        return torch.device(device)
    return torch.device("cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu")


def choose_precision(precision: Precision, device: "torch.device") -> Precision:
    """What "auto" means without native kernels: bfloat16 where the processor multiplies it, else float32.

    Torch's own int4 is faster for one row, but not for five, and quality comes first.
    """
    import torch

    if precision != "auto":
        return precision
    if device.type == "cuda":
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float16"
    if device.type == "mps":
        return "float16"
    return "bfloat16" if torch.cpu._is_avx512_bf16_supported() else "float32"
