"""Models that are fetched while the person chats: seen in the window itself, and not forgotten at its end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.downloads import PAUSED, UNFINISHED, Downloads
from inference.manager.download import Patience
from inference.manager.hub_search import HubModel
from inference.manager.store import Store
from tests.app.conftest import MakeProgram
from tests.app.program import Program
from tests.inference.manager.hub_server import HubServer
from tests.inference.manager.model_folders import make_folder

TINY = HubModel("someone/tiny").spec
STRIP = f"download {TINY.identifier}"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[HubServer]:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr("inference.manager.store.Patience", lambda: Patience(2.0, 30.0, 2, 0.01))
    folder = make_folder(tmp_path / "source")
    with HubServer({path.name: path.read_bytes() for path in folder.iterdir()}) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.address)
        yield server


def downloads(program: Program) -> Downloads:
    return program.application.model_manager.downloads


def until(program: Program, text: str) -> None:
    program.qtbot.waitUntil(lambda: text in program.banner(STRIP))


def test_the_window_shows_it_while_it_comes_and_offers_it_when_it_is_here(
    make_program: MakeProgram, hub: HubServer
) -> None:
    program = make_program().start()
    hub.faults["model.safetensors"] = ["stall"]
    downloads(program).begin(TINY)
    program.qtbot.waitUntil(hub.stalled.is_set)
    until(program, "Downloading someone/tiny")
    assert program.ask("Hello?").text == "Hello there."
    program.press_in_banner(STRIP, "Pause")
    until(program, "Paused.")
    program.press_in_banner(STRIP, "Resume")
    until(program, "someone/tiny is here.")
    wanted: list[str] = []
    downloads(program).load_wanted.disconnect()
    downloads(program).load_wanted.connect(wanted.append)
    program.press_in_banner(STRIP, "Load it")
    assert wanted == [TINY.identifier] and not program.banner(STRIP)


def test_a_strip_that_was_closed_comes_back_only_at_the_end(make_program: MakeProgram, hub: HubServer) -> None:
    program = make_program().start()
    hub.faults["model.safetensors"] = ["stall"]
    downloads(program).begin(TINY)
    program.qtbot.waitUntil(hub.stalled.is_set)
    until(program, "Downloading")
    strip = program.window.banners.banner(STRIP)
    assert strip is not None
    strip.left.emit()
    with program.qtbot.waitSignal(downloads(program).changed):
        downloads(program).pause(TINY.identifier)
    assert not program.banner(STRIP)
    with program.qtbot.waitSignal(downloads(program).arrived):
        downloads(program).begin(TINY)
    assert "is here" in program.banner(STRIP)


def test_what_the_end_of_the_program_cut_off_goes_on_at_the_next_start(
    make_program: MakeProgram, hub: HubServer
) -> None:
    first = make_program().start()
    hub.faults["model.safetensors"] = ["stall"]
    downloads(first).begin(TINY)
    first.qtbot.waitUntil(hub.stalled.is_set)
    first.application.close()
    again = make_program()
    with again.qtbot.waitSignal(downloads(again).arrived):
        again.start()
    assert hub.requests[-1][0] == "model.safetensors" and hub.requests[-1][1]  # only the rest of it
    assert TINY.identifier in [spec.identifier for spec in Store().specs()]
    assert not downloads(again)._state.value(UNFINISHED)


def test_what_was_paused_or_given_up_does_not(make_program: MakeProgram, hub: HubServer) -> None:
    program = make_program().start()
    hub.faults["model.safetensors"] = ["stall", "stall"]
    downloads(program).begin(TINY)
    program.qtbot.waitUntil(hub.stalled.is_set)
    downloads(program).pause(TINY.identifier)
    until(program, "Paused.")
    assert not downloads(program)._state.value(UNFINISHED)
    downloads(program).begin(TINY)
    assert downloads(program)._state.value(UNFINISHED) == "someone/tiny"
    downloads(program).give_up(TINY)
    assert not downloads(program)._state.value(UNFINISHED) and not program.banner(STRIP)
    program.qtbot.waitUntil(lambda: not downloads(program).running)
    assert not program.banner(STRIP)


def test_what_was_paused_is_still_to_be_found_at_the_next_start(make_program: MakeProgram, hub: HubServer) -> None:
    first = make_program().start()
    hub.faults["model.safetensors"] = ["stall"]
    downloads(first).begin(TINY)
    first.qtbot.waitUntil(hub.stalled.is_set)
    until(first, "Downloading")
    downloads(first).pause(TINY.identifier)
    until(first, "Paused.")
    said = first.banner(STRIP)
    first.application.close()
    asked = len(hub.requests)
    again = make_program().start()
    assert not again.banner(STRIP) and len(hub.requests) == asked
    manager = again.application.model_manager
    manager.open_page()
    page = manager.page
    assert page is not None
    again.qtbot.waitUntil(lambda: page.list.row(TINY.identifier) is not None)
    page.list.choose(TINY.identifier)
    assert page.details._progress.text() == said and "/s" not in said
    page.details.download.click()
    again.qtbot.waitUntil(lambda: TINY.identifier in [spec.identifier for spec in Store().specs()])
    again.qtbot.waitUntil(lambda: not downloads(again).specs)
    assert not downloads(again)._state.value(PAUSED)


def test_a_failure_says_why_and_can_be_tried_again(make_program: MakeProgram, hub: HubServer) -> None:
    program = make_program().start()
    hub.faults["model.safetensors"] = [404]
    downloads(program).begin(TINY)
    until(program, "404")
    program.press_in_banner(STRIP, "Model hub…")  # a mirror may have it
    dialog = program.application.model_manager.hub.dialog
    assert dialog is not None and dialog.isVisible()
    dialog.close()
    program.press_in_banner(STRIP, "Try again")
    until(program, "is here")


def test_a_starter_that_does_not_speak_the_windows_language_says_so_until_it_is_read(make_program: MakeProgram) -> None:
    english = make_program(session={"language": "en", "appearance": "light"}).start()
    banner = english.window.banners.banner("note")
    assert banner is not None and banner._time.isActive()
    english.application.close()
    chinese = make_program(session={"language": "zh", "appearance": "light"}).start()
    banner = chinese.window.banners.banner("note")
    assert banner is not None and not banner._time.isActive()
    chinese.press_in_banner("note", "Other models…")
    assert chinese.application.model_manager.page is not None
