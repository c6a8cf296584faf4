"""Models that are taken in: what is refused says so in words, and of several each says which it is."""

from pathlib import Path

from tests.app.conftest import MakeProgram
from tests.app.test_model_manager import model, opened


def test_what_is_no_model_is_refused_in_words(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    program = make_program().start()
    manager, page = opened(program)
    manager.take_in(str(tmp_path / "empty"))
    program.qtbot.waitUntil(lambda: "is not a model" in page.details._message.text())


def test_of_several_that_are_refused_each_says_which_it_is(make_program: MakeProgram, tmp_path: Path) -> None:
    folders = [model(tmp_path / name) for name in ("one", "two")]
    for folder in folders:
        (folder / "config.json").write_text("{")
    program = make_program().start()
    manager, page = opened(program)
    manager.take_in_all([*folders, tmp_path / "nowhere"])
    program.qtbot.waitUntil(lambda: page.details._message.text().count("\n") == 2)
    lines = sorted(page.details._message.text().splitlines())
    assert lines[0].startswith("There is no folder") and lines[0].count("nowhere") == 1  # it says so itself
    assert [line.partition(": config.json is damaged")[0] for line in lines[1:]] == ["one", "two"]
