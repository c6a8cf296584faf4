import json
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from qasync import QEventLoop

from app.demo import PICTURE, run_demo
from app.options import Options
from inference.errors import UserError
from inference.events import Failed
from tests.app.conftest import MakeProgram
from tests.app.program import Program
from tests.app.scripted_engine import ScriptedEngine, ScriptedStore, rounds

KEYS = {"reply", "tok_s", "acceptance_rate", "draft_share", "time_to_first_token_s", "drafter", "screenshot"}


def run(event_loop: QEventLoop, program: Program, options: Options) -> int:
    async def act() -> int:
        program.application.start()
        return await run_demo(program.application, options)

    status = event_loop.run_until_complete(act())
    assert isinstance(status, int)
    return status


def test_one_turn_prints_its_figures_and_saves_a_picture(
    make_program: MakeProgram, event_loop: QEventLoop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "图" / "shot.png"
    program = make_program(engine=ScriptedEngine(rounds(["The", " sky", " is", " blue", ".\n"])))
    assert run(event_loop, program, Options(demo="Why?", json=True, screenshot=path)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "The sky is blue." in lines
    values = json.loads(lines[-1])
    assert values.keys() >= KEYS
    assert values["reply"] == "The sky is blue.\n"
    assert values["drafter"] == "n-gram" and values["screenshot"] == str(path)
    assert 0 < values["acceptance_rate"] <= 1 and values["tok_s"] > 0 and values["time_to_first_token_s"] > 0
    image = QImage(str(path))
    assert image.width() == 2 * program.window.width()
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}
    assert len(colours) > 20  # a window, and not an empty sheet


def test_the_picture_goes_where_the_person_stands(
    make_program: MakeProgram, event_loop: QEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(event_loop, make_program(), Options(demo="Why?")) == 0
    assert (tmp_path / PICTURE).is_file()


@pytest.mark.parametrize(
    ("parts", "options", "message"),
    [
        ({"store": ScriptedStore(error=UserError("No network.", "Connect."))}, Options(demo="Why?"), "No network."),
        ({"engine": ScriptedEngine([Failed("No memory.", "Close something.")])}, Options(demo="Why?"), "No memory."),
        ({}, Options(demo="   "), "question is empty"),
        ({"session": {"drafter": "model", "draft_model": "nowhere"}}, Options(demo="Why?"), "holds no model"),
        ({}, Options(demo="Why?", screenshot=Path("/proc/no/such.png")), "such.png"),
    ],
    ids=["no model", "failed reply", "no question", "no draft", "no picture"],
)
def test_a_failure_says_so_and_has_a_status(
    make_program: MakeProgram,
    event_loop: QEventLoop,
    capsys: pytest.CaptureFixture[str],
    parts: dict[str, object],
    options: Options,
    message: str,
) -> None:
    assert run(event_loop, make_program(**parts), options) == 1
    assert message in capsys.readouterr().err
