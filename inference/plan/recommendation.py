"""Which model of the catalogue suits a machine: the largest that fits with room to spare and still keeps up with a
reader."""

from collections.abc import Sequence
from dataclasses import dataclass

from inference.manager.spec import Spec
from inference.plan.machine import Machine
from inference.plan.memory_plan import rough_bytes

READING = 7.0  # tokens a second: somebody who reads along is not kept waiting
ROOM = 0.75  # of the free memory, so that other programs go on
SHARE = 0.8  # of the memory's speed that a pass reaches
BITS = 4.7  # a weight of a 4-bit model with its scales


@dataclass(frozen=True)
class Recommendation:
    """tokens_per_second: without speculation; None where nothing was measured (graphics cards)."""

    spec: Spec
    tokens_per_second: float | None


def recommend(
    specs: Sequence[Spec], machine: Machine, bandwidth: float | None, language: str = "en"
) -> Recommendation | None:
    """For general talk in `language` (ISO 639-1): the largest that keeps up with a reader, or else the smallest.

    None where none fits into memory. bandwidth: bytes a second.
    """
    fitting = []
    for spec in specs:
        if language not in spec.languages or not spec.parameters or _for_code(spec):
            continue
        speed = None if machine.cards or bandwidth is None else SHARE * bandwidth / (spec.parameters * BITS / 8)
        free = machine.cards[0].free if machine.cards else machine.ram_free
        if rough_bytes(spec.parameters, 4) <= ROOM * free:
            fitting.append(Recommendation(spec, speed))
    quick = [found for found in fitting if found.tokens_per_second is None or found.tokens_per_second >= READING]
    largest = max(quick, key=_size, default=None)
    return largest or min(fitting, key=_size, default=None)


def _size(found: Recommendation) -> int:
    return found.spec.parameters


def _for_code(spec: Spec) -> bool:
    return "coder" in spec.identifier.lower()
