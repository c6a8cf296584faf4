"""The window never waits for the disk, and nothing is lost for that."""

import os
import threading
from pathlib import Path

import pytest

from app.later import Later
from app.model_memory import ModelMemory
from app.presets import Presets
from app.settings_file import SettingsFile
from app.views.composer import Composer
from inference.errors import UserError
from tests.app.conftest import MakeProgram
from tests.patience import WAIT_S


def test_what_is_overtaken_is_left_out_and_nothing_else() -> None:
    later, busy, free, done = Later("test"), threading.Event(), threading.Event(), list[str]()

    def wait() -> None:
        busy.set()
        assert free.wait(WAIT_S)

    later.do(wait)
    assert busy.wait(WAIT_S)
    for word in ("one", "two"):
        later.do(lambda word=word: done.append(word))  # type: ignore[misc]
        later.do(lambda word=word: done.append(f"other {word}"), "other")  # type: ignore[misc]
    free.set()
    later.flush()
    assert done == ["two", "other two"]
    later.do(lambda: done.append("three"))  # after its thread has ended
    later.flush()
    assert done[-1] == "three"


def test_what_fails_is_told_and_stops_nothing(expected_errors: list[str]) -> None:
    later, told, done = Later("test"), list[UserError](), list[str]()
    later.refused = told.append

    def refuse() -> None:
        raise UserError("The disk is full.")

    later.do(refuse, "first")
    later.do(lambda: done[7], "second")  # type: ignore[arg-type, return-value]
    later.do(lambda: done.append("third"), "third")
    later.flush()
    assert [error.message for error in told] == ["The disk is full."] and done == ["third"]
    expected_errors.append("test failed")


def test_while_the_disk_is_busy_the_window_goes_on(
    make_program: MakeProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that answers nothing until the program closes: only then is it waited for."""
    program = make_program().start()
    application = program.application
    free, fsync, closing, waited = threading.Event(), os.fsync, list[bool](), list[bool]()

    def busy(handle: int) -> None:
        if threading.current_thread() is threading.main_thread():
            waited.append(bool(closing))
        else:
            assert free.wait(WAIT_S)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", busy)
    for seed in range(5):
        application.change_settings(application.settings.with_value("seed", seed))
    buttons: Composer = program.window.composer
    for name in ("Mine", "Other"):
        buttons.presets.save_requested.emit(name)
    application.change_settings(application.settings.with_value("context_length", 4096))
    application.model_manager.remember()
    application.troubleshooting.is_ready()
    assert not waited and not list(tmp_path.glob("settings.toml"))
    closing.append(True)
    free.set()
    application.close()
    settings, _ = SettingsFile(tmp_path / "settings.toml").read()
    assert (settings.seed, settings.context_length) == (4, 4096)
    assert [preset.name for preset in Presets(tmp_path / "data" / "presets.toml").own] == ["Mine", "Other"]
    target = application.loader.target
    kept = ModelMemory(tmp_path / "models.json").recall(target.spec.identifier if target else "")
    assert kept is not None and kept.context_length == 4096
    assert '"running": false' in (tmp_path / "starts.json").read_text()
