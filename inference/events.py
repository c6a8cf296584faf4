"""What the engine says while it loads and while it replies. Frozen; the meaning is in the type, never in a string."""

from dataclasses import dataclass
from typing import Literal

from inference.ladder import MemoryStep
from inference.statistics import ReplyStatistics, RoundStatistics
from inference.tasks import Task

Origin = Literal["plain", "accepted", "recovered", "bonus", "recalled"]  # recalled: accepted, drafted from a past text
FinishReason = Literal["end", "stop_string", "length", "context", "cancelled"]
Stage = Literal["libraries", "download", "convert", "pack", "weights", "tokenizer", "prepare", "move", "copy"]


@dataclass(frozen=True)
class LoadProgress:
    """done and total are in bytes: of the source for convert and pack, else of what is written or read.

    Total 0 means "not known yet".
    """

    stage: Stage
    done: int = 0
    total: int = 0
    detail: str = ""


@dataclass(frozen=True)
class TurnsOmitted:
    """The context was full: this many of the oldest messages were left out of what the model reads."""

    messages: int


@dataclass(frozen=True)
class PromptProgress:
    """Prefill: `done` of `total` prompt tokens are in the cache, `reused` of them from an earlier turn."""

    done: int
    total: int
    reused: int


@dataclass(frozen=True)
class ThoughtOpened:
    """The template itself opened the model's thought: the reply begins inside it, without a tag of its own."""


@dataclass(frozen=True)
class Piece:
    """Text that one token completed, and how the token came about. Round 0 is the prefill."""

    text: str
    origin: Origin
    round: int


@dataclass(frozen=True)
class Delta:
    """Text to append to the reply. Never half a character, never a part of a stop string or of an end token."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


PauseReason = Literal["losing", "high_temperature", "no_match"]


@dataclass(frozen=True)
class Round:
    """After one or more rounds, some 40 times a second at most: the figures of the latest of them, recent speed and
    acceptance for the gauges, and the reply so far. The last one before Finished has counted every round.

    index is the number of rounds so far.
    tokens_per_second and acceptance_rate look back about one second, so a gauge follows what happens now;
    acceptance_rate is None until something was verified. paused says why K was 0 (None when it was not).
    """

    index: int
    round: RoundStatistics
    reply: ReplyStatistics
    tokens_per_second: float
    acceptance_rate: float | None
    paused: PauseReason | None = None
    task: Task = "prose"  # what is being written


@dataclass(frozen=True)
class TaskChanged:
    """From here on the reply is about something else: a switch of the task, and with it perhaps of the drafter.

    round: how many rounds came before. drafter: the name of what drafts now. seconds: what switching took.
    """

    task: Task
    round: int
    drafter: str
    seconds: float


@dataclass(frozen=True)
class Finished:
    reason: FinishReason
    statistics: ReplyStatistics


@dataclass(frozen=True)
class Failed:
    """It ended early: a reply, or loading. What was said so far stands. remedy may be empty.

    cancelled: the person wanted it so. hub: the model hub's address, or a token, may be the reason.
    """

    message: str
    remedy: str = ""
    cancelled: bool = False
    hub: bool = False


Event = TurnsOmitted | PromptProgress | ThoughtOpened | Delta | Round | TaskChanged | MemoryStep | Finished | Failed
