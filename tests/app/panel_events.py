"""Rounds and replies as an engine would tell them, for the tests of the gauges."""

import math
from dataclasses import replace
from typing import Any

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
    seconds: float = 0.06,
) -> Round:
    k = 3 if paused is None else 0
    figures = RoundStatistics(k, k, k, k, k + 1, seconds / 3, seconds * 2 / 3, 0.0)
    return Round(1, figures, statistics, speed, acceptance, paused)


def play(panel: GaugePanel, rounds: int = 60, paused: PauseReason | None = None, **changes: Any) -> None:
    """A reply that runs, with the wavering speed and acceptance of a real one."""
    panel.begin_reply()
    for i in range(rounds):
        speed = 42 + 8 * math.sin(i / 4) + 3 * math.sin(i / 1.7)
        panel.show_round(round_event(speed, 0.9 + 0.08 * math.sin(i / 5), paused, reply(**changes)))


def settle(panel: GaugePanel) -> None:
    """Arrive at once, for pictures and pixels."""
    for gauge in (panel.speed, panel.acceptance):
        gauge.number.finish()
        gauge.fraction.finish()
