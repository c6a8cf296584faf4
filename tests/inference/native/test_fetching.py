"""Whether weights are fetched ahead by hand is measured, and never seen in a result."""

from collections.abc import Iterator

import pytest
import torch

from inference.native import fetching
from inference.native.fetching import choose_fetching, passes_s
from inference.native.library import Library
from inference.native.native_model import NativeModel
from tests.inference.native.test_native_model import native, reference


class Clock:
    """Time that passes only in `forward`: `slow` a pass where weights are left to the processor, else `fast`."""

    def __init__(self, library: Library, slow: float, fast: float) -> None:
        self.now = 0.0
        self.chosen: list[int] = []
        self._seconds = {0: slow, 1: fast}
        self._fetch_from = library.fetch_from

    def __call__(self) -> float:
        return self.now

    def fetch_from(self, rows: int) -> None:
        self.chosen.append(rows)
        self._fetch_from(rows)

    def passed(self) -> None:
        self.now += self._seconds[self.chosen[-1]]


@pytest.fixture
def model(library: Library) -> Iterator[NativeModel]:
    yield native(reference("llama"), library)
    library.fetch_from(0)


def clocked(model: NativeModel, monkeypatch: pytest.MonkeyPatch, slow: float, fast: float) -> Clock:
    clock, forward = Clock(model.library, slow, fast), model.forward

    def timed(*arguments: object) -> torch.Tensor:
        clock.passed()
        return forward(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(fetching, "perf_counter", clock)
    monkeypatch.setattr(fetching, "TELLING", 0)
    monkeypatch.setattr(model, "forward", timed)
    monkeypatch.setattr(model.library, "fetch_from", clock.fetch_from)
    return clock


@pytest.mark.parametrize(("slow", "fast", "chosen"), [(0.048, 0.031, 1), (0.030, 0.034, 0)])
def test_the_faster_way_is_kept(
    model: NativeModel, monkeypatch: pytest.MonkeyPatch, slow: float, fast: float, chosen: int
) -> None:
    clock = clocked(model, monkeypatch, slow, fast)
    choose_fetching(model)
    assert clock.chosen[-1] == chosen
    assert clock.chosen[:-1] == [0, 1] * (len(clock.chosen) // 2), "in turn, so that a drifting machine favours none"


def test_large_models_are_timed_for_half_a_second_or_so(model: NativeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = clocked(model, monkeypatch, 2.0, 1.0)
    assert passes_s(model) == {0: 2.0, 1: 1.0}
    assert clock.chosen == [0, 1] * 3, "once for the disk, twice for the clock"


def test_what_lies_in_the_caches_tells_nothing(model: NativeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(model.library, "fetch_from", chosen.append)
        choose_fetching(model)
    assert chosen == []


def test_the_result_is_the_same(model: NativeModel) -> None:
    results = []
    for rows in (0, 1, 4, 9):
        model.library.fetch_from(rows)
        cache = model.new_cache(64)
        results.append([model.forward([3, 1, 4, 1, 5, 9, 2], cache, 7), model.forward([6], cache)])
    for first, then in results[1:]:
        assert torch.equal(first, results[0][0]) and torch.equal(then, results[0][1])


def test_rows_are_not_negative(library: Library) -> None:
    with pytest.raises(ValueError, match="refuse"):
        library.fetch_from(-1)
