"""How likely the target accepts the draft's first, second, third... token, as moving averages."""

from math import ceil

PRIOR = 0.7
SLOW, FAST = 0.03, 0.2  # weights of a new observation: one average is precise, the other quick
QUICKLY = 5  # observations that the quick one rests on: 1 / FAST
CHANGE = 2.7  # when they differ by more standard deviations of the quick one, it is right: the text has changed
CHANGED = CHANGE**2 * FAST / (2.0 - FAST)  # the square of that where single observations have a variance of one
NEIGHBOUR = 4  # observations that the rate of the position before (of the first: PRIOR) counts for
LEARNING = 4  # rounds with a draft before anything is concluded
CARRIED = 6  # observations that an earlier reply may count for
FORGET = 0.03  # of the trust in a position is lost in a round that would have reached it


class MovingRate:
    """The rate of yes among yes and no: precise while it stays, quick (some ten observations) when it changes.

    count: observations that the rate rests on, as far as its speed goes; seen: all that it may be trusted for.
    """

    def __init__(self, rate: float) -> None:
        self.rate = self._quick = rate
        self.count = 0
        self.seen = 0.0

    def observe(self, value: float) -> bool:
        """Take in 0 or 1; true when it shows that the rate has changed."""
        self.count += 1
        self.seen += 1
        share = 1.0 / (self.count + 2)
        self.rate += max(SLOW, share) * (value - self.rate)
        self._quick += max(FAST, share) * (value - self._quick)
        if self.count <= QUICKLY:
            return False
        likely = min(max(self.rate, 0.1), 0.9)
        apart = self._quick - self.rate
        if apart * apart <= CHANGED * likely * (1.0 - likely):
            return False
        self.rate = self._quick
        self.count = QUICKLY
        return True

    def fade(self, most: int) -> None:
        """Let new observations count for more."""
        self.count = min(self.count, most)

    def doubt(self) -> None:
        """Hardly trust what was seen."""
        self.count, self.seen = min(self.count, 1), min(self.seen, 1.0)

    def forget(self) -> None:
        """It was not looked at for a while."""
        self.seen *= 1.0 - FORGET
        self.count = min(self.count, ceil(self.seen))


class Positions:
    """Of one source of drafts: whose first i - 1 tokens stood, how often did the i-th stand, too?

    paused: drafting from it was found to lose.
    """

    def __init__(self) -> None:
        self.paused = False
        self.seen = 0  # rounds with a draft
        self._positions: list[MovingRate] = []
        self._yield = MovingRate(PRIOR)

    @property
    def known(self) -> bool:
        """Whether enough was seen to decide by."""
        return self.seen >= LEARNING

    @property
    def draft_yield(self) -> float:
        """Accepted / proposed, recently."""
        return self._yield.rate

    def rates(self, k: int) -> list[float]:
        """Of positions 1 to k. The less is known of a position, the more it is taken to be like the one before."""
        rates: list[float] = []
        before = PRIOR
        for position in self._positions[:k]:
            before = (position.seen * position.rate + NEIGHBOUR * before) / (position.seen + NEIGHBOUR)
            rates.append(before)
        return rates + [before] * (k - len(rates))

    def expected_tokens(self, most: int) -> list[float]:
        """Tokens a round of draft length 0, 1, ... most yields: E(k) = 1 + sum over i <= k of the product of the rates
        up to i.
        """
        expected, tokens, chance = [1.0], 1.0, 1.0
        for rate in self.rates(most):
            chance *= rate
            tokens += chance
            expected.append(tokens)
        return expected

    def observe(self, proposed: int, verified: int, accepted: int) -> None:
        """One round."""
        self.seen += 1
        known = len(self._positions)
        if verified > known:
            self._positions += map(MovingRate, self.rates(verified)[known:])
        for i, position in enumerate(self._positions[:verified]):
            if position.observe(float(i < accepted)):
                for later in self._positions[i + 1 :]:  # rarely seen now, and surely no longer what they were
                    later.doubt()
        if accepted == proposed < len(self._positions):
            for position in self._positions[proposed:]:
                position.forget()
        self._yield.observe(accepted / proposed)

    def fade(self) -> None:
        """What follows is another text."""
        for rate in (*self._positions, self._yield):
            rate.fade(CARRIED)


class Acceptance:
    """What is known about one way to draft, by source and temperature. It outlives a reply.

    credit: time, in rounds without a draft, that probing a paused source may still lose.
    """

    def __init__(self) -> None:
        self.credit = 0.0
        self._sources: dict[tuple[str, float], Positions] = {}

    def of(self, source: str, temperature: float) -> Positions:
        """A hotter text is harder to guess, and says little about a cooler one."""
        key = (source, round(temperature, 1))
        if key not in self._sources:
            self._sources[key] = Positions()
        return self._sources[key]

    def begin_reply(self) -> None:
        """Earlier replies are a hint about this one, not more."""
        for positions in self._sources.values():
            positions.fade()
