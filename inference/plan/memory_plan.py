"""What loading a model will take, part by part, before anything is loaded. Pure: shapes and settings in, bytes out.

The figures are those of this program's own formats; `packaging/measure_memory.py` holds them against reality.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from inference.manager.files import size_text
from inference.plan.buffers import graph_bytes, pass_bytes, verify_bytes
from inference.plan.cache import cache_bytes, snapshot_bytes
from inference.plan.foresight import head_bytes, prediction_bytes
from inference.plan.machine import Card, Machine
from inference.plan.model_shape import ModelShape
from inference.plan.offload import Offload, spread
from inference.plan.placement import PROCESSOR, card_index, card_name, place_draft
from inference.plan.weights import Engine, weight_bytes
from inference.settings import (
    CACHE_BITS,
    DEVICE,
    FLOATS,
    INT4_GROUPS,
    MAX_DRAFT_LENGTH,
    FourBit,
    Precision,
    check_group,
    packed_kind,
)

Place = str  # ram, card (the first one), card 2, ...
PartName = Literal[
    "program",
    "weights",
    "cache",
    "snapshots",  # of recurrent states, to go back to
    "prediction layer",  # the checkpoint's own, with its keys and values
    "trained heads",  # likewise
    "draft weights",
    "draft cache",
    "buffers",
    "card",
    "loading",
]

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
    draft_device: str = "auto"
    cache_bits: int = 0
    draft_length: int = 8
    four_bit: FourBit = field(default_factory=FourBit)
    int4_group: int = INT4_GROUPS[0]
    offload: bool = False  # layers that do not fit may lie elsewhere: see `plan.offload`

    def __post_init__(self) -> None:
        if not 16 <= self.context <= 10_000_000:
            raise ValueError(f"a context of {self.context} tokens cannot be planned")
        if self.draft_device != "target" and not DEVICE.fullmatch(self.draft_device):
            raise ValueError(f"a draft on {self.draft_device} cannot be planned")
        if not 0 <= self.draft_length <= MAX_DRAFT_LENGTH:
            raise ValueError(f"a draft of {self.draft_length} tokens cannot be planned")
        if self.cache_bits not in (0, *CACHE_BITS):
            raise ValueError(f"keys and values of {self.cache_bits} bits cannot be planned")
        check_group(self.int4_group)


@dataclass(frozen=True)
class Held:
    """How one model will be held: what "auto" became, and the engine that computes with it. group: inputs that share a
    scale, where there is a choice of it, else 0: int4 that is packed from floats on the processor. tables: embedding
    and head have its bits as well, where native kernels compute."""

    engine: Engine
    precision: Precision
    group: int = 0
    tables: bool = False
    card: int | None = None  # that holds it; None: the processor does

    @property
    def device(self) -> str:
        return PROCESSOR if self.card is None else card_name(self.card)

    @property
    def place(self) -> Place:
        return "ram" if self.card is None else card_place(self.card)

    @property
    def value_bits(self) -> int:
        return 32 if self.precision == "float32" and self.engine != "native" else 16

    def stored_bits(self, cache_bits: int) -> int:
        """Of keys and values, when so many are wished for."""
        return cache_bits if cache_bits and self.engine == "native" else self.value_bits


def card_place(card: int) -> Place:
    return "card" if card == 0 else f"card {card + 1}"


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
    drafts: tuple[Held, ...] = ()
    offload: Offload | None = None

    @property
    def draft(self) -> Held | None:
        """The first."""
        return self.drafts[0] if self.drafts else None

    @property
    def places(self) -> tuple[Place, ...]:
        """Where anything is held, cards first."""
        cards = [card_place(index) for index in range(len(self.machine.cards))]
        return (*(place for place in cards if any(part.place == place for part in self.parts)), "ram")

    @property
    def overlaps(self) -> bool:
        """Whether the draft, on another device than the target, is written on while the target verifies."""
        return self.draft is not None and self.draft.card != self.target.card

    def needed(self, place: Place) -> int:
        return sum(part.nbytes for part in self.parts if part.place == place)

    def free(self, place: Place) -> int:
        card = self._card(place)
        return self.machine.ram_free if card is None else card.free

    def _card(self, place: Place) -> Card | None:
        cards = self.machine.cards
        return next((card for index, card in enumerate(cards) if card_place(index) == place), None)

    def place_name(self, place: Place, memory: str = "memory") -> str:
        """For people. memory: what the computer's own is called."""
        card = self._card(place)
        if card is None:
            return memory
        twins = sum(other.name == card.name for other in self.machine.cards)
        return card.name if twins == 1 else f"{card.name} ({place.removeprefix('card').strip() or 1})"

    @property
    def on_card(self) -> bool:
        return len(self.places) > 1

    @property
    def scarce(self) -> Place:
        """The place that decides: where the share taken of what is free is larger."""
        return max(self.places, key=lambda place: self.needed(place) / max(self.free(place), 1))

    def fits_in(self, place: Place) -> bool:
        return self.needed(place) + RESERVE_BYTES <= self.free(place)

    @property
    def fits(self) -> bool:
        return all(self.fits_in(place) for place in self.places)

    @property
    def sentence(self) -> str:
        place = self.scarce
        where = self.place_name(place)
        needed, free = size_text(self.needed(place)), size_text(self.free(place))
        if self.fits and self.offload is not None:
            return self.offload.sentence
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
    shapes = [shape for shape in (draft, *more) if shape is not None]
    made = _planned(target, machine, s, shapes, how_held(target, machine, s))
    if made.fits or not s.offload or target.quantized:
        return made
    return _offloaded(target, machine, s, shapes) or made


def _offloaded(
    target: ModelShape, machine: Machine, s: PlanSettings, drafts: Sequence[ModelShape]
) -> MemoryPlan | None:
    """With as many layers elsewhere as must be: the transformers adapter can do that, with 16 bits."""
    precision: Precision = s.precision if s.precision in FLOATS else "bfloat16"
    held = how_held(target, machine, replace(s, implementation="adapter", precision=precision))
    made = _planned(target, machine, s, drafts, held)
    weights = weight_bytes(target, held.engine, held.precision)
    fixed = weight_bytes(replace(target, matrices=()), held.engine, held.precision)
    layers = len(target.layers)
    layer = (weights - fixed) // layers
    room = made.free(held.place) - RESERVE_BYTES - (made.needed(held.place) - weights)
    ram = made.free("ram") - RESERVE_BYTES - made.needed("ram") if held.card is not None else 0
    offload = spread(layers, layer, fixed, room, ram)
    if offload is None:
        return None
    kept = fixed + offload.kept * layer
    parts = [part for part in made.parts if part.name != "weights"]
    parts = [Part("weights", kept, held.place), *parts, Part("buffers", layer, held.place)]
    if offload.ram:
        parts.append(Part("weights", offload.ram, "ram"))
    return replace(made, parts=_summed(parts), offload=offload)


def _planned(
    target: ModelShape, machine: Machine, s: PlanSettings, shapes: Sequence[ModelShape], held: Held
) -> MemoryPlan:
    """held: how the target is."""
    context = min(s.context, target.context_length or s.context)
    within = replace(s, context=context)
    weights = weight_bytes(target, held.engine, held.precision, s.four_bit, s.int4_group)
    cache = cache_bytes(target, context, held.engine, held.stored_bits(s.cache_bits))
    # Old and new buffers stand side by side for a moment.
    growth = cache // 4 if held.engine in ("torch", "cuda") else 0
    buffers = max(pass_bytes(target, held.engine, context), growth) + verify_bytes(target, s.draft_length, bool(shapes))
    if held.engine == "cuda":
        buffers += graph_bytes(target, s.draft_length)
    parts = [
        Part("weights", weights, held.place),
        Part("cache", cache, held.place),
        Part("buffers", buffers, held.place),
    ]
    parts += _brought(target, held, context)
    tokenizers, fresh = TOKENIZER_BYTES * target.vocabulary, 0 if _packed(target, held) else weights
    drafts: list[Held] = []
    for shape in shapes:
        form = _placed(shape, machine, within, held.card, parts)
        drafts.append(form)
        draft_parts = _draft_parts(shape, form, within)
        parts += draft_parts
        tokenizers += TOKENIZER_BYTES * shape.vocabulary
        fresh += 0 if _packed(shape, form) else draft_parts[0].nbytes
    parts.append(Part("program", _program(held, drafts) + tokenizers, "ram"))
    cards = sorted({one.card for one in (held, *drafts) if one.card is not None})
    parts += [Part("card", CUDA_CONTEXT_BYTES, card_place(card)) for card in cards]
    if held.card is None and (copies := _copies(target, held)) > cache + buffers:
        parts.append(Part("loading", copies - cache - buffers, "ram"))
    if fresh:
        parts.append(Part("loading", PACKING_BYTES + round(PACKING_SHARE * fresh), "ram"))
    return MemoryPlan(_summed(parts), machine, context, held, tuple(drafts))


def _brought(target: ModelShape, held: Held, context: int) -> list[Part]:
    """What goes with a target by itself; parts of nothing are left out."""
    adapter = held.engine == "adapter"
    prediction = prediction_bytes(target, held.value_bits, context) if adapter else 0
    trained = 0 if adapter else sum(head_bytes(head, held.engine, context) for head in target.trained)
    sizes: dict[PartName, int] = {
        "snapshots": snapshot_bytes(target, held.value_bits),
        "prediction layer": prediction,
        "trained heads": trained,
    }
    return [Part(name, nbytes, held.place) for name, nbytes in sizes.items() if nbytes]


def _placed(shape: ModelShape, machine: Machine, s: PlanSettings, target: int | None, parts: Sequence[Part]) -> Held:
    """How and where a draft is held, beside the parts that are there already. target: the target's card."""
    if s.device == "cpu" and s.draft_device == "auto":
        return how_held(shape, machine, s, draft=True)
    taken = [sum(part.nbytes for part in parts if part.place == card_place(i)) for i in range(len(machine.cards))]
    kept = CUDA_CONTEXT_BYTES + RESERVE_BYTES
    room = [card.free - used - kept for card, used in zip(machine.cards, taken, strict=True)]
    on_card = how_held(shape, machine, replace(s, device=card_name(0)), draft=True)
    needed = sum(part.nbytes for part in _draft_parts(shape, on_card, s))
    card = place_draft(s.draft_device, target, room, needed)
    return how_held(shape, machine, replace(s, device=PROCESSOR if card is None else card_name(card)), draft=True)


def _draft_parts(shape: ModelShape, form: Held, s: PlanSettings) -> list[Part]:
    weights = weight_bytes(shape, form.engine, form.precision, s.four_bit, s.int4_group, int4_tables=form.tables)
    cache = cache_bytes(shape, s.context, form.engine, form.stored_bits(s.cache_bits))
    buffers = pass_bytes(shape, form.engine, s.context)
    place = form.place
    parts = [Part("draft weights", weights, place), Part("draft cache", cache, place), Part("buffers", buffers, place)]
    snapshots = snapshot_bytes(shape, form.value_bits)
    return [*parts, Part("snapshots", snapshots, place)] if snapshots else parts


def _summed(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Those of one name in one place are one."""
    sums: dict[tuple[PartName, Place], int] = {}
    for part in parts:
        key = (part.name, part.place)
        sums[key] = sums.get(key, 0) + part.nbytes
    return tuple(Part(name, nbytes, place) for (name, place), nbytes in sums.items())


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
    card = card_index(settings.device, len(machine.cards))
    if card is None:
        held = _on_processor(shape, machine, precision, fused, draft)
        exact = held.engine == "native" and shape.packed_blocks is not None and shape.four_bit_blocks
        chosen = held.precision == "int4" and held.engine in ("native", "torch") and not exact
        return replace(held, group=settings.int4_group, tables=draft) if chosen else held
    sixteen: Precision = "bfloat16" if precision == "auto" else precision
    return Held("cuda" if fused and precision != "int8" else "adapter", sixteen, card=card)


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


def _program(held: Held, drafts: Sequence[Held]) -> int:
    on_card = any(one.card is not None for one in (held, *drafts))
    program = CUDA_PROGRAM_BYTES if on_card else PROGRAM_BYTES
    quantizes = held.engine == "adapter" and held.precision in ("int8", "int4")
    return program + (BITSANDBYTES_BYTES if quantizes else 0)


def _packed(shape: ModelShape, held: Held) -> bool:
    kind = packed_kind(held.precision, held.group or INT4_GROUPS[0], held.tables)
    return held.engine != "native" or kind in shape.packed


def _copies(shape: ModelShape, held: Held) -> int:
    """What loading holds for a while beside the weights themselves: bitsandbytes packs from a whole 16-bit copy."""
    if held.engine == "adapter" and held.precision in ("int8", "int4") and not shape.quantized:
        return 2 * shape.parameters
    return 0
