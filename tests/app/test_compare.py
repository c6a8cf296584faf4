"""Comparing in the program, and the arithmetic behind it."""

import pytest
from pytestqt.qtbot import QtBot

from app.compare_sides import Wish, sides
from app.compare_verdict import expected_ratio, measured_ratio, parting
from app.views.compare_column import CompareColumn
from inference.chat_engine import LoadedModel
from inference.events import Delta, Failed, Piece
from inference.manager.spec import Spec
from inference.settings import GenerationSettings, SamplingSettings
from inference.statistics import ReplyStatistics
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS, Program
from tests.app.scripted_engine import Gate, ScriptedEngine, rounds

BASE = GenerationSettings(SamplingSettings(temperature=0.0))
PLAIN = ReplyStatistics(mode="off", reply_tokens=100, decode_s=2.0, rounds=100, rounds_by_draft_length=(100,))
DRAFTED = ReplyStatistics(
    drafter="model",
    mode="on",
    reply_tokens=100,
    decode_s=1.0,
    rounds=25,
    proposed=125,
    verified=100,
    accepted=75,
    rounds_by_draft_length=(0, 0, 0, 0, 0, 25),
)


def test_the_expected_ratio_is_the_formula_over_the_measured_cost() -> None:
    expected = expected_ratio(PLAIN, DRAFTED)
    assert expected is not None
    assert expected.tokens == pytest.approx(3.288, abs=1e-3)  # (1 - 0.75^6) / 0.25
    assert expected.cost == pytest.approx(0.04 / 0.02)
    assert expected.ratio == pytest.approx(1.644, abs=1e-3) and expected.length == 5
    assert measured_ratio(PLAIN, DRAFTED) == 2.0
    assert expected_ratio(PLAIN, PLAIN) is None


@pytest.mark.parametrize(
    ("left", "right", "place"), [("same", "same", None), ("one", "onE", 2), ("long", "longer", 4), ("", "x", 0)]
)
def test_texts_part_at_the_first_difference(left: str, right: str, place: int | None) -> None:
    apart = parting(left, right)
    assert (apart.place if apart else None) == place


def test_sides_differ_in_one_thing() -> None:
    off, on = sides(Wish("Why?"), BASE)
    assert off.settings.speculation.mode == "off" and on.settings.speculation.enabled
    assert off.settings.sampling == on.settings.sampling and on.settings.sampling.seed == 1
    short, long = sides(Wish("Why?", "length", 2, 8), BASE)
    assert [side.settings.speculation.draft_length for side in (short, long)] == [2, 8]
    assert not long.settings.speculation.dynamic
    cold, hot = sides(Wish("Why?", "temperature", 0.0, 1.0), BASE)
    assert [side.settings.sampling.temperature for side in (cold, hot)] == [0.0, 1.0]
    code, prose = sides(Wish("Why?", "draft", "head:T/code", "combined:T/prose"), BASE)
    assert [side.name for side in (code, prose)] == ["Code head", "N-gram + prose head"]
    assert [side.settings.speculation.draft for side in (code, prose)] == ["T/code", "T/prose"]
    none, ngram = sides(Wish("Why?", "draft", "none", "ngram"), BASE)
    assert none.settings.speculation.mode == "off" and ngram.settings.speculation.drafter == "ngram"


def started(make_program: MakeProgram, *replies: list[object], temperature: float = 0.0) -> Program:
    program = make_program(engine=ScriptedEngine(*replies)).start()  # type: ignore[arg-type]
    program.application.change_one_here("temperature", temperature)
    program.window.composer.set_text("Why?")
    program.window.compare_requested.emit("")
    return program


def run(program: Program, qtbot: QtBot) -> None:
    with qtbot.waitSignal(program.application.speed.trials.ended, timeout=WAIT_MS):
        program.application.speed.comparing.page.start_button.click()


WORDS = ["This ", "is ", "why", "."]


def test_two_replies_stand_side_by_side_and_the_chat_knows_nothing(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = started(make_program, list(rounds(WORDS)))
    page = program.application.speed.comparing.page
    assert page.isVisible() and page.question.toPlainText() == "Why?"
    run(program, qtbot)
    assert [column.words.toPlainText() for column in page.columns] == ["This is why."] * 2
    assert "tok/s" in page.columns[0].speed.text()
    assert "identical, letter for letter" in page.text() and "times as fast" in page.text()
    assert not program.messages and not program.application.chats.rows()
    modes = [settings.speculation.mode for _, settings in program.engine.asked]
    assert modes == ["off", "automatic"]
    assert len({settings.sampling.seed for _, settings in program.engine.asked}) == 1


def test_a_difference_is_marked_when_greedy_and_expected_when_sampled(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = started(make_program, list(rounds(WORDS)), list(rounds(["This ", "was ", "it", "."])))
    page = program.application.speed.comparing.page
    run(program, qtbot)
    assert "part at character 6" in page.text()
    assert page.columns[0].words.extraSelections()
    program.application.change_one_here("temperature", 0.7)
    run(program, qtbot)
    assert "identity is not expected" in page.text() or "happen to be identical" in page.text()


def test_stop_ends_it_and_the_composer_waits_meanwhile(make_program: MakeProgram, qtbot: QtBot) -> None:
    gate = Gate()
    program = started(make_program, [Delta((Piece("Half", "plain", 1),)), gate])
    page, comparing = program.application.speed.comparing.page, program.application.speed.comparing
    page.start_button.click()
    qtbot.waitUntil(lambda: page.columns[0].words.toPlainText() == "Half", timeout=WAIT_MS)
    assert program.application.chatting.obstacle() == "Two ways of replying are being compared."
    assert page.stop_button.isVisible() and not page.start_button.isVisible()
    with qtbot.waitSignal(program.application.speed.trials.ended, timeout=WAIT_MS):
        page.stop_button.click()
    assert page.headline.text() == "Stopped." and not comparing.readings[1].text
    assert not program.application.chatting.obstacle() and page.start_button.isEnabled()


def test_a_reply_is_compared_in_its_place_in_the_chat(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = make_program(engine=ScriptedEngine(list(rounds(WORDS)))).start()
    first = program.ask("First?")
    program.ask("Second?")
    program.window.transcript.compare_requested.emit(first.id)
    page = program.application.speed.comparing.page
    assert page.question.toPlainText() == "First?" and page.context.text().startswith("By itself")
    program.window.compare_requested.emit("")
    assert page.question.toPlainText() == "Second?" and "after 2 messages" in page.context.text()


def test_two_drafts_are_chosen_by_name(make_program: MakeProgram, qtbot: QtBot) -> None:
    engine = ScriptedEngine(list(rounds(WORDS)))
    program = make_program(engine=engine).start()
    engine.drafts = tuple(LoadedModel(Spec(name, name), "scripted draft", 2048, 100) for name in ("Small", "Smaller"))
    program.window.compare_requested.emit("")
    page = program.application.speed.comparing.page
    page.question.setPlainText("Why?")
    page.choice.what.setCurrentIndex(page.choice.what.findText("Two drafts"))
    left, right = page.choice.drafts
    qtbot.waitUntil(lambda: left.findText("Smaller") >= 0, timeout=WAIT_MS)
    assert {"No draft", "N-gram", "Small", "N-gram + Smaller", "The fastest draft"} <= {
        left.itemText(index) for index in range(left.count())
    }
    left.setCurrentIndex(left.findText("Small"))
    right.setCurrentIndex(right.findText("Smaller"))
    run(program, qtbot)
    assert [column.title.text() for column in page.columns] == ["Small", "Smaller"]
    drafted = [(one.speculation.drafter, one.speculation.draft) for _, one in engine.asked]
    assert drafted == [("model", "Small"), ("model", "Smaller")]
    page.close()
    program.window.compare_requested.emit("")
    assert (left.currentText(), right.currentText()) == ("Small", "Smaller"), "the choice outlasts the page"
    page.choice.show_drafts([("none", "No draft"), ("ngram", "N-gram"), ("automatic", "The fastest draft")])
    assert (left.currentText(), right.currentText()) == ("N-gram", "The fastest draft"), "the drafts are gone"


def test_what_goes_wrong_is_said(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = started(make_program, [Failed("There is not enough memory to go on.", "Shorten the context.")])
    run(program, qtbot)
    assert program.application.speed.comparing.page.headline.text().startswith("There is not enough memory")


def test_giving_the_model_back_ends_it(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = started(make_program, [Delta((Piece("Half", "plain", 1),)), Gate()])
    page = program.application.speed.comparing.page
    page.start_button.click()
    qtbot.waitUntil(lambda: page.columns[0].words.toPlainText() == "Half", timeout=WAIT_MS)
    program.window.header.unload_requested.emit()
    question = program.application.models.question
    assert question is not None, "it is asked for first"
    with qtbot.waitSignal(program.application.speed.trials.ended, timeout=WAIT_MS):
        question.agree_button.click()
    assert page.note.text() == "No model is loaded yet." and not page.start_button.isEnabled()


def test_the_mark_begins_where_the_texts_part_after_letters_of_two_units(qtbot: QtBot) -> None:
    column = CompareColumn("A side")
    qtbot.addWidget(column)
    column.extend("👋🙂 same, then other")
    column.mark_from(len("👋🙂 same, then "))
    (mark,) = column.words.extraSelections()
    assert mark.cursor.selectedText() == "other"
