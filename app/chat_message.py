"""One message as it is shown and kept: its text, how each run of it came about, and what it cost."""

from dataclasses import dataclass, field
from typing import Literal
from uuid import uuid4

from inference.events import FinishReason, Origin, Piece
from inference.messages import Role
from inference.statistics import ReplyStatistics

State = Literal["streaming", "finished", "stopped", "failed"]


@dataclass(frozen=True)
class Run:
    """`length` characters of the text that share an origin and a round."""

    length: int
    origin: Origin
    round: int


@dataclass
class ChatMessage:
    role: Role
    text: str = ""
    id: str = field(default_factory=lambda: uuid4().hex)
    state: State = "finished"
    runs: list[Run] = field(default_factory=list)
    statistics: ReplyStatistics | None = None
    finish_reason: FinishReason | None = None
    error: str = ""  # why it failed, with the remedy
    model: str = ""  # the target that wrote it

    def append(self, piece: Piece) -> None:
        """Grow by one piece; neighbouring pieces of one origin and round share a run."""
        if not piece.text:
            return
        self.text += piece.text
        last = self.runs[-1] if self.runs else None
        if last is not None and (last.origin, last.round) == (piece.origin, piece.round):
            self.runs[-1] = Run(last.length + len(piece.text), last.origin, last.round)
        else:
            self.runs.append(Run(len(piece.text), piece.origin, piece.round))
