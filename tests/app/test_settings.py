"""The table of settings feeds everything, so what it says must be true of every row."""

import math
from dataclasses import FrozenInstanceError, replace
from typing import Any, get_args

import pytest

from app.setting import Setting
from app.setting_rules import Choice, Flag, Integer, Number, Text
from app.settings import BY_NAME, TABLE, Appearance, Settings
from inference.settings import INT4_GROUPS, DrafterKind, Mode, Precision

NUMERIC = [setting for setting in TABLE if isinstance(setting.rule, Integer | Number)]


def ids(setting: Setting) -> str:
    return setting.name


def test_the_promised_defaults() -> None:
    settings = Settings()
    assert settings.temperature == 0.7
    assert settings.speculation == "automatic"
    assert settings.drafter == "automatic"
    assert settings.dynamic is True
    assert settings.seed is None


@pytest.mark.parametrize("setting", TABLE, ids=ids)
def test_every_row_has_a_valid_default_a_label_and_one_sentence_of_help(setting: Setting) -> None:
    assert setting.check(setting.default) == setting.default
    assert setting.label and not setting.label[0].islower()
    assert setting.help.endswith(".") and setting.help.count(". ") == 0
    assert getattr(Settings(), setting.name) == setting.default


@pytest.mark.parametrize("setting", NUMERIC, ids=ids)
def test_bounds_are_in_and_beyond_is_out(setting: Setting) -> None:
    rule = setting.rule
    assert isinstance(rule, Integer | Number)
    for value in (rule.low, rule.high):
        assert getattr(Settings().with_value(setting.name, value), setting.name) == value
    for value in (rule.low - 1, rule.high + 1):
        with pytest.raises(ValueError, match=f"{setting.label} must be between .+ and .+, not .+"):
            Settings().with_value(setting.name, value)


@pytest.mark.parametrize("setting", TABLE, ids=ids)
def test_values_of_another_type_are_refused_in_a_plain_sentence(setting: Setting) -> None:
    wrong: list[Any] = [[1], {"a": 1}, b"x"]
    if isinstance(setting.rule, Integer | Number):
        wrong += ["5", True, False, math.nan, math.inf]
    if isinstance(setting.rule, Flag):
        wrong += [0, 1, "true"]
    if isinstance(setting.rule, Text):
        wrong += [0, True]
    if isinstance(setting.rule, Choice):
        wrong += ["", "something else", 0]
    if not (isinstance(setting.rule, Integer) and setting.rule.optional):
        wrong.append(None)
    for value in wrong:
        with pytest.raises(ValueError) as caught:
            Settings().with_value(setting.name, value)
        assert str(caught.value).startswith(f"{setting.label} must be ")
        assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("speculation", get_args(Mode)),
        ("drafter", get_args(DrafterKind)),
        ("appearance", get_args(Appearance)),
        ("precision", get_args(Precision)),
        ("int4_group", tuple(str(group) for group in INT4_GROUPS)),
    ],
)
def test_choices_are_those_of_the_engine(name: str, values: tuple[str, ...]) -> None:
    rule = BY_NAME[name].rule
    assert isinstance(rule, Choice)
    assert tuple(value for value, _ in rule.options) == values


def test_the_engine_takes_every_bound() -> None:
    for setting in NUMERIC:
        rule = setting.rule
        assert isinstance(rule, Integer | Number)
        for value in (rule.low, rule.high):
            settings = Settings().with_value(setting.name, value)
            settings.generation()
            settings.load()


def test_whole_numbers_become_what_the_field_holds() -> None:
    assert isinstance(Settings().with_value("temperature", 1).temperature, float)
    assert isinstance(Settings().with_value("top_k", 40.0).top_k, int)


def test_a_wrong_value_cannot_be_made_at_all() -> None:
    with pytest.raises(ValueError, match="Temperature"):
        Settings(temperature=9.0)
    with pytest.raises(ValueError, match="Temperature"):
        replace(Settings(), temperature=-1.0)
    with pytest.raises(FrozenInstanceError):
        Settings().temperature = 1.0  # type: ignore[misc]


def test_an_unknown_name_is_named() -> None:
    with pytest.raises(ValueError, match="'temprature'"):
        Settings().with_value("temprature", 1.0)


def test_the_engines_settings_carry_every_value() -> None:
    settings = Settings(
        speculation="on",
        drafter="model",
        draft_length=7,
        dynamic=False,
        max_draft_length=9,
        min_acceptance=0.25,
        temperature=0.3,
        top_k=40,
        top_p=0.9,
        min_p=0.05,
        repetition_penalty=1.1,
        seed=11,
        max_tokens=99,
        context_length=4096,
        precision="int4",
    )
    generation, load = settings.generation(), settings.load()
    for name in ("temperature", "top_k", "top_p", "min_p", "repetition_penalty", "seed"):
        assert getattr(generation.sampling, name) == getattr(settings, name)
    for name in ("drafter", "draft_length", "dynamic", "max_draft_length", "min_acceptance"):
        assert getattr(generation.speculation, name) == getattr(settings, name)
    assert generation.speculation.mode == "on"
    assert generation.max_tokens == 99
    assert (load.context_length, load.precision) == (4096, "int4")
