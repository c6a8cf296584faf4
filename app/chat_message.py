"""One message as it is shown and kept: its text, how each run of it came about, and what it cost."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import uuid4

from app.attachments import Attachment
from app.course import Moment
from inference.events import FinishReason, Origin, Piece
from inference.messages import Role
from inference.settings import GenerationSettings
from inference.statistics import ReplyStatistics

State = Literal["streaming", "finished", "stopped", "failed"]


@dataclass(frozen=True)
class Run:
    """`length` characters of the text that share an origin and a round."""

    length: int
    origin: Origin
    round: int


def _nothing() -> None:
    return None


@dataclass
class ChatMessage:
    """`parent` is the message it answers or follows, "" for the first of a chat; see `app.message_tree`."""

    role: Role
    text: str = ""
    id: str = field(default_factory=lambda: uuid4().hex)
    state: State = "finished"
    runs: list[Run] = field(default_factory=list)
    statistics: ReplyStatistics | None = field(default_factory=_nothing)
    finish_reason: FinishReason | None = None
    error: str = ""  # why it failed, with the remedy
    model: str = ""  # the target that wrote it
    parent: str = ""
    created: float = field(default_factory=time.time)  # seconds since 1970
    attachments: tuple[Attachment, ...] = ()
    thought_s: float | None = None  # how long it thought; None when it did not, or nobody measured
    settings: GenerationSettings | None = field(default_factory=_nothing)  # how the reply was made
    course: list[Moment] = field(default_factory=list)  # of its speed and acceptance
    edited: bool = False  # a person changed what the model wrote

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

    @property
    def drafted(self) -> bool:
        """Whether a draft had a part in it; in the newest tokens it is seen soonest."""
        return any(run.origin != "plain" for run in reversed(self.runs))

    def put_off(self, **unpack: Callable[[], Any]) -> "ChatMessage":
        """Have fields made when they are first asked for: a long chat opens without reading what nobody looks at.

        The fields are those whose default is made by a factory, so that no class attribute hides their absence.
        """
        for name in unpack:
            del self.__dict__[name]
        self.__dict__["_put_off"] = unpack
        return self

    def __getattr__(self, name: str) -> Any:
        """Called only for what is not there."""
        waiting = self.__dict__.get("_put_off", {})
        if name not in waiting:
            raise AttributeError(name)
        value = waiting[name]()
        setattr(self, name, value)
        return value
