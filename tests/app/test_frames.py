"""The beat of the window while a reply runs."""

from time import thread_time

import pytest
from pytestqt.qtbot import QtBot

from app.frames import FRAME_MS, SHARE, SLOWEST_MS, Frames, interval_ms


@pytest.mark.parametrize(("cost_ms", "between"), [(0, FRAME_MS), (1, FRAME_MS), (3, 60), (4.5, 90), (20, SLOWEST_MS)])
def test_drawing_takes_its_share_and_is_never_too_seldom(cost_ms: float, between: int) -> None:
    assert interval_ms(cost_ms / 1000) == between
    assert cost_ms / between <= SHARE or between == SLOWEST_MS


def test_a_costly_frame_slows_the_beat_and_cheap_ones_bring_it_back(qtbot: QtBot) -> None:
    frames, busy = Frames(), True

    def work() -> None:
        until = thread_time() + (0.02 if busy else 0.0)
        while thread_time() < until:
            pass

    frames.timeout.connect(work)
    frames.start()
    qtbot.waitUntil(lambda: frames.interval() == SLOWEST_MS, timeout=30_000)
    busy = False
    qtbot.waitUntil(lambda: frames.interval() < SLOWEST_MS // 2, timeout=30_000)
    frames.stop()
