"""Loading where memory runs out: the next cheaper way is tried, and told, until one fits or none is left."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace

from inference.device import on_card, resolve_device
from inference.errors import UserError
from inference.events import LoadProgress
from inference.ladder import MemoryStep, Standing, next_step
from inference.manager.files import size_text
from inference.manager.spec import Spec
from inference.memory import OUT_OF_MEMORY, free_memory, out_of_memory, release_memory
from inference.models.fused.model import FusedModel
from inference.session_pool import SessionPool
from inference.settings import LoadSettings

log = logging.getLogger(__name__)

AWAY = (50, 90)  # percent of the weights that lie elsewhere, where the person accepts that at all

Loading = Callable[[LoadSettings], Iterator[LoadProgress]]


def load_within_memory(
    load: Loading, spec: Spec, settings: LoadSettings, pool: SessionPool | None = None
) -> Iterator[LoadProgress | MemoryStep]:
    """`load` with `settings`, or with what is left of them. pool: of the target, when it is a draft that is loaded.

    Raises UserError, with the numbers, when even the cheapest way finds no memory.
    """
    while True:
        try:
            yield from load(settings)
            return
        except OUT_OF_MEMORY as error:
            if not out_of_memory(error):
                raise
            log.warning("no memory for %s: %s", spec.name, error)
        release_memory()
        step = next_step(_standing(spec, settings, pool))
        if step is None:
            raise exhausted(spec, settings)
        match step.kind:
            case "park" if pool is not None:
                pool.park_idle(None)
                release_memory()
            case "idle" if pool is not None:
                pool.clear()
                release_memory()
            case "precision":
                settings = replace(settings, precision="int4")
            case "context":
                settings = replace(settings, context_length=step.after)
            case "processor":
                settings = replace(settings, device="cpu", draft_device="cpu")
            case "offload":
                settings = replace(settings, away=step.after)
        yield replace(step, name=spec.name)


def exhausted(spec: Spec, settings: LoadSettings) -> UserError:
    """With the numbers."""
    free = size_text(free_memory(resolve_device(settings.device)))
    remedy = "Close other programs, or choose a smaller model."
    if not spec.size_bytes:
        return UserError(f"There is not enough memory to load {spec.name}: {free} are free.", remedy)
    size = size_text(spec.size_bytes)
    return UserError(f"There is not enough memory to load {spec.name} ({size}): {free} are free.", remedy)


def _standing(spec: Spec, settings: LoadSettings, pool: SessionPool | None) -> Standing:
    """pool: see `load_within_memory`."""
    apart = pool is not None and settings.draft_device not in ("auto", "target")
    place = resolve_device(settings.draft_device if apart else settings.device)
    finer = place.type == "cpu" and settings.precision != "int4" and settings.implementation != "adapter"
    packs = finer and spec.folder is not None and FusedModel.computes_natively(spec.folder, "int4")
    context = min(settings.context_length, spec.context_length or settings.context_length)
    return Standing(
        "load",
        idle=pool.idle_bytes(None) if pool is not None else 0,
        # Chats that leave a card take of the computer's memory, which is what ran out for a draft that goes there.
        idle_on_card=pool.idle_card_bytes(None) if pool is not None and on_card(place) else 0,
        precision_bits=4 if packs else 0,
        context=0 if pool is not None else context,
        on_card=place.type == "cuda",
        away=settings.away,
        more_away=next((share for share in AWAY if share > settings.away), 0) if settings.offload and not pool else 0,
    )
