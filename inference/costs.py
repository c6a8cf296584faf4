"""What a round costs on this machine, learned from the rounds themselves. Seconds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inference.settings import MAX_DRAFT_LENGTH

MOST_ROWS = MAX_DRAFT_LENGTH + 1
RATE = 0.2  # weight of a new measurement
OWN_RATE, OWN_RATE_STALE = 0.1, 0.3  # the same for what one number of rows costs beside the others
FRESH = 16  # passes after which a number of rows was not measured lately
SLOPE = 0.05  # each further row costs this share of the first until measured
OUTLIER = 3.0  # a single measurement counts at most this many times the present estimate
KEPT_UP = 4  # tokens behind which a drafter's time also pays for reading and says little about drafting
READING = 0.2  # of a drafted token's time is what a read one takes, until measured


@dataclass
class DraftCost:
    """Of one source of drafts. each: per drafted token; read: per token that it had not kept up with."""

    each: float = 0.0
    read: float = 0.0
    timed: bool = False  # whether a draft was timed that had nothing to read before

    def measured(self, tokens: int, behind: int, seconds: float) -> None:
        if behind > KEPT_UP:
            if not self.timed:
                self.each = seconds / (tokens + READING * behind)
            self.read = max(seconds - tokens * self.each, 0.0) / behind
            return
        each = seconds / tokens
        if self.timed:
            each = min(each, OUTLIER * self.each)
        self.each += (RATE if self.timed else 1.0) * (each - self.each)
        self.timed = True


class Costs:
    """Moving averages of the verify pass by its number of rows, of drafting by its source, and of everything else.

    A longer context or a busier machine slows all passes alike, so every pass moves one common factor. What a number of
    rows costs beside the others shows only in the first pass after one with another number.
    """

    def __init__(self, verify_s: Mapping[int, float] | None = None) -> None:
        """verify_s: rows -> seconds, as far as known."""
        self._factor = 1.0
        self._rows = _line(verify_s) if verify_s else []  # [rows] seconds, to be multiplied by the factor
        self._passes = 0
        self._last: dict[int, int] = {}  # rows -> number of the last such pass
        self._drafts: dict[str, DraftCost] = {}
        self._others = [0.0, 0.0]  # of a round without a draft, and of one with it

    @property
    def known(self) -> bool:
        return bool(self._rows)

    def other_s(self, k: int) -> float:
        """All that is neither drafting nor verifying, in a round with k drafted tokens: a draft is more work here, too.

        Until one kind of round was measured it is as the other.
        """
        return self._others[k > 0] or self._others[k == 0]

    def draft(self, source: str) -> DraftCost:
        known = self._drafts.get(source)
        if known is None:
            known = self._drafts[source] = DraftCost()
        return known

    def verify_s(self, rows: int) -> float:
        """Of a pass over `rows` rows, 1 to MOST_ROWS; 0 while nothing is known."""
        return self._factor * self._rows[rows] if self._rows else 0.0

    def measured_verify(self, rows: int, seconds: float) -> float:
        """One pass. Returns what it would have taken with one row, at the same moment and context."""
        if not self._rows:
            self._rows = _line({rows: seconds})
            return seconds
        own = self._rows[rows]
        plain = seconds * self._rows[1] / own
        error = min(seconds / (self._factor * own), OUTLIER) - 1.0
        self._factor *= 1.0 + RATE * error
        self._passes += 1
        since = self._passes - self._last.get(rows, 0)
        self._last[rows] = self._passes
        if since > 1:
            self._rows[rows] = own * (1.0 + (OWN_RATE if since <= FRESH else OWN_RATE_STALE) * error)
            _settle(self._rows)
        return plain

    def measured_other(self, k: int, seconds: float) -> float:
        """All else in a round with k drafted tokens. Returns what it would have taken without them, likewise."""
        others, drafted = self._others, k > 0
        known = others[drafted]
        if not known:
            others[drafted] = seconds
            return seconds
        plain = seconds * others[0] / known if others[0] else seconds
        others[drafted] += RATE * (min(seconds, OUTLIER * known) - known)
        return plain

    def round_s(self, k: int, source: str = "") -> float:
        """A round with k drafted tokens from `source`, which has nothing to read before."""
        return (k * self.draft(source).each if k else 0.0) + self.verify_s(k + 1) + self.other_s(k)

    def gains(self, expected: Sequence[float], source: str) -> list[float]:
        """How many times as fast as no draft are rounds that yield `expected` tokens with 0, 1, ... drafted ones?"""
        plain, each, other = self.round_s(0), self.draft(source).each, self.other_s(1)
        factor, rows = self._factor, self._rows
        gains = [1.0]
        for k in range(1, len(expected)):
            gains.append(expected[k] * plain / (k * each + factor * rows[k + 1] + other))
        return gains


def _line(known: Mapping[int, float]) -> list[float]:
    """Seconds for 0, 1, ... MOST_ROWS rows (none are as one): on the line through the nearest known ones."""
    first, last = min(known), max(known)
    slope = (known[last] - known[first]) / (last - first) if last > first else SLOPE * known[last]
    values = []
    for rows in range(MOST_ROWS + 1):
        below = max((n for n in known if n <= rows), default=None)
        above = min((n for n in known if n >= rows), default=None)
        if below is None:
            values.append(known[first] / (1 + SLOPE * (first - max(rows, 1))))
        elif above is None:
            values.append(known[last] + max(slope, 0.0) * (rows - last))
        else:
            share = (rows - below) / (above - below) if above > below else 0.0
            values.append(known[below] + share * (known[above] - known[below]))
    return _settle(values)


def _settle(values: list[float]) -> list[float]:
    """More rows never take less: where they seem to, other programs were in the way of the fewer."""
    for rows in range(len(values) - 2, -1, -1):
        values[rows] = min(values[rows], values[rows + 1])
    return values
