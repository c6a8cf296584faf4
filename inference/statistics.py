"""What a round and a reply cost and gained. Times in seconds, lengths in tokens.

acceptance rate = accepted / verified: tokens after a rejection or after the end token were never judged and do not count.
yield = accepted / proposed: what most reports and llama.cpp call acceptance.
"""

from dataclasses import asdict, dataclass, fields
from typing import Any

from inference.settings import Mode


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def expected_tokens(p: float, k: int) -> float:
    """Tokens a round yields when each of k drafted tokens is accepted with probability p.

    (1 - p^(k+1)) / (1 - p), Leviathan et al. 2023 (arXiv 2211.17192), equation 1; k + 1 for p = 1.
    """
    return float(k + 1) if p >= 1.0 else (1.0 - p ** (k + 1)) / (1.0 - p)


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
    reply_tokens: int = 0
    decoded_tokens: int = 0  # tokens that decode rounds made: the first token comes out of the prefill
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

    @property
    def tokens_per_second(self) -> float:
        return ratio(self.decoded_tokens, self.decode_s)

    @property
    def acceptance_rate(self) -> float:
        return ratio(self.accepted, self.verified)

    @property
    def draft_yield(self) -> float:
        return ratio(self.accepted, self.proposed)

    @property
    def tokens_per_round(self) -> float:
        return ratio(self.decoded_tokens, self.rounds)

    @property
    def draft_share(self) -> float:
        return ratio(self.draft_s, self.decode_s)

    @property
    def prefill_tokens_per_second(self) -> float:
        return ratio(self.prompt_tokens - self.reused_tokens, self.prefill_s)

    @property
    def acceptance_by_position(self) -> tuple[float, ...]:
        return tuple(ratio(a, v) for a, v in zip(self.accepted_by_position, self.verified_by_position, strict=True))

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
        return cls(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items() if k in known})
