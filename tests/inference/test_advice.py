"""Each rule of the advice at its threshold: what is said, with which figures, and what is offered."""

from dataclasses import replace
from typing import Any

import pytest

from inference.advice import Advice, Change, Heard, Setting, advise
from inference.chat_engine import PassCosts
from inference.settings import GenerationSettings, SamplingSettings, SpeculationSettings
from inference.statistics import ReplyStatistics
from inference.tasks import Task

FLAT = PassCosts({1: 0.010, 2: 0.0101, 4: 0.0104, 8: 0.011}, 400_000_000, 45e9)  # 40 of 45 GB/s
STEEP = PassCosts({1: 0.010, 2: 0.014, 4: 0.024, 8: 0.042}, 100_000_000, 45e9)
GOOD: dict[str, Any] = {  # of one reply, of which there is nothing to say
    "drafter": "model",
    "mode": "automatic",
    "prompt_tokens": 200,
    "reply_tokens": 100,
    "decode_s": 0.5,
    "draft_s": 0.05,
    "verify_s": 0.44,
    "other_s": 0.01,
    "rounds": 40,
    "proposed": 100,
    "verified": 90,
    "accepted": 70,
    "verified_by_position": (40, 30, 20),
    "accepted_by_position": (34, 23, 13),
    "measured_gain": 1.6,
}


def heard(
    figures: dict[str, Any] | None = None, temperature: float = 0.3, task: Task = "prose", **speculation: Any
) -> Heard:
    settings = GenerationSettings(SamplingSettings(temperature), SpeculationSettings(**speculation))
    mode = settings.speculation.mode
    return Heard(ReplyStatistics(**{**GOOD, "mode": mode, **(figures or {})}), settings, task)


def said(
    figures: dict[str, Any] | None = None, setting: Setting | None = None, count: int = 3, **made: Any
) -> tuple[Advice, ...]:
    return advise([heard(figures, **made)] * count, setting)


AUTOMATIC, ROUTER = Change("speculation", "automatic"), Change("drafter", "automatic")
MODEL: dict[str, Any] = {"drafter": "model"}
BAD = {"accepted": 44}  # of 90: 48.9 %
TABLE: list[tuple[str, dict[str, Any], dict[str, Any], Setting, list[tuple[str, object]]]] = [
    ("good", {}, MODEL, Setting(), []),
    ("slow draft", {"draft_s": 0.16}, MODEL, Setting(), [("draft_slow", ROUTER)]),
    ("30 % is not slow", {"draft_s": 0.15}, MODEL, Setting(), []),
    ("slow, chosen by the router", {"draft_s": 0.16}, {"drafter": "automatic"}, Setting(), [("draft_slow", "routes")]),
    ("bad guesses", BAD, MODEL, Setting(), [("guesses_badly", ROUTER)]),
    ("bad guesses of the best there is", BAD, {"drafter": "automatic"}, Setting(), [("guesses_badly", "train")]),
    ("50 % is not bad", {"accepted": 45}, MODEL, Setting(), []),
    ("hot", BAD, {**MODEL, "temperature": 0.8}, Setting(), [("hot", Change("temperature", 0.5))]),
    ("hot but well guessed", {}, {**MODEL, "temperature": 0.8}, Setting(), []),
    ("losing", {"measured_gain": 0.9}, {**MODEL, "mode": "on"}, Setting(), [("losing", AUTOMATIC)]),
    ("losing, but it pauses itself", {"measured_gain": 0.9}, MODEL, Setting(), []),
    ("off, memory bound", {"verified": 0}, {"mode": "off"}, Setting(FLAT), [("memory_bound", AUTOMATIC)]),
    ("off, nothing measured", {"verified": 0}, {"mode": "off"}, Setting(), []),
    ("wide weights", {}, MODEL, Setting(FLAT, "fused, bfloat16"), [("memory_bound", Change("precision", "int4"))]),
    ("packed weights", {}, MODEL, Setting(FLAT, "fused, int4"), []),
    ("compute bound", {}, {**MODEL, "mode": "on"}, Setting(STEEP), [("compute_bound", AUTOMATIC)]),
    ("compute bound, follows by itself", {}, MODEL, Setting(STEEP), []),
    ("flat is not compute bound", {}, {**MODEL, "mode": "on"}, Setting(FLAT, "int4"), []),
    ("the card waits", {}, {**MODEL, "mode": "on"}, Setting(replace(STEEP, utilization=0.4)), []),
    (
        "coarse draft",
        {"accepted": 55},
        MODEL,
        Setting(draft_precision="adapter, int4"),
        [("draft_coarse", "finer_draft")],
    ),
    ("fine draft", {"accepted": 55}, MODEL, Setting(draft_precision="adapter, bfloat16"), []),
    ("coarse and good", {"accepted": 65}, MODEL, Setting(draft_precision="int4"), []),
    (
        "long context",
        {"prompt_tokens": 1600},  # 0.5 s / 100 tokens * 1.6 = 8 ms; half as long on an empty cache
        MODEL,
        Setting(PassCosts({1: 0.004, 8: 0.006}, 1000, None)),
        [("long_context", "new_chat")],
    ),
    ("long and still fast", {"prompt_tokens": 1600}, MODEL, Setting(PassCosts({1: 0.007, 8: 0.010}, 1000, None)), []),
]


@pytest.mark.parametrize(("name", "figures", "made", "setting", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_rules(
    name: str, figures: dict[str, Any], made: dict[str, Any], setting: Setting, expected: list[tuple[str, object]]
) -> None:
    found = said(figures, setting, **made)
    assert [(advice.kind, advice.action) for advice in found] == expected
    assert all(advice.figures for advice in found), "nothing without its measurement"


def test_nothing_before_enough_was_measured() -> None:
    assert not said(BAD, count=2, **MODEL)
    assert said(BAD, count=3, **MODEL)
    assert not said({**BAD, "reply_tokens": 60}, count=3, **MODEL)
    assert not said({"verified": 19, "accepted": 2}, count=3, **MODEL)
    assert not advise([])


def test_other_settings_begin_anew() -> None:
    old = [heard(BAD, drafter="model")] * 5
    new = heard(BAD, drafter="model", temperature=0.0)
    assert not advise([*old, new])
    assert advise([*old, new, new, new])


def test_a_draft_that_is_good_at_the_other_task_is_named() -> None:
    code, prose = heard({"accepted": 80}, drafter="model", task="code"), heard(BAD, drafter="model")
    (advice,) = advise([code, prose, prose])
    assert advice.kind == "wrong_draft" and advice.action == ROUTER
    assert advice.figures == {"acceptance": 88 / 180, "other_acceptance": 80 / 90, "code": 0.0}
    assert not advise([code, replace(code, task="prose"), prose, code])


def test_a_length_is_too_long_by_the_measured_costs() -> None:
    rare = {
        "rounds": 40,
        "proposed": 160,
        "draft_s": 0.08,  # 0.5 ms each
        "verify_s": 0.42,
        "verified_by_position": (40, 24, 8, 2),
        "accepted_by_position": (30, 8, 2, 1),
        "verified": 74,
        "accepted": 41,
    }
    fixed = {**MODEL, "dynamic": False, "draft_length": 4}
    (advice,) = [one for one in said(rare, Setting(STEEP), **fixed) if one.kind == "too_long"]
    assert advice.action == Change("draft_length", 1)
    assert advice.figures["length"] == 4 and advice.figures["last"] == 0.5 and advice.figures["gain"] > 1.05
    assert not any(one.kind == "too_long" for one in said(rare, Setting(STEEP), **{**fixed, "dynamic": True}))


def test_what_was_seen_at_a_lower_temperature_stands_beside_it() -> None:
    cool, hot = heard(drafter="model", temperature=0.2), heard(BAD, drafter="model", temperature=1.0)
    (advice,) = advise([cool, hot, hot, hot])
    assert advice.figures["cooler"] == 0.2 and advice.figures["cooler_acceptance"] == pytest.approx(70 / 90)


def test_a_disturbed_measurement_says_nothing() -> None:
    odd = PassCosts({1: 0.030, 2: 0.022, 4: 0.031, 8: 0.058}, 400_000_000, 45e9)
    assert not said({"verified": 0}, Setting(odd), mode="off")


def test_three_at_most_the_heaviest_first() -> None:
    bad = {**BAD, "draft_s": 0.2, "measured_gain": 0.8, "prompt_tokens": 2000}
    kinds = [advice.kind for advice in said(bad, Setting(STEEP), **MODEL, mode="on")]
    assert kinds == ["losing", "guesses_badly", "draft_slow"]


@pytest.mark.parametrize(("utilization", "busy"), [(None, None), (0.93, 0.93)])
def test_how_busy_the_card_was_is_told_where_it_is_known(utilization: float | None, busy: float | None) -> None:
    costs = replace(FLAT, utilization=utilization)
    (advice,) = said({"verified": 0}, Setting(costs), mode="off")
    assert advice.figures.get("busy") == busy
