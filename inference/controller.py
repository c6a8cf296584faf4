"""How many tokens to draft in the next round, and whether to draft at all."""

import math

from inference.acceptance import Acceptance
from inference.costs import Costs
from inference.events import PauseReason
from inference.settings import SpeculationSettings
from inference.statistics import RoundStatistics

HOT = 1.0  # a temperature above which the pause is put down to the temperature
PROBE_SHARE = 0.015  # of the decode time that probing a paused drafter may cost
FIRST_WAIT, LONGEST_WAIT = 8, 256  # rounds between probes
THRIFT = 0.97  # below min_acceptance the shortest draft that keeps this share of the best speed is taken


class DraftLengthController:
    """Picks K from measured costs and acceptance: the K with the most expected tokens per second.

    Mode on never goes below 1. Automatic pauses (K = 0) while the best K is expected to be slower than no draft, and
    probes now and then; a probe that pays is followed by another at once.
    """

    def __init__(self, settings: SpeculationSettings, costs: Costs, acceptance: Acceptance, temperature: float) -> None:
        self._settings = settings
        self._temperature = temperature
        self.costs = costs
        self.acceptance = acceptance
        self._resting = 0  # rounds until the next probe
        self._wait = FIRST_WAIT
        self._paused = False
        self.pause_reason: PauseReason | None = None

    def next_length(self) -> int:
        """K of the next round."""
        settings = self._settings
        if not settings.enabled:
            return 0
        length = self._best_length()
        if settings.mode == "on" or not self.costs.known or not self.acceptance.known:
            return length
        if self._gain(length) >= 1.0:
            self._paused, self._wait, self.pause_reason = False, FIRST_WAIT, None
            return length
        if not self._paused:
            self._paused, self._resting = True, self._wait
        if self._resting > 0:
            self._resting -= 1
            self.pause_reason = "high_temperature" if self._temperature > HOT else "losing"
            return 0
        return length  # a probe

    def update(self, figures: RoundStatistics, rows: int, typical: bool = True) -> None:
        """Learn from a round whose verify pass had `rows` rows; typical is False when catching up made it dearer."""
        self.costs.measured_verify(rows, figures.verify_s)
        self.costs.measured_other(figures.other_s)
        if figures.proposed == 0:
            if figures.draft_length:
                self.pause_reason = "no_match"
            return
        if typical:
            self.costs.measured_draft(figures.proposed, figures.draft_s)
        if figures.verified:
            self.acceptance.observe(figures.proposed, figures.verified, figures.accepted)
        if self._paused:
            self._space_probes(figures)
        else:
            self.pause_reason = None

    def expected_gain(self, k: int) -> float | None:
        """E(K) * verify_s[0] / (K * draft_s + verify_s[K] + other_s)."""
        if not self.costs.known or k == 0:
            return None
        return self.acceptance.expected_tokens(k)[k] * self.costs.verify_s(1) / self.costs.round_s(k)

    def measured_gain(self, tokens_per_second: float) -> float | None:
        """tok/s times the time a token takes without speculation, at this context length."""
        return tokens_per_second * self.costs.round_s(0) if self.costs.known else None

    def _best_length(self) -> int:
        settings = self._settings
        if not settings.dynamic or not self.costs.known or not self.acceptance.known:
            return settings.draft_length
        expected = self.acceptance.expected_tokens(settings.max_draft_length)
        speeds = {k: expected[k] / self.costs.round_s(k) for k in range(1, settings.max_draft_length + 1)}
        best = max(speeds, key=speeds.__getitem__)
        if self.acceptance.draft_yield < settings.min_acceptance:
            return min(k for k in speeds if speeds[k] >= THRIFT * speeds[best])
        return best

    def _gain(self, k: int) -> float:
        return self.acceptance.expected_tokens(k)[k] * self.costs.round_s(0) / self.costs.round_s(k)

    def _space_probes(self, probe: RoundStatistics) -> None:
        """The next probe comes at once when this one paid, else when its cost has become a small share of the time."""
        loss = probe.seconds - probe.committed * self.costs.round_s(0)
        if loss <= 0:
            self._resting = 0
            return
        affordable = math.ceil(loss / (PROBE_SHARE * self.costs.round_s(0)))
        self._wait = min(max(affordable, FIRST_WAIT), LONGEST_WAIT)
        self._resting = self._wait
