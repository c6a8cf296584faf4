"""Which token a character of a reply came from."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from app.chat_message import Run


@dataclass(frozen=True)
class Mark:
    """Characters [start, end) of a shown text, and the run they belong to."""

    start: int
    end: int
    run: Run


class TokenRuns:
    """The runs of a message with their ends summed up, so that a place in the text is found by bisection."""

    def __init__(self) -> None:
        self.offset = 0  # where in the message the text begins that is asked about
        self._runs: list[Run] = []
        self._ends: list[int] = []

    def update(self, runs: list[Run]) -> None:
        """Take in what is new. Runs only grow at the end: the last one may have become longer."""
        if self._runs and (len(runs) < len(self._runs) or runs[: len(self._runs) - 1] != self._runs[:-1]):
            self._runs, self._ends = [], []
        if self._runs:
            self._runs.pop()
            self._ends.pop()
        at = self._ends[-1] if self._ends else 0
        for run in runs[len(self._runs) :]:
            at += run.length
            self._runs.append(run)
            self._ends.append(at)

    def marks(self, source: int, length: int, shown: int) -> Iterator[Mark]:
        """Marks of `length` characters that stand at `source` in the message and at `shown` where they are shown."""
        if source < 0:
            return
        source += self.offset
        end = source + length
        index = bisect_right(self._ends, source)
        while source < end and index < len(self._runs):
            until = min(end, self._ends[index])
            if self._runs[index].origin != "plain":
                yield Mark(shown, shown + until - source, self._runs[index])
            shown += until - source
            source = until
            index += 1
