"""Collects what rounds cost and gained while a reply runs; the live figures compare it with a second ago."""

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
        self._earlier = deque([reply])  # as of those before, the first about WINDOW_S ago

    def add(self, figures: RoundStatistics) -> None:
        self.waiting.append(figures)
        self.waiting_s += figures.draft_s + figures.verify_s + figures.other_s

    def sum_up(self) -> None:
        """Bring `reply` and the live figures up to date."""
        earlier = self._earlier
        earlier.append(self.reply)
        self.reply = self.reply.with_rounds(*self.waiting)
        self.waiting, self.waiting_s = [], 0.0
        while len(earlier) > 1 and self.reply.decode_s - earlier[1].decode_s > WINDOW_S:
            earlier.popleft()

    @property
    def tokens_per_second(self) -> float:
        then, now = self._earlier[0], self.reply
        return ratio(now.reply_tokens - then.reply_tokens, now.decode_s - then.decode_s)

    @property
    def acceptance_rate(self) -> float | None:
        then, now = self._earlier[0], self.reply
        verified = now.verified - then.verified
        return (now.accepted - then.accepted) / verified if verified else None
