"""The beat of the window while a reply runs."""

import os

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app import frames as frames_module
from app.frames import FRAME_MS, SHARE, SLOWEST_MS, Frames, interval_ms


@pytest.mark.parametrize(
    ("cost_ms", "cores", "between"),
    [(0, 2, FRAME_MS), (0.9, 2, FRAME_MS), (3, 2, 100), (3, 4, 50), (3, 16, FRAME_MS), (20, 2, SLOWEST_MS)],
)
def test_drawing_takes_its_share_and_is_never_too_seldom(cost_ms: float, cores: int, between: int) -> None:
    assert interval_ms(cost_ms / 1000, cores) == between
    assert cost_ms / between / cores <= SHARE or between == SLOWEST_MS


def test_a_costly_frame_slows_the_beat_and_cheap_ones_bring_it_back(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_s = 0.0
    monkeypatch.setattr(frames_module, "thread_time", lambda: worked_s)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    frames = Frames()
    between = []
    for cost_s in [0.02] * 10 + [0.001] * 30:
        worked_s += cost_s
        frames._measure()
        between.append(frames.interval())
    assert between[9] == SLOWEST_MS and between[-1] < SLOWEST_MS // 2
    assert between == sorted(between[:10]) + sorted(between[10:], reverse=True), "neither way is a jump back and forth"


def test_the_figures_are_shown_in_the_first_frame_and_then_seldom_enough_to_be_read(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 100.0
    monkeypatch.setattr(frames_module, "monotonic", lambda: now_s)
    frames = Frames()
    for interval, every in ((FRAME_MS, 4), (SLOWEST_MS, 2)):
        frames.begin()  # each reply shows its first figures at once
        frames.stop()
        frames.setInterval(interval)
        shown = []
        for _ in range(4 * every):
            shown.append(frames.figures_due())
            now_s += interval / 1000
        assert shown == [place % every == 0 for place in range(4 * every)], interval


def test_the_engine_lends_a_core_while_the_window_works_and_has_it_back_when_that_waits(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(frames_module, "lend_core", lambda: said.append("lend"))
    monkeypatch.setattr(frames_module, "take_back_core", lambda: said.append("back"))
    frames, wait = Frames(), QEventLoop()
    beats: list[list[str]] = []
    frames.timeout.connect(lambda: beats.append(said[:]))
    frames.timeout.connect(lambda: wait.quit() if len(beats) == 3 else None)
    frames.begin()
    wait.exec()
    assert all(beat[-1] == "lend" for beat in beats), "lent before anything is drawn"
    assert "back" in beats[1][len(beats[0]) :], "and taken back before the next beat"
    monkeypatch.setattr(frames_module, "FRAME_S", 0.0)
    quiet = len(said)
    QTimer.singleShot(0, wait.quit)
    wait.exec()
    assert "lend" not in said[quiet:], "what the window does between frames is its own affair"
    frames.begin()  # of a reply that follows at once: nothing is said twice
    frames.stop()
    assert said[-1] == "back" and said.count("lend") >= said.count("back") >= 2
    ended = len(said)
    QTimer.singleShot(0, wait.quit)
    wait.exec()
    assert len(said) == ended, "nothing is lent when no reply runs"
