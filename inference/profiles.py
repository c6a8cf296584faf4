"""What may draft, what was measured of it, and how a task is drafted: for the router, its file and the window."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from inference.settings import MAX_DRAFT_LENGTH
from inference.statistics import RoundStatistics, ratio
from inference.tasks import TASKS, Task

HALF_LIFE = 2000  # tokens of a candidate after which an old measurement weighs half
NATIVE = "native prediction"  # the draft that is the target's own prediction layer
FIRST_LENGTH: dict[Task, int] = {"code": 6, "prose": 4}  # K before anything is measured


@dataclass(frozen=True)
class Candidate:
    """A way to draft: its kind, and the draft it needs ("" for those that need none).

    prior: how many times faster than without speculation it is taken to be before it was measured, at the task it was
    made for (None: at both).
    """

    kind: str
    draft: str = ""
    prior: float = 1.0
    made_for: Task | None = None
    aligned: bool = False  # a draft model with another vocabulary, which drafts by its text

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.draft}" if self.draft else self.kind

    def prior_at(self, task: Task) -> float:
        return self.prior if self.made_for in (None, task) else 1.0


PLAIN = Candidate("none")  # no speculation: what the others are compared with; chosen only by the person


@dataclass(frozen=True)
class Profile:
    """How one task is drafted. candidate: a `Candidate.key`; draft_length: a fixed K. None leaves it to Foreword."""

    candidate: str | None = None
    draft_length: int | None = None

    def __post_init__(self) -> None:
        if self.draft_length is not None and not 1 <= self.draft_length <= MAX_DRAFT_LENGTH:
            raise ValueError(f"a fixed draft length is between 1 and {MAX_DRAFT_LENGTH}, not {self.draft_length!r}")


@dataclass(frozen=True)
class Measured:
    """Sums over the rounds of one candidate at one task; old ones fade. Times in seconds.

    plain_s: what the same tokens would have taken without speculation, at the context lengths they were written at.
    """

    tokens: float = 0.0
    seconds: float = 0.0
    plain_s: float = 0.0
    proposed: float = 0.0
    draft_s: float = 0.0
    verified: tuple[float, ...] = ()  # by position in the draft
    accepted: tuple[float, ...] = ()
    trials: int = 0

    @property
    def tokens_per_second(self) -> float:
        return ratio(self.tokens, self.seconds)

    @property
    def gain(self) -> float:
        """Times faster than without speculation; 0 before anything was measured."""
        return ratio(self.plain_s, self.seconds)

    @property
    def draft_token_s(self) -> float:
        """What one drafted token costs."""
        return ratio(self.draft_s, self.proposed)

    @property
    def acceptance(self) -> tuple[float, ...]:
        """Accepted / verified by position."""
        return tuple(ratio(a, v) for a, v in zip(self.accepted, self.verified, strict=True))

    def with_rounds(self, rounds: Sequence[RoundStatistics], plain_s: float) -> "Measured":
        """plain_s: of one token without speculation."""
        tokens = sum(one.committed for one in rounds)
        fade = 0.5 ** (tokens / HALF_LIFE)
        longest = max(one.proposed for one in rounds) if rounds else 0
        verified, accepted = _faded(self.verified, fade, longest), _faded(self.accepted, fade, longest)
        seconds, proposed, draft_s = self.seconds * fade, self.proposed * fade, self.draft_s * fade
        for one in rounds:
            seconds += one.seconds
            proposed += one.proposed
            draft_s += one.draft_s
            for i in range(one.verified):
                verified[i] += 1
            for i in range(one.accepted):
                accepted[i] += 1
        return Measured(
            tokens=self.tokens * fade + tokens,
            seconds=seconds,
            plain_s=self.plain_s * fade + tokens * plain_s,
            proposed=proposed,
            draft_s=draft_s,
            verified=tuple(verified),
            accepted=tuple(accepted),
            trials=self.trials,
        )

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "Measured":
        """Raises TypeError or ValueError for what no version of Foreword wrote."""
        verified, accepted = (tuple(float(v) for v in values.get(name, ())) for name in ("verified", "accepted"))
        if len(verified) != len(accepted):
            raise ValueError("acceptance by position is incomplete")
        names = ("tokens", "seconds", "plain_s", "proposed", "draft_s")
        tokens, seconds, plain_s, proposed, draft_s = numbers = [float(values.get(name, 0.0)) for name in names]
        if not all(0.0 <= number < math.inf for number in (*numbers, *verified, *accepted)):
            raise ValueError("a measurement is impossible")
        return cls(tokens, seconds, plain_s, proposed, draft_s, verified, accepted, int(values.get("trials", 0)))


UNMEASURED = Measured()


def _faded(values: Sequence[float], fade: float, length: int) -> list[float]:
    """At least `length` of them."""
    return [value * fade for value in values] + [0.0] * (length - len(values))


@dataclass(frozen=True)
class Cell:
    """One candidate at one task, as the table shows it. chosen: it drafts now; ready: enough was measured to judge."""

    candidate: Candidate
    task: Task
    measured: Measured
    chosen: bool = False
    ready: bool = False


@dataclass(frozen=True)
class Past:
    """Past texts in the target's vocabulary: how many, their tokens, and what was drafted from them since the target
    was loaded."""

    texts: int
    tokens: int
    proposed: int = 0
    accepted: int = 0


@dataclass(frozen=True)
class Routes:
    """What works here: for one target every candidate at both tasks, and what the person decided."""

    target: str
    cells: tuple[Cell, ...]
    profiles: dict[Task, Profile]
    tokens: dict[Task, int]  # written so far
    lost: dict[Task, float]  # of these, what trying others has cost
    plain_tokens_per_second: float = 0.0  # without speculation; 0: not known
    past: Past | None = None  # None: nothing is drafted from past chats

    def cell(self, key: str, task: Task) -> Cell | None:
        return next((cell for cell in self.cells if cell.candidate.key == key and cell.task == task), None)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        return tuple(cell.candidate for cell in self.cells if cell.task == TASKS[0])
