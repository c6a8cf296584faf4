"""Training from the window, with a small script in place of the process that trains."""

import json
import sys

import pytest

from inference import child_process
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS, Program
from tests.app.scripted_engine import Gate, ScriptedEngine, rounds
from tests.app.test_training_run import PROGRESS, WAITS


def play(monkeypatch: pytest.MonkeyPatch, script: str) -> list[list[str]]:
    """Returns the arguments that runs were started with."""
    said: list[list[str]] = []

    def command(arguments: list[str]) -> list[str]:
        said.append(list(arguments))
        return [sys.executable, "-c", script]

    monkeypatch.setattr(child_process, "command", command)
    return said


def begin(program: Program) -> None:
    program.window.training_requested.emit()
    page = program.application.training.page
    page.start_button.click()
    program.qtbot.waitUntil(page.stop_button.isVisible, timeout=WAIT_MS)


def test_a_run_is_for_the_model_that_is_loaded(make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    said = play(monkeypatch, WAITS)
    program = make_program().start()
    begin(program)
    assert program.engine.target is not None
    assert said[0][said[0].index("--model") + 1] == str(program.engine.target.spec.folder)
    assert "--include-my-chats" not in said[0]
    page = program.application.training.page
    program.qtbot.waitUntil(lambda: page.step.text().startswith("Training"), timeout=WAIT_MS)
    page.stop_button.click()
    program.qtbot.waitUntil(page.start_button.isVisible, timeout=WAIT_MS)
    assert page.start_button.text() in ("Go on", "Start")


def test_training_waits_while_a_reply_is_written(make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, WAITS)
    gate = Gate()
    program = make_program(engine=ScriptedEngine([*rounds(["x"])[:-1], gate, *rounds(["x"])[-1:]])).start()
    begin(program)
    busy = program.chats_folder / "training" / "busy"
    assert not busy.exists()
    program.begin("Go")
    assert busy.exists()
    with program.qtbot.waitSignal(program.application.replies.ended, timeout=WAIT_MS):
        gate.set()
    assert not busy.exists()
    page = program.application.training.page
    page.pause_button.click()
    assert busy.exists()
    program.ask("Again")
    assert busy.exists(), "a reply does not end the person's own pause"


def test_the_end_is_told_and_the_draft_can_be_loaded(
    make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = {"head": "code", "acceptance_by_position": [0.7]}
    figures |= {"by_draft_length": {"3": {"tokens_per_round": 2.0, "measured_gain": 1.4}}}  # type: ignore[dict-item]
    packaged = json.dumps({"progress": {**PROGRESS, "step": "package", "figures": figures}})
    play(monkeypatch, f"print({packaged!r}); print({json.dumps({'draft': 'folder/code'})!r})")
    program = make_program().start()
    program.window.training_requested.emit()
    program.application.training.page.start_button.click()
    program.qtbot.waitUntil(lambda: program.banner("training") != "", timeout=WAIT_MS)
    assert "A draft was trained" in program.banner("training")
    assert program.engine.target is not None
    with program.qtbot.waitSignal(program.application.training.load_wanted, timeout=WAIT_MS) as told:
        program.press_in_banner("training", "Load it now")
    assert told.args == [str(program.engine.target.spec.folder)]


def test_without_a_model_nothing_can_be_started(make_program: MakeProgram) -> None:
    program = make_program()
    program.window.training_requested.emit()
    assert not program.application.training.page.start_button.isEnabled()
