"""What loading a model will take, part by part, before anything is loaded. Pure: shapes and settings in, bytes out.

The figures are those of this program's own formats; `packaging/measure_memory.py` holds them against reality.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from inference.manager.files import size_text
from inference.plan.buffers import graph_bytes, pass_bytes, verify_bytes
from inference.plan.cache import cache_bytes
from inference.plan.machine import Machine
from inference.plan.model_shape import ModelShape
from inference.plan.weights import Engine, weight_bytes
from inference.settings import (
    CACHE_BITS,
    FLOATS,
    INT4_GROUPS,
    MAX_DRAFT_LENGTH,
    FourBit,
    Precision,
    check_group,
    packed_kind,
)

Place = Literal["ram", "card"]
PartName = Literal["program", "weights", "cache", "draft weights", "draft cache", "buffers", "card", "loading"]

# Measured on Linux: the window, torch's CPU build, transformers and the kernels, before any model.
PROGRAM_BYTES = 470_000_000
CUDA_PROGRAM_BYTES = 1_500_000_000  # an estimate: the CUDA build maps much larger libraries
CUDA_CONTEXT_BYTES = 600_000_000  # an estimate: context, kernels and workspaces of cuBLAS on the card
TOKENIZER_BYTES = 1_000  # for each token of a vocabulary, measured with two tokenizers
BITSANDBYTES_BYTES = 100_000_000
PACKING_BYTES, PACKING_SHARE = 20_000_000, 0.15  # of the packed weights, the first time; fitted to two models
EXACT_PARAMETERS = (
    1_000_000_000  # below, "auto" of the adapter on a processor is float32 if half of the memory has room
)
SMALL = 1_000_000_000  # above, "auto" of the native kernels is int4
RESERVE_BYTES = 300_000_000  # left for the rest of the system


@dataclass(frozen=True)
class PlanSettings:
    """How target and draft are to be held. context counts tokens; cache_bits are those of keys and values (0: as the
    precision has it; below 16 only where the native kernels compute); draft_length is the longest draft of a round."""

    precision: Precision = "auto"
    context: int = 8192
    draft_precision: Precision = "auto"
    device: str = "auto"
    implementation: str = "auto"
    cache_bits: int = 0
    draft_length: int = 8
    four_bit: FourBit = field(default_factory=FourBit)
    int4_group: int = INT4_GROUPS[0]

    def __post_init__(self) -> None:
        if not 16 <= self.context <= 10_000_000:
            raise ValueError(f"a context of {self.context} tokens cannot be planned")
        if not 0 <= self.draft_length <= MAX_DRAFT_LENGTH:
            raise ValueError(f"a draft of {self.draft_length} tokens cannot be planned")
        if self.cache_bits not in (0, *CACHE_BITS):
            raise ValueError(f"keys and values of {self.cache_bits} bits cannot be planned")
        check_group(self.int4_group)


@dataclass(frozen=True)
class Held:
    """How one model will be held: what "auto" became, and the engine that computes with it. group: inputs that share a
    scale, where there is a choice of it, else 0: int4 that is packed from floats on the processor."""

    engine: Engine
    precision: Precision
    group: int = 0

    @property
    def value_bits(self) -> int:
        return 32 if self.precision == "float32" and self.engine != "native" else 16

    def stored_bits(self, cache_bits: int) -> int:
        """Of keys and values, when so many are wished for."""
        return cache_bits if cache_bits and self.engine == "native" else self.value_bits


@dataclass(frozen=True)
class Part:
    name: PartName
    nbytes: int
    place: Place


@dataclass(frozen=True)
class MemoryPlan:
    """parts add up to the peak. context: the tokens that are planned for, no more than the model can read."""

    parts: tuple[Part, ...]
    machine: Machine
    context: int
    target: Held
    draft: Held | None

    def needed(self, place: Place) -> int:
        return sum(part.nbytes for part in self.parts if part.place == place)

    def free(self, place: Place) -> int:
        if place == "ram":
            return self.machine.ram_free
        return self.machine.cards[0].free if self.machine.cards else 0

    @property
    def on_card(self) -> bool:
        return self.target.engine == "cuda" or any(part.place == "card" for part in self.parts)

    @property
    def scarce(self) -> Place:
        """The place that decides: where the share taken of what is free is larger."""
        if not self.on_card:
            return "ram"
        return max(("card", "ram"), key=lambda place: self.needed(place) / max(self.free(place), 1))

    def fits_in(self, place: Place) -> bool:
        return self.needed(place) + RESERVE_BYTES <= self.free(place)

    @property
    def fits(self) -> bool:
        return self.fits_in("ram") and (not self.on_card or self.fits_in("card"))

    @property
    def sentence(self) -> str:
        place = self.scarce
        where = self.machine.cards[0].name if place == "card" else "memory"
        needed, free = size_text(self.needed(place)), size_text(self.free(place))
        if self.fits:
            return f"Takes {needed} of the {free} that are free ({where})."
        return f"Does not fit: it takes {needed}, and {free} are free ({where})."


def plan(
    target: ModelShape,
    machine: Machine,
    settings: PlanSettings | None = None,
    draft: ModelShape | None = None,
    more: Sequence[ModelShape] = (),
) -> MemoryPlan:
    """The peak of loading `target`, its `draft` and `more` drafts that the router may choose from, and of filling the
    whole context with each."""
    s = settings or PlanSettings()
    context = min(s.context, target.context_length or s.context)
    held = how_held(target, machine, s)
    place: Place = "card" if _uses_card(machine, s.device) else "ram"
    weights = weight_bytes(target, held.engine, held.precision, s.four_bit, s.int4_group)
    cache = cache_bytes(target, context, held.engine, held.stored_bits(s.cache_bits))
    parts = [Part("weights", weights, place), Part("cache", cache, place)]
    tokenizers = TOKENIZER_BYTES * target.vocabulary
    buffers = pass_bytes(target, held.engine, context)
    fresh = 0 if _packed(target, held) else weights
    drafts = [(shape, how_held(shape, machine, s, draft=True)) for shape in (draft, *more) if shape is not None]
    draft_weights = draft_cache = 0
    for shape, form in drafts:
        nbytes = weight_bytes(shape, form.engine, form.precision, s.four_bit, s.int4_group)
        draft_weights += nbytes
        draft_cache += cache_bytes(shape, context, form.engine, form.stored_bits(s.cache_bits))
        tokenizers += TOKENIZER_BYTES * shape.vocabulary
        buffers += pass_bytes(shape, form.engine, context)
        fresh += 0 if _packed(shape, form) else nbytes
    if drafts:
        parts += [Part("draft weights", draft_weights, place), Part("draft cache", draft_cache, place)]
    growth = (
        cache // 4 if held.engine in ("torch", "cuda") else 0
    )  # old and new buffers stand side by side for a moment
    buffers = max(buffers, growth) + verify_bytes(target, s.draft_length, bool(drafts))
    if held.engine == "cuda":
        buffers += graph_bytes(target, s.draft_length)
    parts.append(Part("buffers", buffers, place))
    parts.append(Part("program", _program(held, machine, place) + tokenizers, "ram"))
    if place == "card":
        parts.append(Part("card", CUDA_CONTEXT_BYTES, "card"))
    elif (copies := _copies(target, held)) > cache + buffers:
        parts.append(Part("loading", copies - cache - buffers, "ram"))
    if fresh:
        parts.append(Part("loading", PACKING_BYTES + round(PACKING_SHARE * fresh), "ram"))
    return MemoryPlan(tuple(parts), machine, context, held, drafts[0][1] if drafts else None)


def rough_bytes(parameters: int, bits: int) -> int:
    """Of a model of which no more is known: weights, a usual cache, and the program."""
    width = (bits + 0.7) / 8 if bits < 16 else bits / 8  # scales, and tables that stay at 16 bits
    return round(parameters * (width + 0.06)) + 900_000_000


def how_held(shape: ModelShape, machine: Machine, settings: PlanSettings, draft: bool = False) -> Held:
    """Engine and precision that `inference.manager.host` will choose."""
    precision = settings.precision
    if draft and (settings.draft_precision != "auto" or precision not in FLOATS):  # else the target's
        precision = settings.draft_precision
    fused = shape.fused and settings.implementation != "adapter" and not shape.quantized
    if not _uses_card(machine, settings.device):
        held = _on_processor(shape, machine, precision, fused, draft)
        exact = held.engine == "native" and shape.packed_blocks is not None and shape.four_bit_blocks
        chosen = held.precision == "int4" and held.engine in ("native", "torch") and not exact
        return replace(held, group=settings.int4_group) if chosen else held
    sixteen: Precision = "bfloat16" if precision == "auto" else precision
    return Held("cuda" if fused and precision != "int8" else "adapter", sixteen)


def _on_processor(shape: ModelShape, machine: Machine, precision: Precision, fused: bool, draft: bool) -> Held:
    """One case cannot be known without measuring: a small model from floats takes what is fastest on this processor;
    int8 (or, without native kernels, float32) is planned for."""
    if fused and shape.native and machine.native and precision in ("auto", "int8", "int4"):
        return Held("native", _native_auto(shape, draft) if precision == "auto" else precision)
    if fused:
        return Held("torch", "float32" if precision == "auto" else precision)
    if precision == "auto":
        exact = shape.parameters < EXACT_PARAMETERS and 4 * shape.parameters <= machine.ram_free // 2
        precision = "float32" if exact else "bfloat16"
    return Held("adapter", precision)


def _native_auto(shape: ModelShape, draft: bool) -> Precision:
    if shape.packed_blocks is not None and not draft:
        return "int4" if shape.four_bit_blocks else "int8"
    return "int4" if draft or shape.parameters > SMALL else "int8"


def _uses_card(machine: Machine, device: str) -> bool:
    return bool(machine.cards) and device in ("auto", "cuda", "cuda:0")


def _program(held: Held, machine: Machine, place: Place) -> int:
    program = CUDA_PROGRAM_BYTES if place == "card" else PROGRAM_BYTES
    quantizes = held.engine == "adapter" and held.precision in ("int8", "int4")
    return program + (BITSANDBYTES_BYTES if quantizes else 0)


def _packed(shape: ModelShape, held: Held) -> bool:
    return held.engine != "native" or packed_kind(held.precision, held.group or INT4_GROUPS[0]) in shape.packed


def _copies(shape: ModelShape, held: Held) -> int:
    """What loading holds for a while beside the weights themselves: bitsandbytes packs from a whole 16-bit copy."""
    if held.engine == "adapter" and held.precision in ("int8", "int4") and not shape.quantized:
        return 2 * shape.parameters
    return 0
