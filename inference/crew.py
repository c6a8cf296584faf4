"""All that can draft for the target that is loaded: by name for the router, ready to propose for a session."""

import logging
from collections.abc import Callable

from inference.acceptance import Acceptance
from inference.costs import Costs
from inference.device import same_device
from inference.drafters.aligned_draft import AlignedDrafter
from inference.drafters.background import Background
from inference.drafters.draft_model import LEAST_CHANCE, ModelDrafter
from inference.drafters.drafter import Proposer
from inference.drafters.head import HeadDrafter
from inference.drafters.history_index import HistoryIndex
from inference.drafters.ngram import NgramDrafter
from inference.drafters.two_stage import TwoStageDrafter
from inference.errors import UserError
from inference.manager.host import Host
from inference.passes import measure_reading
from inference.profiles import PLAIN, Candidate, Past
from inference.session import Session
from inference.settings import DrafterKind
from inference.tasks import TASKS, Task

log = logging.getLogger(__name__)

SECOND = 0.9  # what is expected of a draft with another vocabulary before it was measured: it is tried last
NEEDS_DRAFT = ("model", "combined")
NEEDS_HEAD = ("head", "combined")


class Crew:
    """Makes drafters and keeps what was learned of each at each task. A new way to draft is a line in two tables."""

    def __init__(self, host: Host, overlap: bool | None = None) -> None:
        """overlap: whether draft models write on while the target verifies. None: those on another device than the
        target's do; on the same one both would only take longer."""
        self._host = host
        self._overlap = overlap
        self._background = Background()
        self.history: HistoryIndex | None = None  # past texts, from which the n-gram drafter drafts as well
        self._verify_costs: dict[int, float] = {}
        self._read_s: dict[str, float] = {}  # by draft
        self._learned: dict[tuple[str, Task], tuple[Costs, Acceptance]] = {}
        self._makers: dict[str, Callable[[Session, str], Proposer | None]] = {
            "none": lambda session, draft: None,
            "ngram": lambda session, draft: self._ngram(session),
            "model": self._model,
            "head": self._head,
            "combined": lambda session, draft: TwoStageDrafter(self._ngram(session), self._second(session, draft)),
        }

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """What the router may choose from; of equals it takes the first."""
        return (
            Candidate("ngram"),
            *(
                Candidate(kind, name, SECOND if draft.aligned else 1.0, aligned=draft.aligned)
                for name, draft in self._host.drafts.items()
                for kind in NEEDS_DRAFT
            ),
            *(
                Candidate(kind, name, head.prior, self._task_of(name))
                for name, head in self._host.heads.items()
                for kind in NEEDS_HEAD
            ),
        )

    def candidate(self, kind: DrafterKind, task: Task, draft: str = "") -> Candidate:
        """The one that a person means who names the kind, and perhaps the draft.

        Raises UserError when it is not at hand.
        """
        if kind == "none":
            return PLAIN
        of_kind = [one for one in self.candidates if one.kind == kind and draft in ("", one.draft)]
        found = next((one for one in of_kind if one.made_for in (None, task)), of_kind[0] if of_kind else None)
        if found is None and draft:
            raise UserError(f"The draft {draft} is not loaded.", "Choose another draft, or load it again.")
        if found is None and kind == "head":
            raise UserError("No trained draft is loaded.", "Choose one, or train one for this model.")
        if found is None:
            raise UserError("No draft model is loaded.", "Choose a draft model, or another way to draft.")
        return found

    def drafter(self, candidate: Candidate, session: Session) -> Proposer | None:
        """Told of the session's text, whichever drafted before."""
        return self._makers[candidate.kind](session, candidate.draft)

    def learned(self, candidate: Candidate, task: Task) -> tuple[Costs, Acceptance]:
        key = (candidate.key, task)
        if key not in self._learned:
            self._learned[key] = (Costs(self._verify_costs), Acceptance())
        return self._learned[key]

    def plain_s(self, task: Task) -> float:
        """Seconds of a token without speculation, as far as is known."""
        return self.learned(PLAIN, task)[0].round_s(0)

    @property
    def past(self) -> Past | None:
        """What there is to draft from of past texts, and what came of it."""
        index = self.history
        return None if index is None else Past(index.texts, index.tokens, index.proposed, index.accepted)

    def begin(self, verify_costs: dict[int, float]) -> None:
        """There is another target."""
        self.history = None
        self._verify_costs = verify_costs
        self._learned.clear()
        self._read_s.clear()

    def close(self) -> None:
        """No thread is left."""
        self._background.close()

    def add(self, draft: str) -> None:
        """A draft was loaded: time its reading, so that a hurry is one."""
        self._read_s[draft] = measure_reading(self._host.drafts[draft].held.model)

    def forget(self, draft: str) -> None:
        for key in [key for key in self._learned if key[0].partition(":")[2] == draft]:
            del self._learned[key]

    def _task_of(self, head: str) -> Task | None:
        """What it was trained for; None: both."""
        return next((task for task in TASKS if task == self._host.heads[head].task), None)

    def _head(self, session: Session, draft: str) -> HeadDrafter:
        known = session.drafters.get(drafter_key(draft))
        if isinstance(known, HeadDrafter):
            return known
        return session.add_drafter(drafter_key(draft), HeadDrafter(self._host.heads[draft].runner, draft))

    def _second(self, session: Session, draft: str) -> ModelDrafter | AlignedDrafter | HeadDrafter:
        return self._head(session, draft) if draft in self._host.heads else self._model(session, draft)

    def _ngram(self, session: Session) -> NgramDrafter:
        known = session.drafters.get("ngram")
        drafter = known if isinstance(known, NgramDrafter) else session.add_drafter("ngram", NgramDrafter())
        drafter.history = self.history
        return drafter

    def _model(self, session: Session, draft: str) -> ModelDrafter | AlignedDrafter:
        known = session.drafters.get(drafter_key(draft))
        if isinstance(known, ModelDrafter | AlignedDrafter):
            return known
        one, target = self._host.drafts[draft], self._host.target
        assert target is not None
        model, read_s = one.held.model, self._read_s.get(draft, 0.0)
        apart = not same_device(model.device, target.model.device) if self._overlap is None else self._overlap
        if one.aligned:
            inner = ModelDrafter(model, draft, model.vocabulary_size, read_s=read_s)
            aligned = AlignedDrafter(inner, target.tokenizer, one.held.tokenizer)
            return session.add_drafter(drafter_key(draft), aligned)
        drafter = ModelDrafter(
            model,
            draft,
            target.model.vocabulary_size,
            one.compatibility.forbidden,
            read_s,
            background=self._background if apart else None,
            least_chance=LEAST_CHANCE,
        )
        return session.add_drafter(drafter_key(draft), drafter)


def drafter_key(draft: str) -> str:
    """Under which a session keeps the drafter of a draft model or a head."""
    return f"model:{draft}"
