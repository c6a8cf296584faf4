"""What a round and a reply cost and gained. Times in seconds, lengths in tokens.

acceptance rate = accepted / verified: tokens after a rejection or after the end token were never judged, so they do not
count.
yield = accepted / proposed: what most reports and llama.cpp call acceptance.
"""

from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from inference.settings import Mode


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def expected_tokens(p: float, k: int) -> float:
    """Tokens a round yields when each of k drafted tokens is accepted with probability p.

    (1 - p^(k+1)) / (1 - p), Leviathan et al. 2023 (arXiv 2211.17192), equation 1; k + 1 for p = 1.
    """
    return float(k + 1) if p >= 1.0 else (1.0 - p ** (k + 1)) / (1.0 - p)


class RoundStatistics(NamedTuple):
    """One round: K asked for, tokens proposed, judged and accepted, tokens committed, and where the time went.

    A tuple, since the loop makes one every few milliseconds.
    """

    draft_length: int
    proposed: int
    verified: int
    accepted: int
    committed: int
    draft_s: float
    verify_s: float
    other_s: float
    past: bool = False  # the draft was copied from a past text, not from this one
    ready: int = 0  # of the proposed, what was drafted while the target verified the round before

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
    ready: int = 0  # of the proposed: see `RoundStatistics`
    verified: int = 0
    accepted: int = 0
    recovered: int = 0
    bonus: int = 0
    past_proposed: int = 0  # of those proposed and accepted, what was copied from past texts
    past_accepted: int = 0
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
        tokens = proposed = ready = verified = accepted = recovered = bonus = paused = 0
        past_proposed = past_accepted = 0
        draft_s = verify_s = other_s = 0.0
        longest = max((one.proposed for one in rounds), default=0)
        verified_by = [*self.verified_by_position, *[0] * (longest - len(self.verified_by_position))]
        accepted_by = [*self.accepted_by_position, *[0] * (longest - len(self.accepted_by_position))]
        lengths = [*self.rounds_by_draft_length, *[0] * (longest + 1 - len(self.rounds_by_draft_length))]
        for one in rounds:
            tokens += one.committed
            draft_s += one.draft_s
            verify_s += one.verify_s
            other_s += one.other_s
            paused += one.draft_length == 0
            lengths[one.proposed] += 1
            if not one.proposed:
                continue
            proposed += one.proposed
            ready += one.ready
            verified += one.verified
            accepted += one.accepted
            if one.past:
                past_proposed += one.proposed
                past_accepted += one.accepted
            for i in range(one.verified):
                verified_by[i] += 1
            for i in range(one.accepted):
                accepted_by[i] += 1
            if one.committed > one.accepted:  # an accepted end token ends a round, and the reply, by itself
                bonus += one.accepted == one.proposed
                recovered += one.accepted < one.proposed
        return self.changed(
            reply_tokens=self.reply_tokens + tokens,
            decode_s=self.decode_s + draft_s + verify_s + other_s,
            draft_s=self.draft_s + draft_s,
            verify_s=self.verify_s + verify_s,
            other_s=self.other_s + other_s,
            rounds=self.rounds + len(rounds),
            paused_rounds=self.paused_rounds + paused,
            proposed=self.proposed + proposed,
            ready=self.ready + ready,
            verified=self.verified + verified,
            accepted=self.accepted + accepted,
            recovered=self.recovered + recovered,
            bonus=self.bonus + bonus,
            past_proposed=self.past_proposed + past_proposed,
            past_accepted=self.past_accepted + past_accepted,
            verified_by_position=tuple(verified_by),
            accepted_by_position=tuple(accepted_by),
            rounds_by_draft_length=tuple(lengths) if rounds else self.rounds_by_draft_length,
        )

    def changed(self, **changes: Any) -> "ReplyStatistics":
        """dataclasses.replace, ten times as fast: the loop waits for it thirty times a second."""
        other = object.__new__(ReplyStatistics)
        other.__dict__.update(self.__dict__)
        other.__dict__.update(changes)
        return other

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
