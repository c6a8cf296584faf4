"""The best way to load a model that fits, and one sentence on why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from inference.manager.files import size_text
from inference.plan.machine import Machine
from inference.plan.memory_plan import MemoryPlan, PlanSettings, plan
from inference.plan.model_shape import ModelShape
from inference.settings import FLOATS, Precision

SHORTEST = 2048  # tokens of context below which a chat is little use
NAMES: dict[Precision, str] = {
    "auto": "automatic",
    "float32": "32-bit weights",
    "bfloat16": "16-bit weights",
    "float16": "16-bit weights",
    "int8": "8-bit weights",
    "int4": "4-bit weights",
}


@dataclass(frozen=True)
class Choice:
    """reason: one sentence. with_draft: whether the draft that was wished for is among it."""

    settings: PlanSettings
    plan: MemoryPlan
    with_draft: bool
    reason: str


def choose(
    target: ModelShape,
    machine: Machine,
    wish: PlanSettings | None = None,
    draft: ModelShape | None = None,
    more: Sequence[ModelShape] = (),
) -> Choice:
    """As much of the wish as fits: first fewer bits, then a shorter context, then no draft. When nothing fits, the
    smallest, whose plan says so. more: further drafts, which are loaded in any case."""
    wish = wish or PlanSettings()
    if wish.offload:  # only when nothing else helps: it costs speed
        choice = choose(target, machine, replace(wish, offload=False), draft, more)
        if not choice.plan.fits:
            made = plan(target, machine, wish, draft, more)
            if made.offload is not None:
                return Choice(wish, made, draft is not None, made.sentence)
        return replace(choice, settings=replace(choice.settings, offload=True))
    first = plan(target, machine, wish, draft, more)
    last = first
    for settings, with_draft in _steps(target, machine, wish, draft is not None):
        last = plan(target, machine, settings, draft if with_draft else None, more)
        if last.fits:
            reason = _fitting(last, with_draft) if first.fits else _changed(first, last)
            return Choice(settings, last, with_draft, reason)
        final = settings
    place = last.scarce
    needed, free = size_text(last.needed(place)), size_text(last.free(place))
    what = f"Even {NAMES[last.target.precision]} with {last.context:,} tokens of context do not fit"
    reason = f"{what}: {needed} would be needed, and {free} are free."
    return Choice(final, last, False, reason)


def _steps(
    target: ModelShape, machine: Machine, wish: PlanSettings, draft: bool
) -> Iterator[tuple[PlanSettings, bool]]:
    contexts = [min(wish.context, target.context_length or wish.context)]
    while contexts[-1] // 2 >= SHORTEST:
        contexts.append(contexts[-1] // 2)
    precisions: list[Precision] = [wish.precision]
    if not target.quantized:
        held = plan(target, machine, wish).target.precision
        steps: tuple[Precision, ...] = ("int4",) if machine.cards else ("int8", "int4")
        precisions += [step for step in steps if held in FLOATS or (held, step) == ("int8", "int4")]
    for with_draft in (True, False) if draft else (False,):
        for precision in precisions:
            yield replace(wish, precision=precision, context=contexts[0]), with_draft
        for context in contexts[1:]:
            yield replace(wish, precision=precisions[-1], context=context), with_draft


def _fitting(best: MemoryPlan, with_draft: bool) -> str:
    what = f"{NAMES[best.target.precision].capitalize()} and {best.context:,} tokens of context"
    what += " with the draft" if with_draft else ""
    return f"{what} fit: {size_text(best.needed(best.scarce))} of {size_text(best.free(best.scarce))}."


def _changed(first: MemoryPlan, best: MemoryPlan) -> str:
    place = first.scarce
    changes = []
    if best.target.precision != first.target.precision:
        changes.append(f"{NAMES[best.target.precision]} are taken")
    if best.context < first.context:
        changes.append(f"the context is {best.context:,} tokens")
    if first.draft is not None and best.draft is None:
        changes.append("the draft is left out")
    needed, free = size_text(first.needed(place)), size_text(first.free(place))
    return f"{needed} would be needed and {free} are free, so {_list(changes)}."


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
