"""What two runs of one question say about each other. Pure."""

from dataclasses import dataclass

from inference.statistics import ReplyStatistics, expected_tokens, ratio

AROUND = 24  # characters shown on each side of a difference


@dataclass(frozen=True)
class Expected:
    """What acceptance p and the draft lengths promise for the second side.

    tokens: a round, the mean of (1 - p^(K+1)) / (1 - p) over its rounds. cost: of a round, in tokens of the first
    side. Both are 0 where the first side drafts as well; then `ratio` is that of the two expected gains.
    """

    ratio: float
    acceptance: float = 0.0
    length: float = 0.0
    tokens: float = 0.0
    cost: float = 0.0


def expected_ratio(first: ReplyStatistics, second: ReplyStatistics) -> Expected | None:
    """How many times as fast the second should be; None where nothing says so."""
    if not first.verified and second.verified and first.reply_tokens and second.rounds:
        p = second.acceptance_rate
        rounds = list(enumerate(second.rounds_by_draft_length))
        tokens = ratio(sum(count * expected_tokens(p, k) for k, count in rounds), sum(count for _, count in rounds))
        cost = ratio(second.seconds_per_round, ratio(first.decode_s, first.reply_tokens))
        drafted = sum(count for k, count in rounds if k)
        return Expected(ratio(tokens, cost), p, ratio(second.proposed, drafted), tokens, cost)
    if first.expected_gain and second.expected_gain:
        return Expected(second.expected_gain / first.expected_gain)
    return None


def measured_ratio(first: ReplyStatistics, second: ReplyStatistics) -> float | None:
    """How many times as many tokens a second the second side wrote."""
    return ratio(second.tokens_per_second, first.tokens_per_second) or None


@dataclass(frozen=True)
class Parting:
    """Where two texts first differ. before: what both say in front of it; left, right: how each goes on."""

    place: int  # characters
    before: str
    left: str
    right: str


def parting(left: str, right: str) -> Parting | None:
    """None: they are the same, letter for letter."""
    if left == right:
        return None
    shorter = min(len(left), len(right))
    place = next((i for i in range(shorter) if left[i] != right[i]), shorter)
    return Parting(
        place, left[max(0, place - AROUND) : place], left[place : place + AROUND], right[place : place + AROUND]
    )
