from pathlib import Path

import pytest

from app.options import QUESTION, Options


def test_nothing_said() -> None:
    assert Options.read([]) == Options()
    assert Options().session_values() == {}


def test_models() -> None:
    options = Options.read(["--model", "a folder", "--draft", "another"])
    assert options.session_values() == {"model": "a folder", "draft_model": "another", "drafter": "model"}
    assert Options.read(["--int4-group", "64"]).session_values() == {"int4_group": "64"}
    assert Options.read(["--draft", "another", "--align"]).session_values()["align_drafts"] is True


def test_a_demonstration() -> None:
    assert Options.read(["--demo"]).demo == QUESTION
    options = Options.read(["--demo", "Why?", "--json", "--screenshot", "x.png"])
    assert options == Options(demo="Why?", json=True, screenshot=Path("x.png"))


@pytest.mark.parametrize(
    "arguments", [["--json"], ["--screenshot", "x"], ["--colour"], ["--appearance", "pink"], ["--int4-group", "48"]]
)
def test_nonsense_ends_with_a_message(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        Options.read(arguments)
    assert ended.value.code == 2
    assert "error" in capsys.readouterr().err
