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
        self._committed = self._verified = self._accepted = 0  # in these

    def add(self, figures: RoundStatistics) -> None:
        self.waiting.append(figures)
        self.waiting_s += figures.draft_s + figures.verify_s + figures.other_s

    def sum_up(self) -> None:
        """Bring `reply` and the live figures up to date."""
        before, reply = self.reply, self.reply.with_rounds(*self.waiting)
        self.reply = reply
        self._committed += reply.reply_tokens - before.reply_tokens
        self._verified += reply.verified - before.verified
        self._accepted += reply.accepted - before.accepted
        recent = self._recent
        recent.extend(self.waiting)
        self._recent_s += self.waiting_s
        self.waiting, self.waiting_s = [], 0.0
        while len(recent) > 1 and self._recent_s - recent[0].seconds > WINDOW_S:
            oldest = recent.popleft()
            self._recent_s -= oldest.seconds
            self._committed -= oldest.committed
            self._verified -= oldest.verified
            self._accepted -= oldest.accepted

    @property
    def tokens_per_second(self) -> float:
        return ratio(self._committed, self._recent_s)

    @property
    def acceptance_rate(self) -> float | None:
        return self._accepted / self._verified if self._verified else None
