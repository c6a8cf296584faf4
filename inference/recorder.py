"""Collects what rounds cost and gained while a reply runs, and keeps the last second apart for the gauges."""

from collections import deque

from inference.statistics import ReplyStatistics, RoundStatistics, ratio

WINDOW_S = 1.0  # how far back the live figures look


class Recorder:
    """The statistics of one reply so far. Fields that rounds do not change are set with dataclasses.replace."""

    def __init__(self, reply: ReplyStatistics) -> None:
        self.reply = reply
        self._recent: deque[RoundStatistics] = deque()
        self._recent_s = 0.0

    def add(self, figures: RoundStatistics) -> None:
        self.reply = self.reply.with_round(figures)
        self._recent.append(figures)
        self._recent_s += figures.seconds
        while self._recent_s - self._recent[0].seconds > WINDOW_S:
            self._recent_s -= self._recent.popleft().seconds

    @property
    def tokens_per_second(self) -> float:
        return ratio(sum(figures.committed for figures in self._recent), self._recent_s)

    @property
    def acceptance_rate(self) -> float | None:
        verified = sum(figures.verified for figures in self._recent)
        return sum(figures.accepted for figures in self._recent) / verified if verified else None
