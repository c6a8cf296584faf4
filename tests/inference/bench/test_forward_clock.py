"""The clock counts forwards of the models it watches and changes nothing about them."""

import pytest
import torch

from inference.bench import forward_clock
from inference.bench.forward_clock import ForwardClock
from tests.inference.fake_model import FakeModel


class Ticks:
    """perf_counter: one second later at every look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_every_forward_counts_until_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, target, draft, other = ForwardClock(), FakeModel(), FakeModel(), FakeModel()
    monkeypatch.setattr(forward_clock, "perf_counter", Ticks())
    clock.watch(target)
    clock.watch(draft)
    assert torch.equal(target.forward([1, 2], target.new_cache(), rows=2), other.forward([1, 2], other.new_cache(), 2))
    draft.forward([1], draft.new_cache())
    assert clock.seconds == 2.0
    clock.reset()
    assert clock.seconds == 0.0 and clock.complete


def test_a_device_that_works_on_after_return_is_not_timed() -> None:
    """And then nobody knows what is left for the loop, whatever else was timed."""
    clock, model = ForwardClock(), FakeModel()
    clock.watch(FakeModel())
    model.device = torch.device("cuda")
    clock.watch(model)
    model.forward([1], model.new_cache())
    assert clock.seconds == 0.0 and not clock.complete


def test_a_head_counts_where_its_target_does(monkeypatch: pytest.MonkeyPatch) -> None:
    class Runner:
        def draft(self, tokens: list[int]) -> list[int]:
            return tokens

    monkeypatch.setattr(forward_clock, "perf_counter", Ticks())
    for device, seconds in (("cpu", 1.0), ("cuda", 0.0)):
        clock, target, runner = ForwardClock(), FakeModel(), Runner()
        target.device = torch.device(device)
        clock.watch_head(runner, target)  # type: ignore[arg-type]
        assert runner.draft([3]) == [3]
        assert clock.seconds == seconds and clock.complete == (device == "cpu")
