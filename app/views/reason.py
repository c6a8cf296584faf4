"""Why the gauges show what they show, in one plain line and what to do about it."""

from dataclasses import dataclass

from app.language import tr
from inference.events import PauseReason
from inference.statistics import ReplyStatistics

# Below this acceptance a draft of ordinary cost gains little; above this share it costs more than it should.
LOW_ACCEPTANCE, HIGH_DRAFT_SHARE = 0.5, 0.4
JUDGED = 20  # verified tokens before a figure is worth a sentence


@dataclass(frozen=True)
class Reason:
    """title: what is so. detail: what follows, or what helps. Both empty: nothing worth saying."""

    title: str = ""
    detail: str = ""


def of_pause(reason: PauseReason) -> Reason:
    if reason == "losing":
        return Reason(tr("Paused: drafting loses here."), tr("It starts again when the text gets easier to guess."))
    if reason == "high_temperature":
        return Reason(tr("Paused: high temperature."), tr("Few drafted tokens fit; a lower one is faster."))
    return Reason(tr("No match yet."), tr("The n-gram draft waits for words the chat has seen."))


def of_reply(statistics: ReplyStatistics) -> Reason:  # noqa: PLR0911 (a list of findings, the first that holds)
    """The one thing most worth saying about a reply (so far), or nothing."""
    if statistics.mode == "off":
        return Reason(tr("Speculation is off."), tr("Turn it on in the settings to see the words sooner."))
    if statistics.verified < JUDGED:
        return Reason()
    if statistics.measured_gain is not None and statistics.measured_gain < 1.0:
        return Reason(tr("Drafting lost time here."), tr("Automatic speculation pauses when it does."))
    if statistics.acceptance_rate < LOW_ACCEPTANCE:
        return Reason(tr("Few drafted tokens fit."), tr("A closer draft or a lower temperature may help."))
    if statistics.draft_share < HIGH_DRAFT_SHARE:
        return Reason()
    if statistics.draft_share < 0.48:
        return Reason(tr("Drafting takes much of the time."), tr("A smaller draft may help."))
    return Reason(tr("Drafting takes half the time."), tr("A smaller draft may help."))


def of_ended(statistics: ReplyStatistics) -> Reason:
    """The same once the reply has ended: speculation may have been turned on since."""
    return Reason(tr("Speculation was off in this reply.")) if statistics.mode == "off" else of_reply(statistics)
