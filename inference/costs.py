"""What a round costs on this machine, learned from the rounds themselves. Seconds."""

from collections.abc import Mapping

RATE = 0.2  # weight of a new measurement
SLOPE = 0.05  # each further row costs this share of the first until measured
OUTLIER = 3.0  # a single measurement counts at most this many times the present estimate


class Costs:
    """Moving averages of the verify pass by its number of rows, of drafting per token, and of everything else."""

    def __init__(self, verify_s: Mapping[int, float] | None = None) -> None:
        self._verify = dict(verify_s or {})  # rows -> seconds
        self._draft = 0.0
        self._drafted = False
        self._other = 0.0

    @property
    def known(self) -> bool:
        return bool(self._verify)

    @property
    def draft_s(self) -> float:
        """Per drafted token."""
        return self._draft

    @property
    def other_s(self) -> float:
        return self._other

    def verify_s(self, rows: int) -> float:
        """Of a pass over `rows` rows: measured, or on the line through the nearest measured ones."""
        table = self._verify
        if not table:
            return 0.0
        if rows in table:
            return table[rows]
        below = max((n for n in table if n < rows), default=None)
        above = min((n for n in table if n > rows), default=None)
        if below is not None and above is not None:
            share = (rows - below) / (above - below)
            return table[below] + share * (table[above] - table[below])
        if below is None:
            nearest = min(table)
            return table[nearest] / (1 + SLOPE * (nearest - rows))
        first = min(table)
        slope = (table[below] - table[first]) / (below - first) if below > first else SLOPE * table[below]
        return table[below] + max(slope, 0.0) * (rows - below)

    def measured_verify(self, rows: int, seconds: float) -> None:
        """One pass. The other entries follow slowly: a longer context or a busier machine slows them all."""
        known = self._verify.get(rows)
        if known is None:
            self._verify[rows] = seconds
            return
        step = RATE * (min(seconds, OUTLIER * known) / known - 1.0)
        for n in self._verify:
            self._verify[n] *= 1.0 + (step if n == rows else step / 2)

    def measured_draft(self, tokens: int, seconds: float) -> None:
        each = seconds / tokens
        if self._drafted:
            each = min(each, OUTLIER * self._draft)
        self._draft += (RATE if self._drafted else 1.0) * (each - self._draft)
        self._drafted = True

    def measured_other(self, seconds: float) -> None:
        limited = min(seconds, OUTLIER * self._other) if self._other else seconds
        self._other += (RATE if self._other else 1.0) * (limited - self._other)

    def round_s(self, k: int) -> float:
        """A round with k drafted tokens."""
        return k * self._draft + self.verify_s(k + 1) + self._other
