"""The speed of the memory: a figure that does not change with what else the machine does just then."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from inference import bandwidth
from inference.bandwidth import BUFFER, KEPT, STRETCHES, measured_bandwidth, usual_bandwidth


def test_a_stretch_that_was_disturbed_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([0.005, 0.9, 0.004, 0.8, 0.005][:STRETCHES])
    monkeypatch.setattr(bandwidth, "_fastest", lambda data: next(seconds))
    assert measured_bandwidth(torch.device("cpu")) == BUFFER / 0.005


def test_this_machine_can_be_measured() -> None:
    found = measured_bandwidth(torch.device("cpu"))
    assert found is not None and 1e8 < found < 1e13


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[float]], list[int]]:
    """Pretends results; gives the list in which the measurements are counted."""

    def pretend(results: list[float]) -> list[int]:
        counted: list[int] = []
        left: Iterator[float] = iter(results)

        def measure(device: torch.device) -> float:
            counted.append(1)
            return next(left)

        monkeypatch.setattr(bandwidth, "measured_bandwidth", measure)
        return counted

    return pretend


def test_the_same_question_has_the_same_answer(tmp_path: Path, measuring: Callable[[list[float]], list[int]]) -> None:
    note = tmp_path / "cache" / "speed.json"
    counted = measuring([20e9, 21e9, 4e9, 20.5e9, 60e9])
    answers = [usual_bandwidth(note) for _ in range(KEPT + 3)]
    assert len(counted) == KEPT, "then it is known"
    assert answers[KEPT - 1 :] == [20.5e9] * 4, "and one noisy figure has no say"


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"machine": "another", "bytes_per_second": [1, 1, 1, 1, 1]}'])
def test_what_is_no_note_of_this_machine_is_not_believed(
    tmp_path: Path, text: str, measuring: Callable[[list[float]], list[int]]
) -> None:
    note = tmp_path / "speed.json"
    note.write_text(text, encoding="utf-8")
    measuring([20e9])
    assert usual_bandwidth(note) == 20e9
    assert json.loads(note.read_text(encoding="utf-8"))["bytes_per_second"] == [20e9]
