"""Loading a model in the window: what it says meanwhile, what fails, what is given back."""

import asyncio
from pathlib import Path

import pytest
from qasync import QEventLoop

from app import model_dialog
from app.signals import first_of
from app.views.hub_dialog import HubDialog
from inference.errors import HubError, UserError
from inference.events import LoadProgress
from tests.app.conftest import MakeProgram
from tests.app.scripted_engine import Gate, ScriptedStore


def test_without_a_model_the_window_says_so_and_offers_a_folder(make_program: MakeProgram) -> None:
    store = ScriptedStore(error=UserError("The starter model could not be fetched: there is no network.", "Connect."))
    program = make_program(store=store).start_failing()
    assert "no network" in program.banner("load failed")
    program.begin("Anyone?")
    assert program.engine.asked == [] and program.window.composer.text() == "Anyone?"
    store.error = None
    with program.qtbot.waitSignal(program.application.model_ready):
        program.press_in_banner("load failed", "Try again")
    assert program.banner("load failed") == ""
    program.window.composer.button.click()
    program.qtbot.waitUntil(lambda: len(program.engine.asked) == 1)


def test_a_starter_that_the_hub_does_not_give_offers_another_address(make_program: MakeProgram) -> None:
    program = make_program(store=ScriptedStore(error=HubError("The hub cannot be reached."))).start_failing()
    program.press_in_banner("load failed", "Model hub…")
    (dialog,) = program.window.findChildren(HubDialog)
    dialog.reject()


def test_prediction_layers_that_cannot_draft_are_told(make_program: MakeProgram) -> None:
    program = make_program()
    program.engine.foresight = "absent"
    program.start()
    assert "this copy lacks them" in program.banner("foresight")
    assert "this copy lacks them" in program.window.header.model_button.toolTip()
    program.engine.foresight = "ready"
    with program.qtbot.waitSignal(program.application.model_ready):
        program.application.models.load("")
    assert program.banner("foresight") == ""
    assert "can draft with it" in program.window.header.model_button.toolTip()


def test_opening_a_folder(
    make_program: MakeProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, event_loop: QEventLoop
) -> None:
    program = make_program(store=ScriptedStore(error=UserError("No network."))).start_failing()
    folder = tmp_path / "模型"
    chosen: list[Path | None] = [None, folder]
    asked = []

    async def choose(parent: object, title: str) -> Path | None:
        asked.append(title)
        return chosen.pop(0)

    async def folder_kind(parent: object) -> model_dialog.Kind:
        return "folder"

    monkeypatch.setattr(model_dialog, "choose_kind", folder_kind)
    monkeypatch.setattr(model_dialog, "choose_folder", choose)

    async def act() -> None:
        program.window.open_model_requested.emit()  # the person changes their mind
        await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})
        program.press_in_banner("load failed", "Open a model…")
        await first_of(program.application.loader.failed)

    event_loop.run_until_complete(act())
    assert len(asked) == 2
    assert "holds no model" in program.banner("load failed")
    assert program.settings_file.read()[0].model == ""
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    with program.qtbot.waitSignal(program.application.model_ready):
        program.press_in_banner("load failed", "Try again")
    assert program.settings_file.read()[0].model == str(folder)
    assert program.window.header.model_button.text() == "模型"


def test_loading_tells_what_how_much_and_how_long(make_program: MakeProgram) -> None:
    gate = Gate()
    store = ScriptedStore(LoadProgress("download", 34_000_000, 98_000_000, "SmolLM2"), gate)
    program = make_program(store=store)
    program.application.start()
    program.qtbot.waitUntil(lambda: program.banner("loading") == "Downloading SmolLM2, 34 of 98 MB")
    assert program.window.composer.editor.placeholderText() == "The model is being loaded…"
    with program.qtbot.waitSignal(program.application.model_ready):
        gate.set()
    assert program.banner("loading") == ""


def test_the_other_model_stays_when_a_folder_holds_none(make_program: MakeProgram, tmp_path: Path) -> None:
    program = make_program().start()
    name = program.window.header.model_button.text()
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.application.load(str(tmp_path))
    assert program.window.header.model_button.text() == name
    assert program.ask("Still there?").state == "finished"


def test_a_model_that_fails_to_load_leaves_none(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.engine.loading = [UserError("Too big.")]
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.application.load("")
    assert program.window.header.model_button.text() == "No model"
    program.begin("Hello?")
    assert program.engine.asked == []


def test_unloading_gives_the_memory_back(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.window.header.unload_requested.emit()
    assert program.window.header.model_button.text() == "No model"
    program.qtbot.waitUntil(lambda: program.engine.target is None)
    program.begin("Hello?")
    assert program.engine.asked == []
    with program.qtbot.waitSignal(program.application.model_ready):
        program.window.header.model_chosen.emit("SmolLM2-135M-Instruct")
    assert program.ask("Hello?").state == "finished"


def test_choosing_another_model_ends_the_load_before(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    program = make_program(store=ScriptedStore(Gate()))
    program.application.start()
    with program.qtbot.waitSignal(program.application.model_ready):
        program.application.load(str(tmp_path))
    assert program.window.header.model_button.text() == tmp_path.name
    assert program.banner("load failed") == ""


def test_loading_can_be_cancelled(make_program: MakeProgram) -> None:
    store = ScriptedStore(LoadProgress("download", 34_000_000, 98_000_000, "SmolLM2"), Gate())
    program = make_program(store=store)
    program.application.start()
    program.qtbot.waitUntil(lambda: program.banner("loading") != "")
    with program.qtbot.waitSignal(program.application.loader.failed):
        program.press_in_banner("loading", "Cancel")
    assert program.banner("loading") == ""
    assert program.window.header.model_button.text() == "No model"
    assert "cancelled" in program.banner("load failed")


def test_a_new_target_loads_its_draft_once(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    program = make_program().start()
    application = program.application
    loads: list[str] = []
    load_draft = application.loader._worker.load_draft
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            application.loader._worker, "load_draft", lambda *given: (loads.append(given[0]), load_draft(*given))[1]
        )
        with program.qtbot.waitSignal(application.loader.draft_ready):
            application.models.load_draft(str(tmp_path))
        assert loads == [str(tmp_path)]
        other = tmp_path / "other"
        other.mkdir()
        (other / "config.json").write_text("{}")
        with program.qtbot.waitSignal(application.loader.draft_ready):
            application.models.load(str(other))
    assert loads == [str(tmp_path), str(tmp_path)]
