"""Who drafts in one reply: follows the text from task to task, and lets the router's choice draft."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from inference.controller import DraftLengthController
from inference.crew import Crew
from inference.drafters.drafter import CatchesUp, Proposer
from inference.profiles import FIRST_LENGTH, PLAIN, Candidate
from inference.router import Router, Stretch
from inference.session import Session
from inference.settings import GenerationSettings, SpeculationSettings
from inference.statistics import RoundStatistics
from inference.tasks import Task, TaskTracker

log = logging.getLogger(__name__)

FOLLOW_S = 0.1  # of decoding between two looks at the text, unless a line ends: looking costs the loop time
CATCH_UP_S = 0.06  # a drafter that takes over within a reply may read for so long


@dataclass(frozen=True)
class Plan:
    """What drafts, for which task, and how long its drafts are."""

    candidate: Candidate
    task: Task
    drafter: Proposer | None
    controller: DraftLengthController

    @property
    def name(self) -> str:
        return self.drafter.name if self.drafter else "none"


class Routing:
    """Made for one reply. `plan` holds until `follow` says that it is another one."""

    def __init__(
        self, crew: Crew, router: Router, target: str, settings: GenerationSettings, request: str, *, begun: str = ""
    ) -> None:
        """target: see `Router.book`; begun: the reply's text so far, when one is continued.

        Raises UserError when what shall draft is not at hand.
        """
        self._crew, self._router, self._target = crew, router, target
        self._speculation, self._temperature = settings.speculation, settings.sampling.temperature
        self._automatic = self._speculation.enabled and self._speculation.drafter == "automatic"
        self._tracker = TaskTracker(request, self._speculation.task)
        self._tracker.feed(begun)
        self._kind = self._speculation.drafter if self._speculation.enabled else "none"
        if not self._automatic:
            crew.candidate(self._kind, self.task, self._speculation.draft)  # refused now, not in the middle of a reply
        self._plans: dict[tuple[str, Task], Plan] = {}
        self._stretch: Stretch | None = None
        self._text, self._rounds = "", list[RoundStatistics]()  # not looked at yet

    @property
    def task(self) -> Task:
        return self._tracker.task

    def begin(self, session: Session) -> None:
        """The first plan, for a session that was told of the prompt or will be."""
        self._session = session
        self._stretch = self._new_stretch()
        self.plan = self._plan(self._stretch.candidate)

    @property
    def draft(self) -> str:
        """The name of the draft model or head that drafts; "" for any other way."""
        return self._stretch.candidate.draft if self._stretch is not None else ""

    def release(self) -> None:
        """Let go of every drafter, so that its memory can be had. `begin_again` must follow."""
        self.close()
        self._stretch = None
        self._plans.clear()
        if hasattr(self, "plan"):
            del self.plan

    def begin_again(self, session: Session, speculation: SpeculationSettings) -> None:
        """After `release`: with drafters that are made anew, and other settings."""
        self._speculation = speculation
        self._kind = speculation.drafter if speculation.enabled else "none"
        self.begin(session)

    def follow(self, text: str, rounds: Sequence[RoundStatistics], line_ended: bool, *, over: bool = False) -> bool:
        """The reply went on by `text` in `rounds`. True when `plan` is another one now, ready to draft at once.

        over: the reply ended with them; they are measured when it is closed.
        """
        stretch = self._stretch
        assert stretch is not None
        self._text += text
        self._rounds += rounds
        if over or (not line_ended and sum(one.seconds for one in self._rounds) < FOLLOW_S):
            return False
        moved = self._measure(stretch)
        text, self._text = self._text, ""
        if self._tracker.feed(text):
            stretch.end()
            stretch = self._stretch = self._new_stretch()
            moved = True
        if moved:
            self.plan = self._plan(stretch.candidate)
            catch_up(self.plan.drafter)
        return moved

    def close(self) -> None:
        """The reply is over, however it ended."""
        if self._stretch is not None:
            self._measure(self._stretch)
            self._stretch.end()

    def _measure(self, stretch: Stretch) -> bool:
        """Whether the router moves on to another candidate."""
        rounds, self._rounds = self._rounds, []
        return bool(rounds) and stretch.add(rounds, self.plan.controller.costs.round_s(0))

    def _new_stretch(self) -> Stretch:
        task = self.task
        fixed = None if self._automatic else self._crew.candidate(self._kind, task, self._speculation.draft)
        candidates = (fixed,) if fixed else self._crew.candidates
        pinned = fixed or self._router.pinned(self._target, task, candidates)
        return Stretch(self._router, self._target, task, candidates, pinned)

    def _plan(self, candidate: Candidate) -> Plan:
        task = self.task
        key = (candidate.key, task)
        if key not in self._plans:
            costs, acceptance = self._crew.learned(candidate, task)
            acceptance.begin_reply()
            settings = self._settings(candidate, task)
            controller = DraftLengthController(settings, costs, acceptance, self._temperature)
            drafter = self._crew.drafter(candidate, self._session)
            self._plans[key] = Plan(candidate, task, drafter, controller)
            log.info("%s: %s", task, settings.statement(self._plans[key].name))
        return self._plans[key]

    def _settings(self, candidate: Candidate, task: Task) -> SpeculationSettings:
        settings = self._speculation
        if candidate == PLAIN:
            return replace(settings, drafter="none")
        if not self._automatic:
            return settings
        length = self._router.book(self._target, task).profile.draft_length
        if length is not None:
            return replace(settings, draft_length=length, dynamic=False)
        if settings.dynamic:
            return replace(settings, draft_length=min(FIRST_LENGTH[task], settings.max_draft_length))
        return settings


def catch_up(drafter: object) -> None:
    if isinstance(drafter, CatchesUp):
        drafter.catch_up(CATCH_UP_S)
