"""The whole window with a scripted engine: what settings do, and where they are kept."""

from pathlib import Path

from PySide6.QtWidgets import QPlainTextEdit

from app.wiring import NEXT_MODE
from inference.errors import UserError
from inference.messages import Message
from tests.app.conftest import MakeProgram
from tests.patience import WAIT_MS


def test_settings_are_kept_and_hold_for_the_next_reply(make_program: MakeProgram) -> None:
    program = make_program().start()
    panel = program.window.settings_panel
    panel.changed.emit(
        program.application.settings.with_value("temperature", 0.2).with_value("system_prompt", "Be brief.")
    )
    program.ask("Go")
    messages, settings = program.engine.asked[0]
    assert settings.sampling.temperature == 0.2
    assert messages[0] == Message("system", "Be brief.")
    program.application.close()
    assert make_program().start().application.settings.temperature == 0.2


def test_what_was_typed_in_the_settings_counts_without_leaving_the_field(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.window.toggle_settings()
    editor = program.window.settings_panel.rows["system_prompt"].findChild(QPlainTextEdit)
    assert isinstance(editor, QPlainTextEdit)
    editor.setPlainText("Answer in Chinese.")
    program.ask("Go")
    assert program.engine.asked[0][0][0] == Message("system", "Answer in Chinese.")


def test_a_broken_settings_file_is_told(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("this is = = no toml")
    program = make_program().start()
    assert "damaged" in program.banner("settings")


def test_settings_that_cannot_be_written_hold_all_the_same(make_program: MakeProgram, tmp_path: Path) -> None:
    program = make_program().start()
    (tmp_path / "settings.toml").mkdir()
    program.application.change_settings(program.application.settings.with_value("temperature", 0.1))
    program.qtbot.waitUntil(lambda: "could not be saved" in program.banner("settings"), timeout=WAIT_MS)
    assert program.application.settings.temperature == 0.1


def test_what_the_command_line_says_is_not_written(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    program = make_program(session={"model": str(tmp_path), "appearance": "dark"}).start()
    assert program.window.header.model_button.text() == tmp_path.name
    program.application.change_settings(program.application.settings.with_value("top_k", 40))
    kept_settings, _ = program.settings_file.read()
    assert (kept_settings.model, kept_settings.appearance, kept_settings.top_k) == ("", "system", 40)
    program.application.change_settings(program.application.settings.with_value("appearance", "light"))
    assert program.settings_file.read()[0].appearance == "light"


def test_speculation_from_the_header(make_program: MakeProgram) -> None:
    program = make_program().start()
    header = program.window.header
    assert header.statement == "Speculation: automatic, the fastest draft, K up to 8"
    header.mode_chosen.emit("off")
    assert header.statement == "Speculation: off"
    assert program.window.gauges.reason
    program.ask("Go")
    assert program.engine.asked[0][1].speculation.mode == "off"
    seen = []
    for _ in NEXT_MODE:
        program.window.mode_step_requested.emit()
        seen.append(program.application.settings.speculation)
    assert seen == ["automatic", "on", "off"]


def test_a_draft_model_is_loaded_dropped_and_refused(make_program: MakeProgram, tmp_path: Path) -> None:
    draft = tmp_path / "draft"
    draft.mkdir()
    (draft / "config.json").write_text("{}")
    program = make_program(session={"drafter": "ngram"}).start()
    with program.qtbot.waitSignal(program.application.loader.draft_ready):
        program.application.models.load_draft(str(draft))
    assert program.application.settings.drafter == "model"
    assert program.settings_file.read()[0].draft_model == str(draft)
    assert program.window.header.statement == "Speculation: automatic, draft, K up to 8"
    program.ask("Go")
    assert program.engine.asked[-1][1].speculation.drafter == "model"
    with program.qtbot.waitSignal(program.application.loader.draft_ready):
        program.application.change_settings(program.application.settings.with_value("draft_model", ""))
    assert program.engine.draft is None
    program.ask("Go")  # no draft model: the n-grams draft
    assert program.engine.asked[-1][1].speculation.drafter == "ngram"
    program.engine.draft_error = UserError("Its vocabulary is another one.")
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.application.models.load_draft(str(draft))
    assert "vocabulary" in program.banner("draft failed")
    assert program.ask("Go").state == "finished"


def test_the_draft_from_the_last_session_comes_back(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    program = make_program(session={"drafter": "model", "draft_model": str(tmp_path)})
    with program.qtbot.waitSignal(program.application.loader.draft_ready):
        program.application.start()
    assert program.engine.draft is not None


def test_what_is_changed_back_needs_no_loading(make_program: MakeProgram) -> None:
    program = make_program().start()
    for value, says in (("int8", True), ("int4", True), ("auto", False)):
        program.application.change_one_here("precision", value)
        assert bool(program.banner("load again")) == says, value
    program.application.change_one_here("precision", "int8")
    with program.qtbot.waitSignal(program.application.model_ready):
        program.press_in_banner("load again", "Load again")
    program.application.change_one_here("precision", "auto")
    assert program.banner("load again")
    program.application.change_one_here("precision", "int8")
    assert not program.banner("load again")
