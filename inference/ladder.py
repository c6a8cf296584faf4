"""What is given up when memory runs out, and in which order. Pure: what stands goes in, the next step comes out.

Every step is small, the cheap ones come first, and each of them leaves less to give up, so the ladder ends.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Phase = Literal["load", "prefill", "decode"]
StepKind = Literal[
    "chunk",  # the prompt is read in shorter stretches, of `after` tokens
    "park",  # caches of other chats are moved from the card to the computer's memory, `before` bytes
    "idle",  # caches of other chats are dropped, `before` bytes
    "draft_length",  # at most `after` tokens are drafted
    "draft_precision",  # the draft `name` is held at `after` bits
    "draft",  # the draft `name` is dropped
    "cache_bits",  # keys and values are kept at `after` bits
    "context",  # at most `after` tokens are read
    "precision",  # the weights are held at `after` bits
    "processor",  # the model is loaded into the computer's memory in place of the card's
    "offload",  # `after` percent of the weights lie on the disk, or in main memory, and are fetched in every pass
]

SHORTEST_CHUNK = 32  # tokens of prefill
SHORTEST_CONTEXT = 2048  # that a model is loaded with, when memory is short


@dataclass(frozen=True)
class MemoryStep:
    """Memory ran out, this was given up, and the work goes on. before, after: see `StepKind`.

    undo: whether it can be taken back while the model stays loaded (`ChatEngine.take_back`).
    """

    kind: StepKind
    before: int = 0
    after: int = 0
    name: str = ""
    undo: bool = False


@dataclass(frozen=True)
class Standing:
    """What there is to give up where memory ran out. 0 and "": nothing of that kind.

    chunk: tokens of a stretch of prefill. idle: bytes of other chats' caches, idle_on_card: those of them on a card.
    draft_length: most tokens of a draft. draft: the name of the one that drafts, and draft_bits what its weights could
    be held at instead. cache_bits: of keys and values, and fewer_cache_bits what they could have instead. context:
    tokens, and shorter how many would do. precision_bits: what the target's weights could be held at instead. on_card:
    the processor could take over. away: percent of the weights that lie elsewhere, and more_away how many could.
    """

    phase: Phase
    chunk: int = 0
    idle: int = 0
    draft_length: int = 0
    draft: str = ""
    draft_bits: int = 0
    cache_bits: int = 16
    fewer_cache_bits: int = 0
    context: int = 0
    shorter: int = 0
    precision_bits: int = 0
    on_card: bool = False
    away: int = 0
    more_away: int = 0
    idle_on_card: int = 0


def next_step(now: Standing) -> MemoryStep | None:
    """The cheapest thing that is left; None at the end of the ladder."""
    return next(_steps(now), None)


def _steps(now: Standing) -> Iterator[MemoryStep]:
    if now.phase == "prefill" and now.chunk > SHORTEST_CHUNK:
        yield MemoryStep("chunk", now.chunk, max(now.chunk // 4, SHORTEST_CHUNK))
    if now.idle_on_card:
        yield MemoryStep("park", now.idle_on_card)
    if now.idle:
        yield MemoryStep("idle", now.idle)
    if now.phase == "load":
        yield from _while_loading(now)
        return
    if now.phase == "decode" and now.draft_length > 1:
        yield MemoryStep("draft_length", now.draft_length, now.draft_length // 2, undo=True)
    if now.draft and now.draft_bits:
        yield MemoryStep("draft_precision", 0, now.draft_bits, now.draft, undo=True)
    if now.draft:
        yield MemoryStep("draft", name=now.draft, undo=True)
    if now.fewer_cache_bits:
        yield MemoryStep("cache_bits", now.cache_bits, now.fewer_cache_bits, undo=True)
    if now.shorter:
        yield MemoryStep("context", now.context, now.shorter, undo=True)


def _while_loading(now: Standing) -> Iterator[MemoryStep]:
    if now.precision_bits:
        yield MemoryStep("precision", 0, now.precision_bits)
    if now.context // 2 >= SHORTEST_CONTEXT:
        yield MemoryStep("context", now.context, now.context // 2)
    if now.on_card:
        yield MemoryStep("processor")
    if now.more_away:
        yield MemoryStep("offload", now.away, now.more_away)
