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
    """The best entry for general talk in `language` (ISO 639-1), or None where none fits. bandwidth: bytes a second."""
    fitting = []
    for spec in specs:
        if language not in spec.languages or not spec.parameters or _for_code(spec):
            continue
        speed = None if machine.cards or bandwidth is None else SHARE * bandwidth / (spec.parameters * BITS / 8)
        free = machine.cards[0].free if machine.cards else machine.ram_free
        if rough_bytes(spec.parameters, 4) <= ROOM * free and (speed is None or speed >= READING):
            fitting.append(Recommendation(spec, speed))
    return max(fitting, key=lambda found: found.spec.parameters, default=None)


def _for_code(spec: Spec) -> bool:
    return "coder" in spec.identifier.lower()
