"""The fused model: reads a folder, chooses a format, and stands behind the CausalModel interface."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from inference.device import named_device, resolve_device
from inference.loading import Report, unreported
from inference.manager.paths import cache_folder
from inference.models.fused.architecture import Architecture, UnsupportedArchitectureError
from inference.models.fused.blocks import blocks_of
from inference.models.fused.decoder import Decoder
from inference.models.fused.device_note import log_device
from inference.models.fused.kernel_decoder import KernelDecoder
from inference.models.fused.native_decoder import NativeDecoder, attention_fits, native_fits
from inference.models.fused.quantized import sixteen_bit
from inference.models.fused.source import open_source, tying_in_fact
from inference.models.fused.static_decoder import load_static
from inference.models.fused.tensor_names import matrix_shapes
from inference.models.fused.weights import float_type, load_weights
from inference.settings import CACHE_BITS, FLOATS, INT4_GROUPS, Precision, packed_kind

if TYPE_CHECKING:
    import torch

    from inference.models.causal_model import Cache
    from inference.native.library import Library
    from inference.native.native_model import NativeModel

SMALL = (
    1_000_000_000  # weights: up to here int8 costs little memory, and int4 much quality (4 % of perplexity at 0.5e9)
)


class AnyDecoder(Protocol):
    """What computes: torch, native code on the CPU, or fixed shapes on a graphics card."""

    @property
    def nbytes(self) -> int: ...
    @property
    def device(self) -> "torch.device": ...
    def new_cache(self) -> "Cache": ...
    def embed(self, tokens: Sequence[int]) -> "torch.Tensor": ...
    def observe(self, depths: Sequence[int]) -> None: ...
    def features(self) -> "torch.Tensor": ...
    def forward(self, tokens: Sequence[int], cache: "Cache", rows: int) -> "torch.Tensor": ...


class FusedModel:
    """A CausalModel. Made by `load`."""

    def __init__(
        self, architecture: Architecture, decoder: AnyDecoder, precision: str, kernels: str, context_length: int
    ) -> None:
        self._architecture = architecture
        self._decoder = decoder
        self._precision = precision
        self._kernels = kernels
        self._context_length = context_length
        self._depths: tuple[int, ...] = ()  # observed

    @staticmethod
    def supports(folder: Path, precision: Precision = "auto", device: str = "cpu") -> bool:
        """Cheap: reads config.json. Packed weights are computed here on the CPU, and int4 (NF4) on CUDA."""
        if precision in ("int8", "int4") and device != "cpu" and not _computes(precision, named_device(device)):
            return False
        return Architecture.read(folder) is not None

    @staticmethod
    def computes_natively(folder: Path, precision: Precision) -> bool:
        """Whether the native kernels would serve this model on the processor."""
        import torch

        architecture = Architecture.read(folder)
        return architecture is not None and _library(architecture, precision, torch.device("cpu")) is not None

    @classmethod
    def load(
        cls,
        folder: Path,
        precision: Precision,
        device: str,
        context_length: int,
        report: Report = unreported,
        *,
        int4_group: int = INT4_GROUPS[0],
        int4_tables: bool = False,
    ) -> "FusedModel":
        """device: auto, cpu, cuda, cuda:1, mps.

        int4_group, int4_tables: of int4 weights on the processor, see `inference.settings.LoadSettings`.

        Raises UnsupportedArchitectureError where the adapter must take over, UserError for missing or damaged files.
        """
        architecture = Architecture.read(folder)
        if architecture is None:
            raise UnsupportedArchitectureError("This model's architecture is not one the fused decoder knows.")
        place = resolve_device(device)
        library = _library(architecture, precision, place)
        chosen = choose_precision(precision, place, folder, architecture, library)
        if not _computes(chosen, place):
            raise UnsupportedArchitectureError(f"The fused decoder has no {chosen} weights on {place.type}.")
        architecture = tying_in_fact(architecture, folder)
        context_length = min(context_length, architecture.context_length)
        log_device(place)
        if place.type != "cpu":
            static = load_static(folder, architecture, chosen, place, context_length, report=report)
            return cls(architecture, static, chosen, static.kernels, context_length)
        if library is not None and chosen in ("int8", "int4"):
            kind = packed_kind(chosen, int4_group, int4_tables)
            native = NativeDecoder.load(library, folder, architecture, kind, context_length, report=report)
            return cls(architecture, native, chosen, library.instruction_set, context_length)
        with open_source(folder) as source:
            products = _products(chosen)
            weights = load_weights(architecture, source, chosen, place, report, library=products, int4_group=int4_group)
        values = float_type(chosen)
        if products is None:
            return cls(
                architecture, Decoder(architecture, weights, context_length, values), chosen, "torch", context_length
            )
        make = partial(KernelDecoder, products) if attention_fits(architecture) else Decoder
        decoder = make(architecture, weights, context_length, values)
        return cls(architecture, decoder, chosen, products.instruction_set, context_length)

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
        return self._decoder.nbytes

    @property
    def device(self) -> "torch.device":
        return self._decoder.device

    @property
    def precision(self) -> str:
        """What "auto" became."""
        return self._precision

    @property
    def own_threads(self) -> bool:
        decoder = self._decoder
        return isinstance(decoder, NativeDecoder) or (isinstance(decoder, Decoder) and decoder.weights.native)

    @property
    def description(self) -> str:
        form = self._decoder.form(self._precision) if isinstance(self._decoder, NativeDecoder) else self._precision
        return f"fused, {form}, {self._kernels}"

    @property
    def cache_formats(self) -> tuple[int, ...]:
        """See `inference.models.causal_model.CacheFormats`: only the native decoder has others than 16 bits."""
        return CACHE_BITS if isinstance(self._decoder, NativeDecoder) else CACHE_BITS[:1]

    @property
    def cache_bits(self) -> int:
        """Of keys and values in new caches."""
        return self._decoder.cache_bits if isinstance(self._decoder, NativeDecoder) else 16

    @cache_bits.setter
    def cache_bits(self, bits: int) -> None:
        if bits not in self.cache_formats:
            raise ValueError(f"no keys and values of {bits} bits here: {self.description}")
        if isinstance(self._decoder, NativeDecoder):
            self._decoder.cache_bits = bits

    def new_cache(self) -> "Cache":
        return self._decoder.new_cache()

    @property
    def native(self) -> "NativeModel | None":
        """What computes in native code, for others that compute beside it."""
        return self._decoder.model if isinstance(self._decoder, NativeDecoder) else None

    def embed(self, tokens: Sequence[int]) -> "torch.Tensor":
        """Rows of the embedding as they are stored (not scaled), float32 [tokens, hidden]."""
        return self._decoder.embed(tokens)

    def observe(self, depths: Sequence[int]) -> None:
        """See `inference.models.causal_model.FeatureModel`."""
        wanted = tuple(depths)
        if wanted == self._depths:  # as in every pass but the first of a text
            return
        if any(not 0 <= depth < len(self._architecture.layers) for depth in wanted):
            raise ValueError(f"no layers {wanted} in {len(self._architecture.layers)}")
        self._decoder.observe(wanted)
        self._depths = wanted

    def features(self) -> "torch.Tensor":
        return self._decoder.features()

    def forward(self, tokens: Sequence[int], cache: "Cache", rows: int = 1) -> "torch.Tensor":
        if not 1 <= rows <= len(tokens):
            raise ValueError(f"{rows} rows of {len(tokens)} tokens")
        return self._decoder.forward(tokens, cache, rows)

    @property
    def writes_together(self) -> bool:
        """Whether `forward_texts` is there for this decoder."""
        return isinstance(self._decoder, NativeDecoder)

    def forward_texts(self, tokens: Sequence[int], caches: "Sequence[Cache]") -> "torch.Tensor":
        """Append one token to each of several texts in one pass, tokens[i] to caches[i]; float32 [texts, vocabulary].

        Row i is what `forward` would have given for its text alone. ValueError where the decoder cannot.
        """
        if not isinstance(self._decoder, NativeDecoder):
            raise ValueError(f"no pass for several texts: {self.description}")
        return self._decoder.forward_texts(tokens, caches)


def _computes(precision: str, device: "torch.device") -> bool:
    """Whether there is a decoder for these weights on this device."""
    return device.type == "cpu" or precision not in ("int8", "int4") or (precision, device.type) == ("int4", "cuda")


def _library(architecture: Architecture, precision: Precision, device: "torch.device") -> "Library | None":
    """The native kernels, if they can compute this model whole, in the packed formats that these settings allow."""
    if device.type != "cpu" or precision not in ("auto", "int8", "int4") or not native_fits(architecture):
        return None
    from inference.native.library import load

    return load()


def _products(precision: str) -> "Library | None":
    """The native kernels for the products of float weights on the CPU, where there are any."""
    if precision not in FLOATS:
        return None
    from inference.native.library import load

    return load()


def choose_precision(
    precision: Precision, device: "torch.device", folder: Path, architecture: Architecture, library: "Library | None"
) -> Precision:
    """What "auto" means. On a graphics card a 16-bit float. On the CPU, where native kernels are:

    - for a GGUF file its own blocks, exactly: called int4 where most of them are, else int8;
    - for other models int4 beyond SMALL weights.

    Everywhere else what is measured to be fastest on this processor, of bfloat16, float32 and, where native kernels
    are, int8: torch's own packed products are fast for one row only, and int4 costs small models too much quality.
    """
    if precision != "auto":
        return precision
    if device.type != "cpu":
        return sixteen_bit(device)
    if library is not None and (blocks := blocks_of(folder)) is not None:
        return "int4" if blocks.four_bit else "int8"
    if library is not None and architecture.parameters > SMALL:
        return "int4"
    from inference.models.fused.format_choice import fastest_format

    candidates: list[Precision] = ["bfloat16", "float32"] if library is None else ["int8", "bfloat16", "float32"]
    outputs, inputs = max(matrix_shapes(architecture).values())
    return fastest_format(candidates, outputs, inputs, _products("float32"), cache_folder() / "formats.json")
