"""How many tokens to draft in the next round, and whether to draft at all."""

from inference.acceptance import Acceptance, Positions
from inference.costs import Costs
from inference.events import PauseReason
from inference.settings import SpeculationSettings
from inference.statistics import ReplyStatistics, RoundStatistics, expected_tokens, ratio

ANY = "draft"  # the source of a drafter that does not name any
HOT = 1.0  # a temperature above which the pause is put down to the temperature
WORTH = 1.03  # expected gain from which a paused source drafts again: nearer to 1 it would be chance
PATIENCE = 2.0  # rounds that a source must have lost before it is given up, so that chance does not decide
PROBE_SHARE = 0.008  # of the decode time that probing may cost
MOST_CREDIT = 4.0  # rounds without a draft that probing may save up
SERIES = 4  # probes that must be affordable before a draft model reads what it missed
APART = 6  # rounds between probes that do not pay
LOOK_EVERY, CLEAR_GAIN = 48, 1.3  # below that gain a pass without a draft is timed so often
STALE = 16  # rounds after which a choice is made anew although nothing was drafted
THRIFT = 0.97  # below min_acceptance the shortest draft that keeps this share of the best speed is taken


class _Choice:
    """The best draft length for one source, and its expected gain over no draft; kept until something is learned.

    due: the round from which on it is made anew.
    """

    def __init__(self, positions: Positions) -> None:
        self.positions = positions
        self.length = 0
        self.gain = 0.0
        self.due = 0


class DraftLengthController:
    """Picks K for each source of drafts from measured costs and acceptance: the most expected tokens per second.

    Mode on never goes below 1. Automatic pauses a source (K = 0) while its best K is expected to be slower than no
    draft. It probes it now and then, for a small share of the time that is saved up over rounds and replies; a probe
    that pays is followed by another at once.
    """

    def __init__(self, settings: SpeculationSettings, costs: Costs, acceptance: Acceptance, temperature: float) -> None:
        self._settings = settings
        self._enabled = settings.enabled
        self._temperature = temperature
        self.costs = costs
        self.acceptance = acceptance
        self.pause_reason: PauseReason | None = None
        self._choices: dict[str, _Choice] = {}
        self._source = ANY  # of the last round that could draft
        self._rounds = 0
        self._since_probe = 0  # rounds since one that did not pay
        self._since_look = 0  # rounds since a pass over one row
        self._tokens = 0
        self._plain_s = 0.0  # what these tokens would have taken without speculation

    def next_length(self, source: str | None = ANY, behind: int = 0) -> int:
        """K of the next round, whose draft would come from `source` after reading `behind` tokens."""
        if not self._enabled:
            return 0
        mode = self._settings.mode
        if source is None:
            choice = self._choice(self._source)
            return 0 if choice.positions.paused and mode == "automatic" else choice.length
        self._source = source
        choice = self._choice(source)
        positions = choice.positions
        if mode == "on" or not self.costs.known or not positions.known:
            return choice.length
        if choice.gain >= (WORTH if positions.paused else 1.0 - PATIENCE / positions.seen):
            positions.paused = False
            return 0 if choice.gain < CLEAR_GAIN and self._since_look >= LOOK_EVERY else choice.length
        positions.paused = True
        if self._since_probe >= APART and self.acceptance.credit >= self._price(choice, source, behind):
            return choice.length
        self.pause_reason = "high_temperature" if self._temperature > HOT else "losing"
        return 0

    def update(self, figures: RoundStatistics, rows: int, source: str | None = ANY, behind: int = 0) -> None:
        """Learn from a round whose verify pass had `rows` rows. source, behind: as told to `next_length`."""
        length, k, verified, accepted, committed, draft_s, verify_s, other_s, *_ = figures
        costs, acceptance = self.costs, self.acceptance
        self._rounds += 1
        self._tokens += committed
        self._plain_s += committed * (costs.measured_verify(rows, verify_s) + costs.measured_other(k, other_s))
        self._since_probe += 1
        self._since_look = 0 if rows == 1 else self._since_look + 1
        acceptance.credit = min(acceptance.credit + PROBE_SHARE, MOST_CREDIT)
        if k == 0:
            if length:
                self.pause_reason = "no_match"
            return
        source = source or ANY
        costs.draft(source).measured(k, behind, draft_s)
        choice = self._choice(source)
        if verified:
            choice.positions.observe(k, verified, accepted)
        choice.due = self._rounds
        if choice.positions.paused:
            self._charge(figures, rows)
        else:
            self.pause_reason = None

    def expected_gain(self, reply: ReplyStatistics) -> float | None:
        """What the reply's own acceptance rate p and draft lengths promise: E(K) = (1 - p^(K+1)) / (1 - p) tokens a
        round, times the time of a token without speculation, over the time that was taken. None before any draft.
        """
        if not reply.verified:
            return None
        p, tokens = reply.acceptance_rate, 0.0
        for k, count in enumerate(reply.rounds_by_draft_length):
            if count:
                tokens += count * expected_tokens(p, k)
        return self.measured_gain(ratio(tokens, reply.decode_s))

    def measured_gain(self, tokens_per_second: float) -> float | None:
        """tok/s times the time these tokens would have taken without speculation, each.

        That is reckoned from the very passes that were made, so that it is as slow or as fast as the machine was.
        """
        return tokens_per_second * ratio(self._plain_s, self._tokens) if self._tokens else None

    def _choice(self, source: str) -> _Choice:
        choice = self._choices.get(source)
        if choice is None:
            choice = self._choices[source] = _Choice(self.acceptance.of(source, self._temperature))
        if self._rounds >= choice.due:
            self._choose(choice, source)
        return choice

    def _choose(self, choice: _Choice, source: str) -> None:
        settings, costs, positions = self._settings, self.costs, choice.positions
        k = settings.draft_length
        choice.due = self._rounds + STALE
        choice.length, choice.gain = k, 1.0
        if not costs.known:
            return
        gains = costs.gains(positions.expected_tokens(max(settings.max_draft_length, k)), source)
        if settings.dynamic and positions.known:
            enough = max(gains[1 : settings.max_draft_length + 1])
            if positions.draft_yield < settings.min_acceptance:
                enough *= THRIFT
            k = 1
            while gains[k] < enough:
                k += 1
        choice.length, choice.gain = k, gains[k]

    def _price(self, choice: _Choice, source: str, behind: int) -> float:
        """What must have been saved for a probe: what it is expected to lose, in rounds without a draft."""
        plain, k = self.costs.round_s(0), choice.length
        loss = max(self.costs.round_s(k, source) / plain * (1.0 - choice.gain), 0.0)
        reading = behind * self.costs.draft(source).read / plain
        return reading + loss * (SERIES if reading > loss else 1)

    def _charge(self, probe: RoundStatistics, rows: int) -> None:
        """Take what a probe lost from the credit, or add what it gained, and put the next one off if it lost."""
        costs = self.costs
        plain = costs.round_s(0)
        spent = probe.draft_s + costs.verify_s(rows) + costs.other_s(probe.proposed)
        loss = spent / plain - probe.committed
        self.acceptance.credit = min(self.acceptance.credit - loss, MOST_CREDIT)
        if loss > 0:
            self._since_probe = 0
