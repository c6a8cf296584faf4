"""How much of a model its device may hold, when the person accepts that the rest lies elsewhere."""

import logging
from pathlib import Path

import torch

from inference.device import on_card, resolve_device
from inference.memory import free_memory
from inference.models.offload import Room
from inference.plan.machine import Machine
from inference.plan.memory_plan import RESERVE_BYTES, PlanSettings, plan
from inference.plan.model_shape import shape_in
from inference.settings import LoadSettings

log = logging.getLogger(__name__)


def offload_room(folder: Path, settings: LoadSettings) -> Room | None:
    """None: it fits, or nothing of it may lie elsewhere. Raises UserError for a folder that cannot be read."""
    s = settings
    if not s.offload:
        return None
    shape, place = shape_in(folder), resolve_device(s.device)
    if shape.quantized:
        return None
    if s.away:
        ram = max(0, free_memory(torch.device("cpu")) - RESERVE_BYTES) if on_card(place) else 0
        width = 4 if s.precision == "float32" else 2
        return Room(round(width * shape.parameters * (100 - s.away) / 100), ram)
    how = PlanSettings(
        s.precision,
        s.context_length,
        device=s.device,
        implementation=s.implementation,
        four_bit=s.four_bit,
        offload=True,
    )
    made = plan(shape, Machine.here(), how)
    if made.offload is None:
        return None
    log.info("%s: %s", folder.name, made.offload.sentence)
    parts = {part.place: part.nbytes for part in made.parts if part.name == "weights"}
    layer = (made.offload.ram + made.offload.disk) // (made.offload.layers - made.offload.kept)
    return Room(parts[made.target.place] + layer, made.offload.ram + layer)  # one passes through
