"""Whether there is a newer version: asked only where somebody wants that."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app import updates
from app.updates import BANNER, DAY_S
from app.version import NAME, own_version
from app.views.link_question import LinkQuestion
from inference.manager import newest_version
from inference.manager.files import write_json
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS, Program
from tests.inference.manager.hub_server import HubServer
from tests.inference.manager.test_newest_version import CALM, HASTY, PAGE, page

WANTED = {"look_for_updates": True, "appearance": "light", "language": "en"}


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    with HubServer() as server:
        monkeypatch.setenv("FOREWORD_UPDATE_INDEX", f"{server.address}/simple")
        monkeypatch.setattr(newest_version, "PATIENCE", CALM)
        monkeypatch.setattr(updates, "FIRST_MS", 0)
        server.pages[PAGE] = page("99.0")
        yield server


def asked(server: HubServer) -> int:
    return [name for name, _ in server.requests].count(PAGE)


def started(program: Program) -> Program:
    """As `app.start` does it."""
    program.start()
    program.application.updates.follow(program.application.settings)
    return program


def answered(program: Program) -> None:
    """Until the question that is under way has its answer."""
    part = program.application.updates
    program.qtbot.waitUntil(lambda: part._timer.interval() == updates.AGAIN_MS, timeout=WAIT_MS)
    program.qtbot.waitUntil(lambda: not part._asking, timeout=WAIT_MS)


def by_hand(program: Program) -> str:
    """What is said when the person asks."""
    program.window.sidebar.update_requested.emit()
    program.qtbot.waitUntil(lambda: not program.banner(BANNER).startswith("Asking"), timeout=WAIT_MS)
    return program.banner(BANNER)


def test_nobody_is_asked_unless_somebody_wants_it(make_program: MakeProgram, index: HubServer) -> None:
    program = started(make_program())
    assert not program.application.settings.look_for_updates
    program.ask("Hello?")
    assert not program.application.updates._timer.isActive()
    program.application.close()
    assert index.requests == []
    assert "99.0" in by_hand(started(make_program())) and asked(index) == 1


def test_once_a_day_where_it_is_wanted(make_program: MakeProgram, index: HubServer, tmp_path: Path) -> None:
    program = started(make_program(session=WANTED))
    answered(program)
    assert f"Foreword 99.0 is published; this is {own_version()}" in program.banner(BANNER) and asked(index) == 1
    program.application.close()
    program = started(make_program(session=WANTED))
    answered(program)
    assert asked(index) == 1, "today it was"
    program.application.close()
    state = tmp_path / "updates.json"
    kept = json.loads(state.read_text())
    for later in (-2 * DAY_S, 2 * DAY_S):  # and a clock that was put back does not silence it for ever
        state.write_text(json.dumps(kept | {"asked": kept["asked"] + later}))
        before = asked(index)
        program = started(make_program(session=WANTED))
        answered(program)
        program.application.close()
        assert asked(index) == before + 1


def test_a_slow_disk_does_not_hold_the_window_up(
    make_program: MakeProgram, index: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writers: list[threading.Thread] = []

    def write(path: Path, value: dict[str, object]) -> None:
        writers.append(threading.current_thread())
        write_json(path, value)

    monkeypatch.setattr(updates, "write_json", write)
    program = started(make_program(session=WANTED))
    answered(program)
    program.press_in_banner(BANNER, "Not this version again")
    program.application.close()
    kept = json.loads((tmp_path / "updates.json").read_text())
    assert kept["asked"] > 0 and kept["unwanted"] == "99.0"
    assert len(writers) == 2 and threading.main_thread() not in writers


def test_it_begins_and_ends_with_the_setting(make_program: MakeProgram, index: HubServer) -> None:
    program = started(make_program())
    application = program.application
    application.change_settings(application.settings.with_value("look_for_updates", True))
    answered(program)
    assert asked(index) == 1
    application.change_settings(application.settings.with_value("look_for_updates", False))
    assert not application.updates._timer.isActive()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"asked": "never", "unwanted": 3}'])
def test_a_damaged_note_is_no_obstacle(make_program: MakeProgram, index: HubServer, tmp_path: Path, text: str) -> None:
    (tmp_path / "updates.json").write_text(text)
    program = started(make_program(session=WANTED))
    answered(program)
    assert "99.0" in program.banner(BANNER)


def test_a_version_that_is_not_wanted(make_program: MakeProgram, index: HubServer, tmp_path: Path) -> None:
    program = started(make_program(session=WANTED))
    answered(program)
    program.press_in_banner(BANNER, "Not this version again")
    program.application.close()
    state = tmp_path / "updates.json"
    state.write_text(json.dumps(json.loads(state.read_text()) | {"asked": 0.0}))
    program = started(make_program(session=WANTED))
    answered(program)
    assert asked(index) == 2 and program.banner(BANNER) == ""
    assert "99.0" in by_hand(program), "who asks is told"
    index.pages[PAGE] = page("99.0", "99.1")
    assert "99.1" in by_hand(program)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (page(own_version()), "the newest that is published."),
        (page("0.0.1"), "the newest that is published is 0.0.1."),
        (page("99.0rc1"), "No finished version"),
        (page("99.0", yanked=("99.0",)), "No finished version"),
        (None, "Nothing of Foreword is published at http"),
        (b"nonsense", "makes no sense"),
        (b" " * (newest_version.LONGEST + 1), "too long"),
    ],
)
def test_what_is_said_by_hand_and_not_by_itself(
    make_program: MakeProgram, index: HubServer, content: bytes | None, said: str
) -> None:
    index.pages = {} if content is None else {PAGE: content}
    program = started(make_program(session=WANTED))
    answered(program)
    assert asked(index) == 1 and program.banner(BANNER) == ""
    text = by_hand(program)
    assert said in text and ("newest that is published." in text) == (content == page(own_version()))


@pytest.mark.parametrize("fault", [500, "silent", "stall"])
def test_an_index_with_troubles(
    make_program: MakeProgram, index: HubServer, fault: str | int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest_version, "PATIENCE", HASTY)
    index.faults[PAGE] = [fault] * 6
    program = started(make_program(session=WANTED))
    answered(program)
    assert program.banner(BANNER) == ""
    assert "could not be asked" in by_hand(program)


def test_closing_does_not_wait_for_an_answer(
    make_program: MakeProgram, index: HubServer, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest_version, "PATIENCE", HASTY)
    index.faults[PAGE] = ["silent"]
    program = started(make_program())
    program.window.sidebar.update_requested.emit()
    qtbot.waitUntil(index.stalled.is_set, timeout=WAIT_MS)
    program.application.close()


def test_who_asks_meanwhile_gets_the_answer_of_the_question_under_way(
    make_program: MakeProgram, index: HubServer
) -> None:
    program = started(make_program())
    for _ in range(3):
        program.window.sidebar.update_requested.emit()
    assert "99.0" in by_hand(program) and asked(index) == 1


def test_its_page_is_opened_only_when_that_was_agreed_to(make_program: MakeProgram, index: HubServer) -> None:
    program = started(make_program())
    opened: list[str] = []
    program.application.updates.link_opened.disconnect()
    program.application.updates.link_opened.connect(opened.append)
    by_hand(program)
    program.press_in_banner(BANNER, "Open its page…")
    (question,) = program.window.findChildren(LinkQuestion)
    assert question.address == f"{index.address}/simple/{NAME}/" and opened == []
    question.open_button.click()
    assert opened == [question.address]
