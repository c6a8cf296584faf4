"""What is said about the machine, and about who else used it."""

import os

import pytest

from inference.bench.machine import Machine, OtherPrograms, processor_name


def test_facts() -> None:
    machine = Machine.here(None, 1.5)
    assert machine.cores == os.cpu_count()
    assert machine.torch_threads >= 1
    assert (machine.kernel_threads, machine.load_average) == (None, 1.5)
    assert processor_name()


@pytest.mark.parametrize(("busy", "share"), [(4.0, 0.75), (1.0, 0.0), (0.5, 0.0), (99.0, 1.0)])
def test_share_of_other_programs(monkeypatch: pytest.MonkeyPatch, busy: float, share: float) -> None:
    """In 2 s on 2 cores all programs together worked for `busy` seconds, this one for 1."""
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    times = iter([(10.0, 100.0, 5.0), (12.0, 100.0 + busy, 6.0)])
    monkeypatch.setattr(OtherPrograms, "_now", staticmethod(lambda: next(times)))
    assert OtherPrograms().share == share


def test_clocks_run_and_own_work_is_among_that_of_all() -> None:
    before = OtherPrograms._now()
    while OtherPrograms._now()[2] - before[2] < 0.2:
        sum(range(1000))
    wall, busy, own = (now - then for now, then in zip(OtherPrograms._now(), before, strict=True))
    tick = 0.01 * (os.cpu_count() or 1)  # as finely as each core counts
    assert wall > 0 and own >= 0.2 and busy > own - 2 * tick - 0.05
