"""Progress out; pauses and the end in."""

import os
import threading
import time
from pathlib import Path

import pytest

from inference.training import control
from inference.training.control import CancelledError, Clock, Control, Progress
from tests.patience import WAIT_S


def test_a_stop_is_heard_at_the_next_breath() -> None:
    steered = Control()
    assert steered.breathe() == 0.0
    steered.stop.set()
    with pytest.raises(CancelledError):
        steered.breathe()


def test_it_waits_while_the_file_is_fresh_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "LOOK_S", 0.01)
    busy, heard, paused = tmp_path / "busy", [], threading.Event()

    def say(progress: Progress) -> None:
        heard.append(progress)
        if progress.paused:
            paused.set()

    steered = Control(say, busy, every_s=0.0)
    steered.say(Progress("train", 1, 9))
    busy.touch()
    waited: list[float] = []
    thread = threading.Thread(target=lambda: waited.append(steered.breathe()))
    thread.start()
    assert paused.wait(WAIT_S) and not waited
    busy.unlink()
    thread.join(WAIT_S)
    assert waited and waited[0] > 0
    assert [progress.paused for progress in heard] == [False, True]


def test_a_file_that_was_forgotten_holds_nobody_up(tmp_path: Path) -> None:
    busy = tmp_path / "busy"
    busy.touch()
    old = time.time() - control.BUSY_FOR_S - 1
    os.utime(busy, (old, old))
    assert Control(busy=busy).breathe() == 0.0


def test_a_stop_is_heard_while_it_waits(tmp_path: Path) -> None:
    busy = tmp_path / "busy"
    busy.touch()
    steered = Control(busy=busy)
    threading.Timer(0.01, steered.stop.set).start()
    with pytest.raises(CancelledError):
        steered.breathe()


def test_not_every_step_is_told(tmp_path: Path) -> None:
    heard: list[int] = []
    steered = Control(lambda progress: heard.append(progress.done), every_s=1000.0)
    for done in range(1, 6):
        steered.say(Progress("train", done, 5))
    assert heard == [1, 5]


def test_time_left_counts_this_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(control, "monotonic", lambda: now[0])
    clock = Clock(done=500, total=1000)
    assert clock.left_s(500) is None
    now[0] += 30.0
    clock.waited(20.0)
    assert clock.left_s(600) == pytest.approx(40.0)
    assert clock.pace(600) == pytest.approx(10.0)
