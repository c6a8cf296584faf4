"""Advice in the window: silent at first, then a chip, a card with figures, and buttons that do what they say."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.advice import QUIET_S
from app.advice_words import words_of
from inference.advice import RULES, Advice, AdviceKind, Change
from inference.events import Finished
from inference.settings import LoadSettings
from tests.app.conftest import MakeProgram
from tests.app.program import Program
from tests.app.scripted_engine import ScriptedEngine, Step, rounds


def slow(words: int = 100) -> list[Step]:
    """A reply whose draft takes most of the time."""
    steps = rounds([f"word{i} " for i in range(words)])
    last = steps[-1]
    assert isinstance(last, Finished)
    figures = replace(last.statistics, draft_s=0.6 * last.statistics.decode_s, measured_gain=1.2)
    return [*steps[:-1], replace(last, statistics=figures)]


def asked(make_program: MakeProgram, times: int) -> Program:
    program = make_program(engine=ScriptedEngine(slow())).start()
    for _ in range(times):
        program.ask("Why?")
    return program


def kinds(program: Program) -> list[str]:
    return [advice.kind for advice in program.application.speed.advising.advice]


def test_it_speaks_after_the_third_reply_and_not_before(make_program: MakeProgram) -> None:
    program = asked(make_program, 2)
    chip, card = program.window.gauges.advice_chips[0], program.application.speed.advising.card
    assert not chip.isVisible()
    program.window.advice_requested.emit()
    assert card.isVisible() and "Not enough was measured" in card.text() and "so far: 2 with 200" in card.text()
    card.buttons[0].click()
    assert not card.isVisible()
    program.ask("Why?")
    assert kinds(program) == ["draft_slow"] and chip.isVisible() and chip.text() == "1 way to be faster"
    assert not card.isVisible(), "nothing opens by itself"
    chip.click()
    assert card.isVisible() and "60\u202f% of the time" in card.text()
    assert card.buttons[0].text() == "See what works here…"
    card.buttons[0].click()
    assert program.application.drafting.page.isVisible() and not card.isVisible() and not chip.isVisible()


def test_whoever_asks_is_told_that_there_is_nothing_to_improve(make_program: MakeProgram) -> None:
    program = make_program(engine=ScriptedEngine(rounds([f"word{i} " for i in range(100)]))).start()
    card = program.application.speed.advising.card
    program.window.advice_requested.emit()
    assert "Nothing was measured yet" in card.text()
    program.window.advice_requested.emit()
    assert not card.isVisible(), "the same key closes it"
    for _ in range(3):
        program.ask("Why?")
    assert not kinds(program)
    program.window.advice_requested.emit()
    assert card.isVisible() and "Nothing to improve." in card.text()
    for figure in ("last 3 replies", "tokens per second", "100\u202f% of the drafted", "of the time spent"):
        assert figure in card.text()
    middle = card.geometry().center() - program.window.rect().center()
    assert middle.manhattanLength() <= 4


def test_what_was_put_away_is_counted(make_program: MakeProgram) -> None:
    program = asked(make_program, 3)
    card = program.application.speed.advising.card
    program.window.advice_requested.emit()
    card.buttons[1].click()
    for _ in range(2):
        program.window.advice_requested.emit()
        assert "Nothing else to improve" in card.text() and "two weeks: 1." in card.text()
        card.hide()
        program.ask("Why?")


def test_what_is_not_wanted_is_not_said_again_for_two_weeks(make_program: MakeProgram) -> None:
    program = asked(make_program, 3)
    advising = program.application.speed.advising
    advising.open_card()
    advising.card.buttons[1].click()
    assert not kinds(program)
    program.ask("Why?")
    assert not kinds(program)
    now = advising._clock()
    advising._clock = lambda: now + QUIET_S + 1
    program.ask("Why?")
    assert kinds(program) == ["draft_slow"]


def test_a_button_changes_the_setting_and_the_measuring_begins_anew(make_program: MakeProgram) -> None:
    program = asked(make_program, 3)
    program.application.speed.advising.act(Advice("hot", {}, Change("temperature", 0.5)))
    assert program.application.settings.temperature == 0.5
    program.ask("Why?")
    assert not kinds(program)


def test_a_finer_draft_really_has_eight_bits(make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    from inference.manager.host import draft_settings

    program = asked(make_program, 1)
    wanted: list[LoadSettings] = []
    monkeypatch.setattr(program.application.loader, "load_draft", lambda folder, settings: wanted.append(settings))
    program.application.speed.advising.act(Advice("draft_coarse", {}, "finer_draft"))
    (settings,) = wanted
    assert draft_settings(Path("nowhere"), settings).precision == "int8"
    assert settings.align  # a draft with another vocabulary stays one


def test_escape_closes_the_card(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = asked(make_program, 3)
    advising = program.application.speed.advising
    advising.open_card()
    qtbot.keyClick(advising.card, Qt.Key.Key_Escape)
    assert not advising.card.isVisible() and kinds(program)
    assert program.window.focusWidget() is program.window.composer.editor, "writing goes on"


NAMES = """gain temperature acceptance wanted cooler cooler_acceptance other_acceptance code verified share each_s
length best last tokens ratio slope nbytes reading bandwidth"""
FIGURES = dict.fromkeys(NAMES.split(), 1.5)
ACTIONS = [
    *(Change(name, 0.5) for name in ("temperature", "drafter", "speculation", "draft_length", "dynamic", "precision")),
    "routes",
    "train",
    "new_chat",
    "finer_draft",
]


@pytest.mark.parametrize("kind", [rule.__name__[1:] for rule in RULES])
def test_every_kind_has_its_sentence_with_figures(kind: AdviceKind) -> None:
    words = words_of(Advice(kind, FIGURES))
    assert words.title.endswith(".") and any(sign.isdigit() for sign in words.measured)
    assert "{" not in words.title + words.measured


def test_every_action_has_a_button_of_its_own() -> None:
    buttons = [words_of(Advice("hot", FIGURES, action)).button for action in ACTIONS]  # type: ignore[arg-type]
    assert all(a != b for a, b in itertools.combinations(buttons, 2))


def test_how_busy_the_card_was_is_said_in_words() -> None:
    figures = {"nbytes": 4e8, "reading": 4e10, "bandwidth": 4.5e10, "slope": 0.01, "busy": 0.93}
    assert words_of(Advice("memory_bound", figures)).measured.endswith("busy for 93\u202f% of the time.")


def test_the_card_is_whole_when_it_opens_for_the_first_time(make_program: MakeProgram) -> None:
    advising = asked(make_program, 3).application.speed.advising
    advising.open_card()
    card = advising.card
    assert card.height() >= card.sizeHint().height() > 60 and card.labels[1].height() >= card.labels[1].heightForWidth(
        card.labels[1].width()
    )
