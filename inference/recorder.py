"""Collects what rounds cost and gained while a reply runs, and keeps the last second apart for the gauges."""

from collections import deque

from inference.statistics import ReplyStatistics, RoundStatistics, ratio

WINDOW_S = 1.0  # how far back the live figures look


class Recorder:
    """The statistics of one reply so far. Fields that rounds do not change are set with dataclasses.replace.

    Rounds are many and the loop waits for this: `add` only keeps them, and `sum_up` does the rest for several at once.
    """

    def __init__(self, reply: ReplyStatistics) -> None:
        self.reply = reply  # as of the last `sum_up`
        self.waiting: list[RoundStatistics] = []
        self.waiting_s = 0.0
        self._recent: deque[RoundStatistics] = deque()
        self._recent_s = 0.0

    def add(self, figures: RoundStatistics) -> None:
        self.waiting.append(figures)
        self.waiting_s += figures.seconds

    def sum_up(self) -> None:
        """Bring `reply` and the live figures up to date."""
        self.reply = self.reply.with_rounds(*self.waiting)
        self._recent.extend(self.waiting)
        self._recent_s += self.waiting_s
        self.waiting, self.waiting_s = [], 0.0
        while len(self._recent) > 1 and self._recent_s - self._recent[0].seconds > WINDOW_S:
            self._recent_s -= self._recent.popleft().seconds

    @property
    def tokens_per_second(self) -> float:
        return ratio(sum(figures.committed for figures in self._recent), self._recent_s)

    @property
    def acceptance_rate(self) -> float | None:
        verified = sum(figures.verified for figures in self._recent)
        return sum(figures.accepted for figures in self._recent) / verified if verified else None
