"""How likely the target accepts the draft's first, second, third... token, as moving averages."""

PRIOR = 0.7
SLOW, FAST = 0.04, 0.2  # weights of a new observation: one average is precise, the other quick
CHANGE = 0.3  # when they differ by more, the text has changed and the quick one is right
NEIGHBOUR = 4  # observations that the rate of the position before (of the first: PRIOR) counts for
LEARNING = 4  # rounds with a draft before anything is concluded
CARRIED = 6  # observations that an earlier reply may count for


class MovingRate:
    """The rate of yes among yes and no: precise while it stays, quick (some ten observations) when it changes."""

    def __init__(self, rate: float) -> None:
        self.rate = self._quick = rate
        self.count = 0

    def observe(self, value: float) -> bool:
        """Take in 0 or 1; true when it shows that the rate has changed."""
        self.count += 1
        self.rate += max(SLOW, 1.0 / (self.count + 2)) * (value - self.rate)
        self._quick += max(FAST, 1.0 / (self.count + 2)) * (value - self._quick)
        changed = abs(self._quick - self.rate) > CHANGE and self.count > 1.0 / FAST
        if changed:
            self.rate = self._quick
            self.count = round(1.0 / FAST)
        return changed

    def fade(self, most: int) -> None:
        self.count = min(self.count, most)


class Acceptance:
    """Conditional acceptance by position: of the drafts whose first i - 1 tokens stood, how often the i-th did too."""

    def __init__(self) -> None:
        self._positions: list[MovingRate] = []
        self._yield = MovingRate(PRIOR)

    @property
    def known(self) -> bool:
        """Whether enough was seen to decide by."""
        return self._yield.count >= LEARNING

    @property
    def draft_yield(self) -> float:
        """Accepted / proposed, recently."""
        return self._yield.rate

    def rates(self, k: int) -> list[float]:
        """Of positions 1 to k. The less is known of a position, the more it is taken to be like the one before."""
        rates: list[float] = []
        before = PRIOR
        for i in range(k):
            if i < len(self._positions):
                position = self._positions[i]
                before = (position.count * position.rate + NEIGHBOUR * before) / (position.count + NEIGHBOUR)
            rates.append(before)
        return rates

    def expected_tokens(self, most: int) -> list[float]:
        """Tokens a round of draft length 0, 1, ... most yields: E(k) = 1 + sum over i <= k of the product of the rates
        up to i.
        """
        expected, chance = [1.0], 1.0
        for rate in self.rates(most):
            chance *= rate
            expected.append(expected[-1] + chance)
        return expected

    def observe(self, proposed: int, verified: int, accepted: int) -> None:
        """One round."""
        rates = self.rates(verified)
        for i in range(verified):
            if i == len(self._positions):
                self._positions.append(MovingRate(rates[i]))
            if self._positions[i].observe(float(i < accepted)):
                for later in self._positions[i + 1 :]:  # rarely seen now, and surely no longer what they were
                    later.fade(1)
        self._yield.observe(accepted / proposed)

    def begin_reply(self) -> None:
        """Earlier replies are a hint about this one, not more."""
        for rate in (*self._positions, self._yield):
            rate.fade(CARRIED)
