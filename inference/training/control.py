"""How a training run is watched and steered from outside: progress out, and pauses and the end in."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import monotonic, time
from typing import Any, Literal

Step = Literal["prompts", "replies", "features", "train", "measure", "package"]
BUSY_FOR_S = 20.0  # a file that says that the person chats counts for so long after it was last touched
LOOK_S = 1.0


class CancelledError(Exception):
    """Somebody wants the run to end. What is on disk stays, and the next run goes on from there."""


@dataclass(frozen=True)
class Progress:
    """done of total, in whatever the step counts. left_s: seconds to the step's end; None: not known yet."""

    step: Step
    done: int
    total: int
    left_s: float | None = None
    paused: bool = False
    figures: Mapping[str, Any] = field(default_factory=dict)  # losses, agreement, tokens a second

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"figures": dict(self.figures)}


class Control:
    """stop: set it from another thread or a signal. busy: a file that whoever chats touches; then the run waits."""

    def __init__(
        self, say: Callable[[Progress], None] = lambda _: None, busy: Path | None = None, every_s: float = 2.0
    ) -> None:
        self.stop = threading.Event()
        self._say = say
        self._busy = busy
        self._every_s = every_s
        self._said = float("-inf")
        self._looked = float("-inf")
        self._last: Progress | None = None

    def say(self, progress: Progress, at_once: bool = False) -> None:
        """Pass it on, unless something was said a moment ago."""
        self._last = progress
        if at_once or monotonic() - self._said >= self._every_s or progress.done >= progress.total:
            self._said = monotonic()
            self._say(progress)

    def breathe(self) -> float:
        """Between two pieces of work: raises CancelledError, or waits while the person chats. Seconds waited."""
        if self.stop.is_set():
            raise CancelledError
        if self._busy is None or monotonic() - self._looked < LOOK_S:
            return 0.0
        self._looked = started = monotonic()
        if not self._is_busy():
            return 0.0
        if self._last is not None:
            last = self._last
            self._say(Progress(last.step, last.done, last.total, None, True, last.figures))
        while self._is_busy():
            if self.stop.wait(LOOK_S):
                raise CancelledError
        self._said = float("-inf")
        return monotonic() - started

    def _is_busy(self) -> bool:
        assert self._busy is not None
        try:
            return time() - self._busy.stat().st_mtime < BUSY_FOR_S
        except OSError:
            return False


class Clock:
    """Seconds left, from the pace so far of this run alone (what an earlier run did counts nothing)."""

    def __init__(self, done: int, total: int) -> None:
        self._begun, self._total, self._started, self._waited = done, total, monotonic(), 0.0

    def waited(self, seconds: float) -> None:
        self._waited += seconds

    @property
    def worked_s(self) -> float:
        return monotonic() - self._started - self._waited

    def left_s(self, done: int) -> float | None:
        fresh = done - self._begun
        return None if fresh <= 0 else self.worked_s / fresh * max(self._total - done, 0)

    def pace(self, done: int) -> float:
        """Items a second."""
        return (done - self._begun) / max(self.worked_s, 1e-9)
