"""Models that are taken in: what is refused says so in words, and of several each says which it is."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import model_jobs as jobs
from inference.events import LoadProgress
from inference.manager.spec import Spec
from tests.app.conftest import MakeProgram
from tests.app.test_model_manager import model, opened
from tests.patience import WAIT_S


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


def test_a_refusal_is_gone_when_the_page_is_opened_again(make_program: MakeProgram, tmp_path: Path) -> None:
    program = make_program().start()
    manager, page = opened(program)
    manager.take_in(str(tmp_path / "nowhere"))
    program.qtbot.waitUntil(lambda: "There is no folder" in page.details._message.text())
    page.close()
    manager.open_page()
    assert not page.details._message.isVisible() and not page.details._message.text()


def test_what_is_refused_while_the_page_is_closed_is_said_when_it_is_opened(
    make_program: MakeProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what had been said before is not said again with it."""
    take_in, held = jobs.take_in, threading.Event()

    def slow(path: Path, cancel: threading.Event) -> Iterator[LoadProgress | Spec]:
        if path.name == "late":
            held.wait(WAIT_S)
        yield from take_in(path, cancel)

    monkeypatch.setattr(jobs, "take_in", slow)
    program = make_program().start()
    manager, page = opened(program)

    def said() -> str:
        return page.details._message.text()

    manager.take_in_all([tmp_path / "late", tmp_path / "early"])
    program.qtbot.waitUntil(lambda: said().startswith("There is no folder") and "early" in said())
    page.close()
    held.set()
    program.qtbot.waitUntil(lambda: said().startswith("There is no folder"))
    manager.open_page()
    assert page.details._message.isVisible() and "late" in said() and "early" not in said()
