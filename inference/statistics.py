"""What a round and a reply cost and gained. Times in seconds, lengths in tokens.

acceptance rate = accepted / verified: tokens after a rejection or after the end token were never judged, so they do not
count.
yield = accepted / proposed: what most reports and llama.cpp call acceptance.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from inference.settings import Mode


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def expected_tokens(p: float, k: int) -> float:
    """Tokens a round yields when each of k drafted tokens is accepted with probability p.

    (1 - p^(k+1)) / (1 - p), Leviathan et al. 2023 (arXiv 2211.17192), equation 1; k + 1 for p = 1.
    """
    return float(k + 1) if p >= 1.0 else (1.0 - p ** (k + 1)) / (1.0 - p)


def counted(histogram: tuple[int, ...], length: int, positions: Iterable[int]) -> tuple[int, ...]:
    """The histogram, at least `length` long, with one more at each of `positions`."""
    longer = [*histogram, *[0] * (length - len(histogram))]
    for position in positions:
        longer[position] += 1
    return tuple(longer)


@dataclass(frozen=True)
class RoundStatistics:
    """One round: K asked for, tokens proposed, judged and accepted, tokens committed, and where the time went."""

    draft_length: int
    proposed: int
    verified: int
    accepted: int
    committed: int
    draft_s: float
    verify_s: float
    other_s: float

    @property
    def seconds(self) -> float:
        return self.draft_s + self.verify_s + self.other_s


@dataclass(frozen=True)
class ReplyStatistics:
    """One reply, whole or so far. Kept with the message as JSON, shown in its footer, logged in one line."""

    drafter: str = "none"
    mode: Mode = "off"
    prompt_tokens: int = 0
    reused_tokens: int = 0
    prefill_s: float = 0.0
    time_to_first_token_s: float = 0.0
    reply_tokens: int = 0  # committed tokens, the end token included
    decode_s: float = 0.0
    draft_s: float = 0.0
    verify_s: float = 0.0
    other_s: float = 0.0
    rounds: int = 0
    paused_rounds: int = 0
    proposed: int = 0
    verified: int = 0
    accepted: int = 0
    recovered: int = 0
    bonus: int = 0
    verified_by_position: tuple[int, ...] = ()
    accepted_by_position: tuple[int, ...] = ()
    rounds_by_draft_length: tuple[int, ...] = ()  # index is K
    expected_gain: float | None = None
    measured_gain: float | None = None
    seed: int | None = None

    @property
    def tokens_per_second(self) -> float:
        return ratio(self.reply_tokens, self.decode_s)

    @property
    def acceptance_rate(self) -> float:
        return ratio(self.accepted, self.verified)

    @property
    def draft_yield(self) -> float:
        return ratio(self.accepted, self.proposed)

    @property
    def tokens_per_round(self) -> float:
        return ratio(self.reply_tokens, self.rounds)

    @property
    def draft_share(self) -> float:
        return ratio(self.draft_s, self.decode_s)

    @property
    def prefill_tokens_per_second(self) -> float:
        return ratio(self.prompt_tokens - self.reused_tokens, self.prefill_s)

    @property
    def seconds_per_round(self) -> float:
        return ratio(self.decode_s, self.rounds)

    @property
    def acceptance_by_position(self) -> tuple[float, ...]:
        return tuple(ratio(a, v) for a, v in zip(self.accepted_by_position, self.verified_by_position, strict=True))

    def with_rounds(self, *rounds: RoundStatistics) -> "ReplyStatistics":
        """The reply so many rounds later."""
        if not rounds:
            return self
        # An accepted end token ends a round, and the reply, without another token behind it.
        closed = [one.accepted == one.proposed for one in rounds if one.committed > one.accepted and one.proposed]
        longest = max(one.proposed for one in rounds)
        return replace(
            self,
            reply_tokens=self.reply_tokens + sum(one.committed for one in rounds),
            decode_s=self.decode_s + sum(one.seconds for one in rounds),
            draft_s=self.draft_s + sum(one.draft_s for one in rounds),
            verify_s=self.verify_s + sum(one.verify_s for one in rounds),
            other_s=self.other_s + sum(one.other_s for one in rounds),
            rounds=self.rounds + len(rounds),
            paused_rounds=self.paused_rounds + sum(one.draft_length == 0 for one in rounds),
            proposed=self.proposed + sum(one.proposed for one in rounds),
            verified=self.verified + sum(one.verified for one in rounds),
            accepted=self.accepted + sum(one.accepted for one in rounds),
            recovered=self.recovered + closed.count(False),
            bonus=self.bonus + closed.count(True),
            verified_by_position=counted(
                self.verified_by_position, longest, (i for one in rounds for i in range(one.verified))
            ),
            accepted_by_position=counted(
                self.accepted_by_position, longest, (i for one in rounds for i in range(one.accepted))
            ),
            rounds_by_draft_length=counted(self.rounds_by_draft_length, longest + 1, (one.proposed for one in rounds)),
        )

    def to_json(self) -> dict[str, Any]:
        """Every figure, derived ones too, so that whoever reads the JSON need not know the formulas."""
        derived = {
            name: getattr(self, name)
            for name in ("tokens_per_second", "acceptance_rate", "draft_yield", "tokens_per_round", "draft_share")
        }
        return asdict(self) | derived

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "ReplyStatistics":
        known = {f.name for f in fields(cls)}
        given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items() if k in known}
        return cls(**given)
