"""Another model while something is under way: it is asked, then clean; and what is kept when it cannot be had."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.model_memory import Remembered
from app.views.safe_question import SafeQuestion
from inference.errors import UserError
from inference.events import Delta, LoadProgress, Piece
from inference.manager.trusted_code import ALLOW, is_trusted
from tests.app.conftest import MakeProgram
from tests.app.program import Program
from tests.app.scripted_engine import Gate, ScriptedEngine, ScriptedStore, rounds


@pytest.fixture
def other(tmp_path: Path) -> str:
    return folder(tmp_path / "other")


def folder(path: Path) -> str:
    path.mkdir()
    (path / "config.json").write_text("{}")
    return str(path)


def replying(make_program: MakeProgram, gate: Gate) -> Program:
    """In the middle of a reply."""
    half = [Delta((Piece("Half a thought", "plain", 1),)), gate, *rounds([" and", " more", "."])]
    program = make_program(engine=ScriptedEngine(half)).start()
    program.begin("Why?")
    program.until("Half a thought")
    return program


def question(program: Program) -> SafeQuestion:
    found = program.application.models.question
    assert found is not None
    return found


ENDS = {
    "another model": lambda program, other: program.window.header.model_chosen.emit(other),
    "loaded again": lambda program, other: program.application.load(""),
    "unloaded": lambda program, other: program.window.header.unload_requested.emit(),
}


@pytest.mark.parametrize("how", ENDS)
def test_a_reply_is_not_ended_unasked(make_program: MakeProgram, other: str, how: str) -> None:
    gate = Gate()
    program = replying(make_program, gate)
    name = program.window.header.model_button.text()
    ENDS[how](program, other)
    assert "reply is being written" in question(program).text()
    assert "stays in the chat" in question(program).informativeText()
    QTest.keyClick(question(program), Qt.Key.Key_Return)  # the button that is chosen already
    assert program.application.models.question is None
    with program.qtbot.waitSignal(program.application.replies.ended):
        gate.set()
    assert program.messages[-1].text.endswith(" and more.") and program.messages[-1].state == "finished"
    assert program.window.header.model_button.text() == name


def test_it_ends_when_the_person_says_so_and_what_was_written_stays(make_program: MakeProgram, other: str) -> None:
    program = replying(make_program, Gate())
    program.window.header.model_chosen.emit(other)
    with program.qtbot.waitSignals([program.application.replies.ended, program.application.model_ready]):
        question(program).agree_button.click()
    assert program.messages[-1].text == "Half a thought" and program.messages[-1].state == "stopped"
    assert program.window.header.model_button.text() == "other"
    program.engine.replies.append(rounds(["Yes", "."]))
    assert program.ask("And now?").state == "finished"


def test_escape_lets_it_go_on(make_program: MakeProgram, other: str) -> None:
    gate = Gate()
    program = replying(make_program, gate)
    program.window.header.model_chosen.emit(other)
    QTest.keyClick(question(program), Qt.Key.Key_Escape)
    with program.qtbot.waitSignal(program.application.replies.ended):
        gate.set()
    assert program.window.header.model_button.text() != "other"


def test_a_reply_that_ends_meanwhile_answers_the_question(make_program: MakeProgram, other: str) -> None:
    gate = Gate()
    program = replying(make_program, gate)
    program.window.header.model_chosen.emit(other)
    with program.qtbot.waitSignal(program.application.model_ready):
        gate.set()
    assert program.application.models.question is None
    assert program.messages[-1].state == "finished" and program.window.header.model_button.text() == "other"


def test_measuring_is_not_ended_unasked_either(make_program: MakeProgram, other: str) -> None:
    program = make_program().start()
    program.application.loader.occupied = "The benchmark is running."
    program.window.header.model_chosen.emit(other)
    assert question(program).text() == "The benchmark is running."
    assert "chat" not in question(program).informativeText()
    with program.qtbot.waitSignal(program.application.model_ready):
        program.application.loader.occupied = ""
        program.application.loader.changed.emit()


def watched_drafts(program: Program, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """Every draft that is asked for, and whether a target was on its way or there."""
    asked: list[tuple[str, bool]] = []
    loader = program.application.loader
    load = loader._worker.load_draft

    def watch(draft: str, settings: object) -> str:
        asked.append((draft, loader.target is not None and loader.target.spec.name == "other"))
        return load(draft, settings)  # type: ignore[arg-type]

    monkeypatch.setattr(loader._worker, "load_draft", watch)
    return asked


def test_a_remembered_draft_is_loaded_for_its_own_target_only(
    make_program: MakeProgram, other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = make_program().start()
    draft = folder(tmp_path / "draft")
    program.application.model_manager.memory.keep(other, Remembered("auto", 2048, draft))
    asked = watched_drafts(program, monkeypatch)
    with program.qtbot.waitSignal(program.application.loader.draft_ready):
        program.window.header.model_chosen.emit(other)
    assert asked == [(draft, True)]
    assert program.banner("load again") == program.banner("draft failed") == ""


def test_a_draft_chosen_while_a_target_loads_comes_with_it(
    make_program: MakeProgram, other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = make_program().start()
    gate, draft = Gate(), folder(tmp_path / "draft")
    program.engine.loading = [gate]
    asked = watched_drafts(program, monkeypatch)
    program.application.load(other)
    settings = program.application.settings.with_value("drafter", "model").with_value("draft_model", draft)
    program.application.change_settings(settings)
    assert asked == []
    with program.qtbot.waitSignal(program.application.loader.draft_ready):
        gate.set()
    assert asked == [(draft, True)]


def test_a_target_that_stays_keeps_its_settings_and_its_draft(
    make_program: MakeProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one is no model; nothing of what was remembered for it stays behind."""
    program = make_program().start()
    draft = folder(tmp_path / "draft")
    with program.qtbot.waitSignal(program.application.loader.draft_ready):
        program.application.models.load_draft(draft)
    before = program.application.settings
    gone = str(tmp_path / "gone")
    program.application.model_manager.memory.keep(gone, Remembered("int8", 512, ""))
    asked = watched_drafts(program, monkeypatch)
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.window.header.model_chosen.emit(gone)
    assert program.application.settings == before and program.application.settings.draft_model == draft
    assert asked == [] and program.application.loader.draft is not None
    assert "stays loaded" in program.banner("load failed") and program.banner("load again") == ""
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.press_in_banner("load failed", "Try again")
    assert program.application.settings == before


CANCELLED = (LoadProgress("download", 34_000_000, 98_000_000, "SmolLM2"), Gate())


def test_cancelling_is_no_error(make_program: MakeProgram) -> None:
    program = make_program(store=ScriptedStore(*CANCELLED))
    program.application.start()
    program.qtbot.waitUntil(lambda: "34 of 98" in program.banner("loading"))
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.press_in_banner("loading", "Cancel")
    banner = program.window.banners.banner("load failed")
    assert banner is not None and banner.tone == "" and "cancelled" in banner.text
    assert [button.text() for button in banner.buttons] == ["Load again"]
    program.store.steps = ()
    with program.qtbot.waitSignal(program.application.model_ready):
        program.press_in_banner("load failed", "Load again")


def test_until_it_has_ended_it_says_that_it_is_being_cancelled(make_program: MakeProgram) -> None:
    program = make_program(store=ScriptedStore(*CANCELLED))
    program.application.start()
    program.qtbot.waitUntil(lambda: "34 of 98" in program.banner("loading"))
    loader = program.application.loader
    program.press_in_banner("loading", "Cancel")
    assert program.banner("loading") == "Cancelling…"
    loader.take(loader._target_run, CANCELLED[0])  # was on its way
    assert program.banner("loading") == "Cancelling…"
    with program.qtbot.waitSignal(loader.failed):
        pass
    assert program.banner("loading") == ""
    with program.qtbot.waitSignal(program.application.model_ready):
        program.store.steps = (LoadProgress("download", 50, 98_000_000, "SmolLM2"),)
        program.press_in_banner("load failed", "Load again")


def test_a_draft_that_was_cancelled_is_no_error(make_program: MakeProgram, other: str) -> None:
    from inference.loading import LoadCancelledError

    program = make_program().start()
    program.engine.draft_error = LoadCancelledError()
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.application.models.load_draft(other)
    banner = program.window.banners.banner("draft failed")
    assert banner is not None and banner.tone == "" and banner.buttons == []
    program.engine.draft_error = UserError("Too big.")
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.application.models.load_draft(other)
    banner = program.window.banners.banner("draft failed")
    assert banner is not None and banner.tone == "warning"


@pytest.mark.parametrize("allowed", [True, False])
def test_own_code_is_asked_for_and_remembered(make_program: MakeProgram, other: str, allowed: bool) -> None:
    (Path(other) / "modeling_own.py").write_text("1")
    program = make_program().start()
    program.engine.loading = [UserError("This model (Own) brings its own Python code.", ALLOW)]
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.window.header.model_chosen.emit(other)
    program.press_in_banner("load failed", "Allow its code…")
    asked = question(program)
    assert "other" in asked.text() and "modeling_own.py" in asked.informativeText()
    program.engine.loading = []
    if allowed:
        with program.qtbot.waitSignal(program.application.model_ready):
            asked.agree_button.click()
    else:
        QTest.keyClick(asked, Qt.Key.Key_Return)
    assert is_trusted(Path(other)) is allowed
    assert ("own Python code" in program.banner("load failed")) is not allowed, "the reason stands when it was declined"
    assert (program.application.loader.target is not None) is allowed


def test_own_code_of_a_draft_is_asked_for_too(make_program: MakeProgram, other: str) -> None:
    program = make_program().start()
    program.engine.draft_error = UserError("This model (Own) brings its own Python code.", ALLOW)
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.application.models.load_draft(other)
    program.press_in_banner("draft failed", "Allow its code…")
    program.engine.draft_error = None
    with program.qtbot.waitSignal(program.application.loader.draft_ready):
        question(program).agree_button.click()
    assert is_trusted(Path(other)) and not program.banner("draft failed")
