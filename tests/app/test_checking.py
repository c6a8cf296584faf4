"""The check of the output in the program: progress, verdict, first difference, stopping, and the report as a file."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.language import Interface
from app.views.checking_page import CheckingPage
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS, Program
from tests.app.scripted_engine import Gate, ScriptedEngine, Step, rounds

SAME = ["one ", "two ", "three", "."]


def opened(make_program: MakeProgram, *replies: list[Step], count: int = 4) -> Program:
    program = make_program(engine=ScriptedEngine(*replies)).start()
    program.window.check_requested.emit()
    page = program.application.speed.checking.page
    page.count.setCurrentIndex(page.count.findData(count))
    return program


def run(program: Program, qtbot: QtBot) -> None:
    with qtbot.waitSignal(program.application.speed.trials.ended, timeout=WAIT_MS):
        program.application.speed.checking.page.start_button.click()


def test_equal_replies_pass(make_program: MakeProgram, qtbot: QtBot, tmp_path: Path) -> None:
    program = opened(make_program, rounds(SAME), count=20)
    page, checking = program.application.speed.checking.page, program.application.speed.checking
    assert page.isVisible() and not page.save_button.isVisible()
    run(program, qtbot)
    assert checking.report is not None and checking.report.passed and len(program.engine.asked) == 40
    assert page.verdict.text() == "All 20 replies are the same, letter for letter."
    for _, settings in program.engine.asked:
        assert settings.sampling.greedy and settings.max_tokens == 128
    assert [settings.speculation.mode for _, settings in program.engine.asked][:2] == ["off", "on"]
    assert page.save_button.isVisible()
    checking.save(tmp_path / "report.md")
    checking.save(tmp_path / "report.json")
    qtbot.waitUntil(lambda: page.note.text() == "Saved as report.json.", timeout=WAIT_MS)
    assert "PASSED: 20 of 20" in (tmp_path / "report.md").read_text(encoding="utf-8")
    values = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert values["passed"] and len(values["rows"]) == 20 and values["rows"][0]["with"]["text"] == "".join(SAME)


def test_the_first_difference_is_shown(make_program: MakeProgram, qtbot: QtBot, tmp_path: Path) -> None:
    other = rounds(["one ", "two ", "four", "."])
    program = opened(make_program, rounds(SAME), rounds(SAME), rounds(SAME), other, rounds(SAME))
    run(program, qtbot)
    checking, page = program.application.speed.checking, program.application.speed.checking.page
    assert page.verdict.text() == "1 of 4 replies differs."
    assert 'question 2, character 9: "three." without, "four." with' in page.detail.text()
    checking.save(tmp_path / "report.md")
    qtbot.waitUntil(lambda: page.note.text() == "Saved as report.md.", timeout=WAIT_MS)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "differs from character 9" in text and "with:    one two four." in text


def test_it_can_be_stopped_and_what_was_compared_is_kept(make_program: MakeProgram, qtbot: QtBot) -> None:
    gate = Gate()
    program = opened(make_program, rounds(SAME), rounds(SAME), [gate])
    checking = program.application.speed.checking
    checking.page.start_button.click()
    qtbot.waitUntil(lambda: checking.report is not None and checking.report.compared == 1, timeout=WAIT_MS)
    assert "left" in checking.page.left.text() and checking.page.bar.value() == 250
    assert program.application.chatting.obstacle() == "The output is being checked."
    with qtbot.waitSignal(program.application.speed.trials.ended, timeout=WAIT_MS):
        checking.page.stop_button.click()
    assert not checking.report.passed
    assert checking.page.verdict.text() == "Not finished: 1 of 1 replies the same so far. It was stopped."


def test_a_report_that_cannot_be_written_is_said(make_program: MakeProgram, qtbot: QtBot, tmp_path: Path) -> None:
    program = opened(make_program, rounds(SAME))
    run(program, qtbot)
    program.application.speed.checking.save(tmp_path / "nowhere" / "report.md")
    note = program.application.speed.checking.page.note
    qtbot.waitUntil(lambda: "could not be saved" in note.text(), timeout=WAIT_MS)


def test_it_goes_on_in_sight_when_its_page_is_closed(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = opened(make_program, rounds(SAME), rounds(SAME), [Gate()])
    page = program.application.speed.checking.page
    page.start_button.click()
    qtbot.waitUntil(lambda: page.bar.value() == 250, timeout=WAIT_MS)
    assert not program.banner("Checking")
    page.reject()
    assert program.banner("Checking").startswith("The output is being checked.")
    program.press_in_banner("Checking", "Show")
    assert page.isVisible() and not program.banner("Checking")
    page.reject()
    with qtbot.waitSignal(program.application.speed.trials.ended, timeout=WAIT_MS):
        program.press_in_banner("Checking", "Stop")
    assert "It was stopped." in program.banner("Checking")
    program.press_in_banner("Checking", "Show")
    assert page.isVisible() and not program.banner("Checking")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_questions_are_in_the_language_of_the_window(qapp: QApplication, qtbot: QtBot, language: str) -> None:
    interface, locale = Interface(qapp), QLocale()
    interface.speak(language)
    page = CheckingPage()
    qtbot.addWidget(page)
    assert page.language.currentData() == language
    interface.speak("en")
    QLocale.setDefault(locale)
