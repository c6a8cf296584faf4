"""Plans of memory for the page of models: shapes and the machine are asked once, the rest is arithmetic."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from app.error_texts import in_words, told
from app.model_memory import Remembered
from app.settings import DraftDevice, Settings
from app.views.model_row import DraftRow, LoadWish
from inference.errors import UserError
from inference.manager.draft_candidates import candidates
from inference.manager.spec import Spec
from inference.plan.any_shape import shape_for
from inference.plan.choice import Choice, choose
from inference.plan.machine import Machine
from inference.plan.memory_plan import MemoryPlan, PlanSettings, plan
from inference.plan.model_shape import ModelShape
from inference.plan.placement import card_index
from inference.settings import LoadSettings


@dataclass(frozen=True)
class Survey:
    """What a job has found out about a model: enough to plan for it without asking anything again.

    drafts: identifier -> shape of those that can draft. rows: all, with the reasons. suggested: the draft to take.
    """

    spec: Spec
    shape: ModelShape
    machine: Machine
    drafts: dict[str, ModelShape]
    rows: tuple[DraftRow, ...]
    aligned: frozenset[str] = frozenset()  # of the drafts those with another vocabulary
    suggested: str = ""
    loading: LoadSettings = field(default_factory=LoadSettings)  # what the wish leaves open
    kept: tuple[str, ...] = ()  # identifiers of further drafts, which are loaded beside the one that is wished for

    def planned(self, wish: LoadWish) -> MemoryPlan:
        settings, draft = self._settings(wish), self.drafts.get(wish.draft)
        return plan(self.shape, self.machine, settings, draft, self._more(wish.draft))

    def _settings(self, wish: LoadWish) -> PlanSettings:
        draft, four_bit = self.loading.draft_precision, self.loading.four_bit
        return PlanSettings(
            wish.precision,
            wish.context,
            draft,
            draft_device=wish.draft_device,
            cache_bits=int(wish.cache_bits),
            four_bit=four_bit,
            int4_group=int(wish.int4_group),
            offload=wish.offload,
        )

    def _more(self, draft: str) -> list[ModelShape]:
        return [self.drafts[one] for one in self.kept if one != draft]

    def best(self, wish: LoadWish) -> tuple[LoadWish, Choice]:
        """As much of the wish as fits."""
        settings, wanted = self._settings(wish), self.drafts.get(wish.draft)
        choice = choose(self.shape, self.machine, settings, wanted, self._more(wish.draft))
        draft = wish.draft if choice.with_draft else ""
        precision, context = choice.settings.precision, choice.plan.context
        if context == self.shape.context_length < wish.context:  # the model reads no more: the next one may
            context = wish.context
        return replace(wish, precision=precision, context=context, draft=draft), choice

    def draft_rows(self, wish: LoadWish, no_room: str) -> list[DraftRow]:
        """With what does not fit beside the target as well. no_room: how that is said."""
        result = []
        for row in self.rows:
            shape = self.drafts.get(row.identifier)
            settings, more = self._settings(wish), self._more(row.identifier)
            fits = shape is None or plan(self.shape, self.machine, settings, shape, more).fits
            result.append(row if fits else DraftRow(row.identifier, row.name, no_room))
        return result


def survey(spec: Spec, others: Sequence[Spec], settings: Settings, cancel: threading.Event) -> Iterator[Survey]:
    """For an errand: yields once. Raises UserError for a model that cannot be planned."""
    shape, machine = shape_for(spec, cancel), Machine.here()
    drafts: dict[str, ModelShape] = {}
    rows = []
    for candidate in candidates(spec, others):
        reason = "" if candidate.aligned else in_words(candidate.reason)
        if not reason and not cancel.is_set():
            try:
                drafts[candidate.spec.identifier] = shape_for(candidate.spec, cancel)
            except UserError as error:
                reason = told(error)
        note = in_words(candidate.reason) if candidate.aligned else ""
        rows.append(DraftRow(candidate.spec.identifier, candidate.spec.name, reason, note))
    suggested = next((draft for draft in spec.drafts if draft in drafts), "")
    aligned = frozenset(row.identifier for row in rows if row.note)
    further = settings.more_drafts.splitlines()  # names or folders
    kept = tuple(
        one.identifier
        for one in others
        if one.identifier in drafts and not {one.identifier, str(one.folder)}.isdisjoint(further)
    )
    yield Survey(spec, shape, machine, drafts, tuple(rows), aligned, suggested, settings.load(), kept)


def first_wish(survey: Survey, remembered: Remembered | None, settings: Settings) -> LoadWish:
    """What to preselect: as it was loaded last, else everything automatic, and the rest as it is set."""
    how = remembered or replace(Remembered.of(settings), precision="auto", draft_model=survey.suggested)
    return LoadWish(
        survey.spec.identifier,
        how.precision,
        how.context_length,
        how.draft_model if how.draft_model in survey.drafts else "",
        how.cache_bits,
        how.int4_group,
        _present(how.draft_device, survey.machine),
        how.offload,
    )


def _present(device: DraftDevice, machine: Machine) -> DraftDevice:
    """A card that is gone leaves the choice to Foreword."""
    card = device.startswith("cuda")
    return "auto" if card and card_index(device, len(machine.cards)) is None else device
