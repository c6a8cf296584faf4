"""How likely the target accepts the draft's first, second, third... token, as a moving average."""

PRIOR = 0.7
SLOWEST = 0.12  # weight of a new observation once many are known; a change of text is followed in some ten rounds
CARRIED = 6  # observations that an earlier reply may count for


class Acceptance:
    """Conditional acceptance by position: of the drafts whose first i - 1 tokens stood, how often the i-th did too."""

    def __init__(self) -> None:
        self._rates: list[float] = []
        self._counts: list[int] = []
        self._yield = PRIOR
        self._rounds = 0

    @property
    def known(self) -> bool:
        return bool(self._rates)

    @property
    def draft_yield(self) -> float:
        """Accepted / proposed, recently."""
        return self._yield

    def rate(self, position: int) -> float:
        """Of position 1, 2, ...; where nothing is known yet, that of the position before."""
        if not self._rates:
            return PRIOR
        return self._rates[min(position, len(self._rates)) - 1]

    def expected_tokens(self, k: int) -> float:
        """Tokens a round of draft length k yields: 1 + sum over i <= k of the product of the rates up to i."""
        expected, chance = 1.0, 1.0
        for position in range(1, k + 1):
            chance *= self.rate(position)
            expected += chance
        return expected

    def observe(self, proposed: int, verified: int, accepted: int, fastest: float = 0.5) -> None:
        """One round. `fastest` bounds the weight of what is seen, so that a lucky first round does not decide."""
        for i in range(verified):
            if i == len(self._rates):
                self._rates.append(self.rate(i))
                self._counts.append(0)
            weight = min(fastest, max(SLOWEST, 1.0 / (self._counts[i] + 2)))
            self._rates[i] += weight * ((i < accepted) - self._rates[i])
            self._counts[i] += 1
        weight = max(SLOWEST, 1.0 / (self._rounds + 2))
        self._yield += weight * (accepted / proposed - self._yield)
        self._rounds += 1

    def begin_reply(self) -> None:
        """Earlier replies are a hint about this one, not more."""
        self._counts = [min(count, CARRIED) for count in self._counts]
        self._rounds = min(self._rounds, CARRIED)
