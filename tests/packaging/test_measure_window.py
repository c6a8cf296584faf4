"""The window's speed against the engine's: what is compared, and what the answer is."""

import measure_window
import pytest
from measure_window import Beat, Comparison, compare, main
from pytestqt.qtbot import QtBot


class Both:
    """Replies at a set speed each, and remembers who was asked when."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def through_window(self, *, watched: bool = False) -> float:
        self.asked.append("watched" if watched else "window")
        return 96.0

    def alone(self) -> float:
        self.asked.append("engine")
        return 100.0


def test_the_first_pair_warms_up_and_who_begins_alternates() -> None:
    both = Both()
    result = compare(both, 2)  # type: ignore[arg-type]
    assert both.asked == ["engine", "window", "window", "engine", "engine", "window"]
    assert result.window == [96.0, 96.0] and result.engine == [100.0, 100.0]
    assert result.share == pytest.approx(0.96)


@pytest.mark.parametrize(("speed", "status"), [(95.5, 0), (94.0, 1)])
def test_a_window_that_takes_more_than_a_twentieth_is_a_failure(
    speed: float, status: int, qapp: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Loaded(Both):
        def __init__(self, *_: object) -> None:
            super().__init__()
            self.beat = Beat()
            self.beat.longest_ms = 12.0

        def start(self) -> str:
            return ""

        def close(self) -> None:
            assert self.asked == ["watched"] * 3

    monkeypatch.setattr(measure_window, "Measured", Loaded)
    monkeypatch.setattr(measure_window, "compare", lambda *_: Comparison([speed] * 3, [100.0] * 3))
    assert main(["somewhere", "--pairs", "3"]) == status
    said = capsys.readouterr().out
    assert f"{speed / 100:.1%}" in said and "12 ms at most" in said


def test_the_longest_time_without_an_answer_is_found(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([1.0, 1.005, 1.085, 1.09])
    monkeypatch.setattr(measure_window, "perf_counter", lambda: next(moments))
    beat = Beat()
    beat.start()
    for _ in range(2):
        beat._timer.timeout.emit()
    beat.stop()
    assert beat.longest_ms == pytest.approx(80 - measure_window.BEAT_MS)
