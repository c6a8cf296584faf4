"""What a finished head gains in the engine itself: the same held-out questions with and without it, in turn."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inference.engine import Engine
from inference.errors import UserError
from inference.events import Failed, Finished
from inference.heads.package import package_name
from inference.manager.spec import Spec
from inference.messages import Message
from inference.settings import GenerationSettings, LoadSettings, SamplingSettings, SpeculationSettings
from inference.statistics import ReplyStatistics
from inference.training.control import Control, Progress
from inference.training.prompts import TrainingPrompt

LENGTHS = (2, 3, 5)  # draft lengths that are tried
ASKED = 8  # questions
TOKENS = 96  # of a reply


@dataclass
class _Sum:
    """Of many replies."""

    tokens: int = 0
    rounds: int = 0
    decode_s: float = 0.0
    draft_s: float = 0.0
    accepted: list[int] = field(default_factory=list)
    verified: list[int] = field(default_factory=list)

    def add(self, s: ReplyStatistics) -> None:
        self.tokens += s.reply_tokens
        self.rounds += s.rounds
        self.decode_s += s.decode_s
        self.draft_s += s.draft_s
        self.accepted = _added(self.accepted, s.accepted_by_position)
        self.verified = _added(self.verified, s.verified_by_position)

    @property
    def speed(self) -> float:
        return self.tokens / max(self.decode_s, 1e-9)

    @property
    def round_s(self) -> float:
        return self.decode_s / max(self.rounds, 1)

    @property
    def acceptance(self) -> list[float]:
        return [a / max(v, 1) for a, v in zip(self.accepted, self.verified, strict=True)]


def measure(
    target: Spec,
    head: Path,
    prompts: Sequence[TrainingPrompt],
    settings: LoadSettings,
    control: Control,
    *,
    tokens: int = TOKENS,
) -> dict[str, Any]:
    """For the card: acceptance by position, and by draft length tokens a round, expected and measured gain.

    Expected gain is what was accepted at each place of the longest drafts (a head may propose fewer tokens than it is
    asked for) at what a round of this length costs here; the measured one is tokens a second against speculation off.
    Both are of this machine in this hour. Raises UserError, CancelledError.
    """
    engine = Engine()
    for _ in engine.load(target, settings, control.stop):
        control.breathe()
    engine.load_head(head)
    name = package_name(head)  # an earlier head of this target may have come with it
    sums = {length: _Sum() for length in (0, *LENGTHS)}
    asked = prompts[:ASKED]
    for number, prompt in enumerate(asked):
        for length, total in sums.items():
            total.add(_reply(engine, prompt.text, _settings(name, length, tokens), control.stop))
            control.breathe()
        control.say(Progress("measure", number + 1, len(asked)))
    engine.unload()
    plain, longest = sums[0], sums[max(LENGTHS)]
    by_length = {}
    for length in LENGTHS:
        total = sums[length]
        expected = 1 + sum(longest.accepted[:length]) / max(longest.rounds, 1)
        by_length[str(length)] = {
            "tokens_per_round": round(total.tokens / max(total.rounds, 1), 3),
            "expected_gain": round(expected * plain.round_s / max(total.round_s, 1e-9), 3),
            "measured_gain": round(total.speed / max(plain.speed, 1e-9), 3),
            "draft_ms_per_token": round(1e3 * total.draft_s / max(total.rounds * length, 1), 3),
        }
    return {
        "acceptance_by_position": [round(rate, 4) for rate in longest.acceptance],
        "by_draft_length": by_length,
        "plain_ms_per_token": round(1e3 * plain.round_s, 3),
        "prompts": len(asked),
        "tokens": plain.tokens,
        "replies": "greedy, to held-out prompts, in the engine",
    }


def _settings(head: str, length: int, tokens: int) -> GenerationSettings:
    """Greedy. length 0: without speculation."""
    speculation = (
        SpeculationSettings(mode="on", drafter="head", draft=head, draft_length=length, dynamic=False)
        if length
        else SpeculationSettings(mode="off")
    )
    return GenerationSettings(SamplingSettings(temperature=0), speculation, max_tokens=tokens)


def _reply(engine: Engine, text: str, settings: GenerationSettings, cancel: threading.Event) -> ReplyStatistics:
    engine.forget_chats()
    last = list(engine.generate([Message("user", text)], settings, cancel))[-1]
    if isinstance(last, Failed):
        raise UserError(last.message, last.remedy)
    assert isinstance(last, Finished)
    return last.statistics


def _added(totals: Sequence[int], more: Sequence[int]) -> list[int]:
    length = max(len(totals), len(more))
    padded = [[*values, *[0] * (length - len(values))] for values in (totals, more)]
    return [a + b for a, b in zip(*padded, strict=True)]
