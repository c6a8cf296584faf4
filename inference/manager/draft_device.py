"""Where a draft is loaded: as the plan says that the person saw."""

import logging
from collections.abc import Sequence
from pathlib import Path

from inference.plan.machine import Machine, find_cards
from inference.plan.memory_plan import PlanSettings, plan
from inference.plan.model_shape import shape_in
from inference.settings import LoadSettings

log = logging.getLogger(__name__)


def draft_device(target: Path, loaded: LoadSettings, draft: Path, settings: LoadSettings, more: Sequence[Path]) -> str:
    """A device's name. target: the folder of what is loaded, and how it is; more: those of the drafts that are.

    Raises UserError for folders that cannot be read.
    """
    wish = settings.draft_device
    if wish == "target":
        return loaded.device
    if wish != "auto":
        return wish
    if settings.device != "auto" or not find_cards():
        return settings.device
    how = PlanSettings(
        precision=loaded.precision,
        context=loaded.context_length,
        draft_precision=settings.draft_precision,
        device=loaded.device,
        implementation=loaded.implementation,
        cache_bits=loaded.cache_bits,
        four_bit=loaded.four_bit,
        int4_group=loaded.int4_group,
    )
    drafts = [shape_in(folder) for folder in (*more, draft)]
    made = plan(shape_in(target), Machine.here(), how, drafts[0], drafts[1:])
    chosen = made.drafts[-1].device
    log.info("the draft in %s is held by %s, the target by %s", draft.name, chosen, made.target.device)
    return chosen
