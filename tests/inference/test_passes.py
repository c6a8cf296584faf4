"""What passes take by their rows, measured on a processor whose caches fill slowly, and on slow models."""

from collections.abc import Sequence

import pytest
import torch

from inference import passes
from tests.inference.fake_model import FakeCache, FakeModel


class Clocked(FakeModel):
    """Passes take `seconds(rows)` on a clock of its own, the first ones longer; none succeeds with `too_many` rows."""

    def __init__(self, slow: float = 1.0, settling: float = 0.0, too_many: int = 99) -> None:
        super().__init__()
        self.slow, self.settling, self.too_many = slow, settling, too_many
        self.now, self.made = 100.0, list[int]()

    def seconds(self, rows: int) -> float:
        return self.slow * (1.0 + 0.1 * rows) * (1.0 + self.settling * 0.8 ** len(self.made))

    def forward(self, tokens: Sequence[int], cache: FakeCache, rows: int = 1) -> torch.Tensor:
        if rows >= self.too_many:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        self.now += self.seconds(rows)
        self.made.append(rows)
        return super().forward(tokens, cache, rows)


def measured(model: Clocked, monkeypatch: pytest.MonkeyPatch) -> dict[int, float]:
    monkeypatch.setattr(passes, "perf_counter", lambda: model.now)
    return passes.measure_verify(model)  # type: ignore[arg-type]


def test_what_settles_during_the_passes_is_not_put_down_to_their_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = measured(Clocked(0.003, settling=1.0), monkeypatch)
    for rows in passes.ROWS:
        assert costs[rows] / costs[1] == pytest.approx((1 + 0.1 * rows) / 1.1, rel=0.02)


def test_slow_passes_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Clocked(0.3)
    assert set(measured(model, monkeypatch)) == {1, 2} and len(model.made) == 3
    assert set(measured(Clocked(5.0), monkeypatch)) == {1}, "one is always made"


def test_what_finds_no_memory_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(measured(Clocked(0.001, too_many=4), monkeypatch)) == {1, 2}
