"""What a first reply needs is read once, when a model has come."""

import threading

import pytest

from app import highlight, warm_up
from tests.app.conftest import MakeProgram


def test_formulas_and_languages_are_read_in_a_thread_once(
    make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers: list[threading.Thread] = []
    monkeypatch.setattr(warm_up, "picture_of", lambda *_, **__: readers.append(threading.current_thread()))
    monkeypatch.setattr(highlight, "_made", {})
    program = make_program().start()
    program.qtbot.waitUntil(lambda: all(highlight.is_quick(language, 1) for language in warm_up.LANGUAGES))
    assert len(readers) == 1 and readers[0] is not threading.main_thread()
    program.ask("Why?")
    program.application.model_ready.emit(program.application.loader.target)
    assert len(readers) == 1


def test_it_ends_when_the_window_closes() -> None:
    cancel, read = threading.Event(), warm_up.warm_up
    steps = read(cancel)
    next(steps)
    cancel.set()
    assert list(steps) == []
