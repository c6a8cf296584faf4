"""A training process as the window sees it, played by a small script that says what the real one says."""

import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.training_run import TrainingRun, TrainingState, TrainingWish
from inference import child_process

PROGRESS = {"step": "train", "done": 50, "total": 200, "left_s": 9.0, "paused": False}


def progress(**changes: object) -> str:
    figures = changes.pop("figures", {"head": "any", "agreement_1": 0.5})
    return json.dumps({"progress": {**PROGRESS, **changes, "figures": figures}})


class Stage:
    """A run whose process is `script`, and everything it said."""

    def __init__(self, folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(child_process, "command", lambda arguments: [sys.executable, "-c", script, *arguments])
        self.states: list[TrainingState] = []
        self.changed = threading.Condition()
        self.run = TrainingRun(folder / "busy", self._take)

    def _take(self, state: TrainingState) -> None:
        with self.changed:
            self.states.append(state)
            self.changed.notify_all()

    def wait_for(self, what: str) -> TrainingState:
        with self.changed:
            assert self.changed.wait_for(lambda: any(self._is(state, what) for state in self.states), 30)
            return next(state for state in self.states if self._is(state, what))

    @staticmethod
    def _is(state: TrainingState, what: str) -> bool:
        return state.step == what or (what == "end" and not state.running) or (what == "paused" and state.paused)


@pytest.fixture
def closing() -> Iterator[list[TrainingRun]]:
    runs: list[TrainingRun] = []
    yield runs
    for run in runs:
        run.close()


def test_lines_become_states() -> None:
    state = TrainingState(running=True).after(json.dumps({"estimate": {"disk_bytes": 5}}))
    assert state.estimate == {"disk_bytes": 5}
    state = state.after(progress()).after(progress(done=100, figures={"head": "any", "agreement_1": 0.6}))
    assert (state.step, state.head, state.share, state.left_s) == ("train", "any", 0.5, 9.0)
    assert state.curve == (0.5, 0.6)
    state = state.after(progress(figures={"head": "code", "agreement_1": 0.7}))
    assert state.curve == (0.7,)  # another head, another curve
    gained = {"head": "code", "folder": "x", "acceptance_by_position": [0.7]}
    state = state.after(progress(step="package", figures=gained)).after(json.dumps({"draft": "/drafts/code"}))
    assert state.gained["code"]["acceptance_by_position"] == [0.7]
    assert state.drafts == ("/drafts/code",)
    state = state.after(json.dumps({"error": "No disk.", "remedy": "Make room."}))
    assert state.error == "No disk. Make room."


@pytest.mark.parametrize("line", ["", "UserWarning: something", "[1, 2]", '{"other": 1}', "{"])
def test_what_is_no_news_changes_nothing(line: str) -> None:
    state = TrainingState(running=True)
    assert state.after(line) is state


def test_the_wish_is_said_in_arguments(tmp_path: Path) -> None:
    said = TrainingWish("model", ("code",), True, "own.jsonl", 10, 20).arguments(tmp_path / "busy")
    from inference.training.options import read

    options = read(said[1:])
    assert said[0] == "train-draft" and options.json and options.include_my_chats
    assert (options.model, options.tasks, options.prompts) == ("model", ("code",), Path("own.jsonl"))
    assert (options.reply_tokens, options.train_tokens, options.busy) == (10, 20, tmp_path / "busy")
    assert "--include-my-chats" not in TrainingWish("model").arguments(tmp_path)


def test_a_run_is_told_from_beginning_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closing: list[TrainingRun]
) -> None:
    script = f"print({progress()!r}); print('noise'); print({json.dumps({'draft': 'd'})!r})"
    stage = Stage(tmp_path, script, monkeypatch)
    closing.append(stage.run)
    stage.run.start(TrainingWish("model"))
    last = stage.wait_for("end")
    assert stage.states[0].running and not last.running
    assert last.drafts == ("d",) and not last.error


def test_a_crash_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closing: list[TrainingRun], expected_errors: list[str]
) -> None:
    expected_errors.append("training ended with 7")
    stage = Stage(tmp_path, "raise SystemExit(7)", monkeypatch)
    closing.append(stage.run)
    stage.run.start(TrainingWish("model"))
    stage.wait_for("end")
    assert "code 7" in stage.run.state.error


WAITS = f"""
import signal, sys, threading
end = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: end.set())
print({progress()!r}, flush=True)
end.wait(30)
print({json.dumps({"draft": "checkpoint"})!r}, flush=True)
sys.exit(130)
"""


@pytest.mark.usefixtures("closing")
def test_a_stopped_run_ends_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage(tmp_path, WAITS, monkeypatch)
    stage.run.start(TrainingWish("model"))
    stage.wait_for("train")
    stage.run.close()
    assert not stage.run.state.running and not stage.run.state.error
    if sys.platform != "win32":
        assert stage.run.state.drafts == ("checkpoint",)  # it had the time to write


def test_a_second_run_beside_the_first_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closing: list[TrainingRun]
) -> None:
    stage = Stage(tmp_path, WAITS, monkeypatch)
    closing.append(stage.run)
    stage.run.start(TrainingWish("model"))
    with pytest.raises(ValueError, match="under way"):
        stage.run.start(TrainingWish("model"))


def test_a_pause_is_seen_by_the_training(tmp_path: Path) -> None:
    from inference.training.control import Control

    busy = tmp_path / "folder" / "busy"
    run = TrainingRun(busy, lambda _: None)
    control = Control(busy=busy)
    assert control._is_busy() is False
    run.make_way(True)
    assert control._is_busy()
    run.make_way(False)
    assert not control._is_busy()
    run.make_way(True, seconds=-60)
    assert not control._is_busy() and busy.stat().st_mtime < time.time()
