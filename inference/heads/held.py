"""A trained head in memory beside its target."""

import logging
from dataclasses import dataclass, replace
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

ROW = 0.15  # of a pass: what a drafted token costs about, drafted and verified


@dataclass(frozen=True)
class HeldHead:
    package: Package
    runner: HeadRunner

    @property
    def name(self) -> str:
        return self.package.name

    @property
    def task(self) -> str:
        return self.package.card.task

    @property
    def prior(self) -> float:
        """How many times faster a reply is taken to be, from what the card says of acceptance; 1 where it is silent."""
        rates = self.package.card.measured.get("acceptance_by_position")
        if not isinstance(rates, list) or not all(isinstance(rate, int | float) and 0 <= rate <= 1 for rate in rates):
            return 1.0
        best = tokens = reached = 1.0
        for k, rate in enumerate(rates, 1):
            reached *= rate
            tokens += reached
            best = max(best, tokens / (1 + k * ROW))
        return best

    @property
    def loaded(self) -> LoadedHead:
        package = self.package
        return LoadedHead(self.name, self.task, package.folder, self.runner.nbytes, package.card.measured)


def hold(folder: Path, model: CausalModel, target: TargetIdentity, target_folder: Path) -> HeldHead:
    """Raises UserError with the reason where the head in `folder` cannot draft for this target."""
    if not isinstance(model, FusedModel):
        raise UserError(
            f"A trained draft reads hidden states of {target.name}, which runs on the transformers adapter here.",
            "Load the model with the fused decoder, or choose another way to draft.",
        )
    started = perf_counter()
    package = load(folder, target)
    runner = runner_for(package, model, target_folder)
    # The runner has its own; a head's float32 matrices are three times what it packs of them.
    head = HeldHead(replace(package, tensors={"vocabulary": package.vocabulary}), runner)
    log.info("head loaded: %s, %d bytes, %.2f s", head.name, head.runner.nbytes, perf_counter() - started)
    return head
