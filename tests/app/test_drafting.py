"""The task that is pinned, further drafts, and the page of what works here, through the whole program."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app import model_dialog
from inference.errors import UserError
from inference.events import Delta, Piece, Round, TaskChanged
from inference.profiles import Profile
from inference.statistics import ReplyStatistics, RoundStatistics
from tests.app.conftest import MakeProgram
from tests.app.program import Program
from tests.app.scripted_engine import Gate, ScriptedEngine, rounds

ONE = RoundStatistics(3, 3, 3, 3, 4, 0.002, 0.03, 0.001)


def folder(tmp_path: Path, name: str) -> str:
    made = tmp_path / name
    made.mkdir()
    (made / "config.json").write_text("{}")
    return str(made)


def add(program: Program, path: str) -> None:
    before = len(program.engine.drafts)
    program.application.drafting.add(path)
    program.qtbot.waitUntil(lambda: len(program.engine.drafts) == before + 1)


def open_page(program: Program) -> None:
    with program.qtbot.waitSignal(program.application.drafting.told):
        program.window.routes_requested.emit()


def test_the_task_follows_the_reply_and_is_marked(make_program: MakeProgram) -> None:
    gate = Gate()
    figures = ReplyStatistics(drafter="n-gram", mode="automatic").with_rounds(ONE)
    code = [Delta((Piece("```\n", "plain", 1),)), Round(1, ONE, figures, 90.0, 0.9, task="prose")]
    switch = TaskChanged("code", 1, "n-gram", 0.001)
    after = Round(2, ONE, figures.with_rounds(ONE), 90.0, 0.9, task="code")
    program = make_program(engine=ScriptedEngine([*code, switch, after, gate, *rounds(["x"])])).start()
    gauges = program.window.gauges
    assert gauges.figure("task") == "automatic"
    program.begin("Go")
    program.qtbot.waitUntil(lambda: gauges.figure("task") == "code")
    assert [shaded for _, shaded in gauges.speed_line.marks] == [True]
    with program.qtbot.waitSignal(program.application.replies.ended):
        gate.set()


def test_pinning_holds_for_the_next_reply_and_the_next_session(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.window.gauges.task_chips[0].choices["code"].trigger()
    assert program.window.gauges.figure("task") == "code, pinned"
    program.ask("Go")
    assert program.engine.asked[-1][1].speculation.task == "code"
    assert program.window.gauges.figure("task") == "code, pinned"
    assert program.settings_file.read()[0].task == "code"
    program.application.close()
    again = make_program(session={"appearance": "light"}).start()
    assert again.window.gauges.figure("task") == "code, pinned"


def test_the_task_is_stepped_by_the_keyboard(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = make_program().start()
    seen = []
    for _ in range(3):
        program.window.task_step_requested.emit()
        seen.append(program.application.settings.task)
    assert seen == ["code", "prose", "automatic"]
    keys = {action.shortcut().toString() for action in program.window.shortcuts}
    assert {"Ctrl+T", "Ctrl+Shift+W"} <= keys


def test_further_drafts_are_kept_loaded_and_dropped(make_program: MakeProgram, tmp_path: Path) -> None:
    program = make_program().start()
    first, second = folder(tmp_path, "coder"), folder(tmp_path, "writer")
    with program.qtbot.waitSignal(program.application.loader.draft_ready):
        program.application.models.load_draft(first)
    add(program, second)
    assert [draft.spec.name for draft in program.engine.drafts] == ["coder", "writer"]
    assert program.settings_file.read()[0].more_drafts == second
    assert program.window.header.statement == "Speculation: automatic, the fastest draft, K up to 8"
    open_page(program)
    page = program.application.drafting.page
    assert set(page.drop_buttons) == {"coder", "writer"}
    page.drop_buttons["writer"].click()
    program.qtbot.waitUntil(lambda: "writer" not in page.text())
    assert [draft.spec.name for draft in program.engine.drafts] == ["coder"]
    assert program.settings_file.read()[0].more_drafts == ""
    page.drop_buttons["coder"].click()
    program.qtbot.waitUntil(lambda: program.engine.drafts == ())
    assert program.settings_file.read()[0].draft_model == ""


def test_further_drafts_come_back_with_the_target(make_program: MakeProgram, tmp_path: Path) -> None:
    names = ["coder", "writer", "poet"]
    folders = [folder(tmp_path, name) for name in names]
    session = {"draft_model": folders[0], "more_drafts": "\n".join(folders[1:])}
    program = make_program(session=session).start()
    program.qtbot.waitUntil(lambda: [draft.spec.name for draft in program.engine.drafts] == names)
    before = program.engine.drafts
    program.application.load("")
    program.qtbot.waitUntil(
        lambda: [draft.spec.name for draft in program.engine.drafts if id(draft) not in map(id, before)] == names
    )


def test_a_further_draft_that_is_refused_says_why(make_program: MakeProgram, tmp_path: Path) -> None:
    program = make_program().start()
    program.engine.draft_error = UserError("Its vocabulary is another one.")
    path = folder(tmp_path, "stranger")
    program.application.drafting.add(path)
    program.qtbot.waitUntil(lambda: "vocabulary" in program.banner(f"draft {path}"))
    assert program.application.settings.more_drafts == path
    program.press_in_banner(f"draft {path}", "Forget stranger")
    assert program.application.settings.more_drafts == ""
    assert program.ask("Go").state == "finished"


def test_the_page_shows_what_was_measured_and_is_kept_fresh(make_program: MakeProgram) -> None:
    program = make_program().start()
    open_page(program)
    page = program.application.drafting.page
    assert page.isVisible() and "all there is to draft with" in page.text()
    program.engine.router.note("target", "prose", program.engine.routes().candidates[0], [ONE] * 10, 0.02)  # type: ignore[union-attr]
    with program.qtbot.waitSignal(program.application.drafting.told):
        program.ask("Go")
    assert "40 tokens written" in page.text() and "2.42x" in page.text()


def test_the_person_decides_in_any_cell(make_program: MakeProgram) -> None:
    program = make_program().start()
    open_page(program)
    page = program.application.drafting.page
    for choose, text in ((lambda: page.drafts["code"], "no speculation"), (lambda: page.lengths["prose"], "K = 5")):
        box = choose()
        box.setFocus()
        index = box.findText(text)
        assert index >= 0
        with program.qtbot.waitSignal(program.application.drafting.told):
            box.setCurrentIndex(index)
            box.activated.emit(index)
        assert choose() is not box and choose().hasFocus(), "the page was made anew, and the focus is where it was"
    assert program.engine.router.book("target", "code").profile == Profile("none")
    assert program.engine.router.book("target", "prose").profile == Profile(None, 5)
    assert "You chose no speculation." in page.text()
    assert page.lengths["prose"].currentText() == "K = 5"


def test_without_a_model_the_page_says_so(make_program: MakeProgram) -> None:
    program = make_program().start()
    open_page(program)
    program.window.header.unload_requested.emit()
    page = program.application.drafting.page
    assert "No model is loaded." in page.text() and not page.add_button.isEnabled()
    program.qtbot.waitUntil(lambda: program.engine.target is None)


def test_a_draft_is_added_from_the_page(
    make_program: MakeProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = make_program().start()
    path = folder(tmp_path, "coder")
    monkeypatch.setattr(model_dialog.ModelDialog, "ask", lambda self, title, take: take(path))
    open_page(program)
    page = program.application.drafting.page
    page.add_button.click()
    program.qtbot.waitUntil(lambda: "coder" in page.text())
    assert program.application.settings.more_drafts == path


def test_every_control_of_the_page_can_be_reached_and_has_a_name(make_program: MakeProgram, tmp_path: Path) -> None:
    program = make_program().start()
    add(program, folder(tmp_path, "coder"))
    open_page(program)
    page = program.application.drafting.page
    page.activateWindow()
    controls = [*page.drafts.values(), *page.lengths.values(), *page.drop_buttons.values(), page.add_button]
    assert all(control.focusPolicy() & Qt.FocusPolicy.TabFocus for control in controls)
    for control in controls:
        assert control.toolTip() and (control.accessibleName() or (isinstance(control, QPushButton) and control.text()))
    program.qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert not page.isVisible()
