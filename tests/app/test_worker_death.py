"""The thread that owns the engine dies: the chat is intact, and one click loads the model again."""

import pytest
from pytestqt.qtbot import QtBot

from inference.events import Delta, LoadProgress, Piece
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS
from tests.app.scripted_engine import ScriptedEngine, rounds


def test_in_the_middle_of_a_reply(make_program: MakeProgram, qtbot: QtBot, expected_errors: list[str]) -> None:
    expected_errors.append("thread died")
    half = [Delta((Piece("Half a thought", "plain", 1),)), SystemExit(1)]
    program = make_program(engine=ScriptedEngine(half, rounds(["Whole", "."]))).start()
    reply = program.ask("Why?")
    assert (reply.text, program.messages[0].text) == ("Half a thought", "Why?")
    qtbot.waitUntil(lambda: "unexpectedly" in program.banner("load failed"), timeout=WAIT_MS)
    assert program.application.loader.target is None
    with qtbot.waitSignal(program.application.model_ready, timeout=WAIT_MS):
        program.press_in_banner("load failed", "Load again")
    assert program.banner("load failed") == ""
    assert program.ask("And now?").text == "Whole."


@pytest.mark.parametrize("times", [1, 2])
def test_while_loading(make_program: MakeProgram, qtbot: QtBot, expected_errors: list[str], times: int) -> None:
    expected_errors.append("thread died")
    loading: list[LoadProgress | BaseException] = [LoadProgress("weights", 1, 2), SystemExit(1)]
    engine = ScriptedEngine(loading=loading)
    program = make_program(engine=engine).start_failing()
    for _ in range(times - 1):
        with qtbot.waitSignal(program.application.loader.failed, timeout=WAIT_MS):
            program.press_in_banner("load failed", "Try again")
    engine.loading = []
    with qtbot.waitSignal(program.application.model_ready, timeout=WAIT_MS):
        program.press_in_banner("load failed", "Try again")
    assert program.ask("Hello?").text == "Hello there."
