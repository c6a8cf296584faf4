"""Rounds and replies as an engine would tell them, for the tests of the gauges."""

import math
from dataclasses import replace
from typing import Any

from app.course import Moment
from app.views.gauge_panel import GaugePanel
from inference.events import PauseReason, Round
from inference.statistics import ReplyStatistics, RoundStatistics

REPLY = ReplyStatistics(
    drafter="ngram",
    mode="automatic",
    prompt_tokens=300,
    reply_tokens=220,
    decode_s=4.4,
    draft_s=0.4,
    verify_s=3.8,
    other_s=0.2,
    rounds=56,
    proposed=168,
    verified=160,
    accepted=152,
    time_to_first_token_s=0.18,
    rounds_by_draft_length=(0, 0, 0, 56),
    expected_gain=1.64,
    measured_gain=1.42,
)
OFF = replace(REPLY, drafter="none", mode="off", proposed=0, verified=0, accepted=0, draft_s=0.0)


def reply(**changes: Any) -> ReplyStatistics:
    return replace(REPLY, **changes)


def round_event(
    speed: float = 50.0,
    acceptance: float | None = 0.9,
    paused: PauseReason | None = None,
    statistics: ReplyStatistics = REPLY,
) -> Round:
    """A round that stands alone: `statistics` are those of the reply so far."""
    k = 3 if paused is None else 0
    return Round(1, RoundStatistics(k, k, k, k, k + 1, 0.02, 0.04, 0.0), statistics, speed, acceptance, paused)


class Reply:
    """A reply that goes on round by round, each of 60 ms."""

    def __init__(self, **changes: Any) -> None:
        self._changes = changes
        self.so_far = ReplyStatistics(drafter="ngram", mode="automatic", time_to_first_token_s=0.18)

    def round(
        self,
        speed: float = 50.0,
        acceptance: float | None = 0.9,
        paused: PauseReason | None = None,
        probe: bool = False,
    ) -> Round:
        proposed = 3 if paused is None or probe else 0
        accepted = min(proposed, 3)
        figures = RoundStatistics(proposed, proposed, proposed, accepted, accepted + 1, 0.006, 0.05, 0.004)
        self.so_far = self.so_far.with_rounds(figures)
        return Round(self.so_far.rounds, figures, replace(self.so_far, **self._changes), speed, acceptance, paused)


def show(panel: GaugePanel, event: Round) -> None:
    """A round and the moment it makes in the reply's course."""
    panel.show_course([Moment(event.reply.reply_tokens, event.tokens_per_second, event.acceptance_rate)])
    panel.show_round(event)


def play(panel: GaugePanel, rounds: int = 60, **changes: Any) -> Reply:
    """The first rounds of a reply, with the wavering speed and acceptance of a real one."""
    panel.begin_reply()
    reply = Reply(**changes)
    for i in range(rounds):
        speed = 42 + 8 * math.sin(i / 4) + 3 * math.sin(i / 1.7)
        show(panel, reply.round(speed, 0.9 + 0.08 * math.sin(i / 5)))
    return reply


def settle(panel: GaugePanel) -> None:
    """Arrive at once, for pictures and pixels."""
    for gauge in (panel.speed, panel.acceptance):
        gauge.number.finish()
        gauge.fraction.finish()
