"""A trained head in memory beside its target."""

import logging
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from inference.chat_engine import LoadedHead
from inference.errors import UserError
from inference.heads.fingerprint import TargetIdentity
from inference.heads.package import Package, load
from inference.heads.runner import HeadRunner, runner_for
from inference.models.causal_model import CausalModel
from inference.models.fused.model import FusedModel

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class HeldHead:
    package: Package
    runner: HeadRunner

    @property
    def name(self) -> str:
        return self.package.name

    @property
    def loaded(self) -> LoadedHead:
        package = self.package
        return LoadedHead(self.name, package.card.task, package.folder, self.runner.nbytes, package.card.measured)


def hold(folder: Path, model: CausalModel, target: TargetIdentity, target_folder: Path) -> HeldHead:
    """Raises UserError with the reason where the head in `folder` cannot draft for this target."""
    if not isinstance(model, FusedModel):
        raise UserError(
            f"A trained draft reads hidden states of {target.name}, which runs on the transformers adapter here.",
            "Load the model with the fused decoder, or choose another way to draft.",
        )
    started = perf_counter()
    package = load(folder, target)
    head = HeldHead(package, runner_for(package, model, target_folder))
    log.info("head loaded: %s, %d bytes, %.2f s", head.name, head.runner.nbytes, perf_counter() - started)
    return head
