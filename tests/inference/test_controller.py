"""The controller against simulated machines: no clock, no model, only costs and chance."""

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from inference.acceptance import Acceptance
from inference.controller import DraftLengthController
from inference.costs import Costs
from inference.settings import SpeculationSettings
from inference.statistics import RoundStatistics, expected_tokens


@dataclass(frozen=True)
class Machine:
    """Seconds: a pass over n rows takes base + (n - 1) * row, a drafted token `draft`."""

    base: float = 0.010
    row: float = 0.0005
    draft: float = 0.001

    def verify_s(self, rows: int) -> float:
        return self.base + (rows - 1) * self.row


def run(
    controller: DraftLengthController,
    machine: Machine,
    rounds: int,
    p: float | Callable[[int], float],
    seed: int = 0,
    matches: bool = True,
) -> list[RoundStatistics]:
    """Rounds in which each drafted token is accepted with probability p (of the round's number, if a function)."""
    chance = random.Random(seed)
    history = []
    for i in range(rounds):
        k = controller.next_length()
        proposed = k if matches else 0
        accepted = 0
        while accepted < proposed and chance.random() < (p(i) if callable(p) else p):
            accepted += 1
        figures = RoundStatistics(
            draft_length=k,
            proposed=proposed,
            verified=min(accepted + 1, proposed),
            accepted=accepted,
            committed=accepted + 1,
            draft_s=proposed * machine.draft,
            verify_s=machine.verify_s(proposed + 1) * chance.uniform(0.95, 1.05),
            other_s=0.0001,
        )
        controller.update(figures, proposed + 1)
        history.append(figures)
    return history


def speed(history: list[RoundStatistics]) -> float:
    return sum(f.committed for f in history) / sum(f.seconds for f in history)


def controller(machine: Machine, temperature: float = 0.0, **settings: object) -> DraftLengthController:
    warm = {rows: machine.verify_s(rows) for rows in (1, 2, 4, 8)}
    speculation = SpeculationSettings(**{"drafter": "model", **settings})  # type: ignore[arg-type]
    return DraftLengthController(speculation, Costs(warm), Acceptance(), temperature)


MACHINES = [Machine(), Machine(draft=0.003), Machine(row=0.002), Machine(draft=0.0), Machine(row=0.0, draft=0.0001)]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("p", [0.5, 0.7, 0.9, 0.97])
def test_dynamic_length_is_within_five_percent_of_the_best_fixed_one(machine: Machine, p: float) -> None:
    def fixed(k: int) -> float:
        return expected_tokens(p, k) / (k * machine.draft + machine.verify_s(k + 1) + 0.0001)

    best = max(fixed(k) for k in range(9))
    got = speed(run(controller(machine, min_acceptance=0.0), machine, 3000, p))
    assert got >= 0.95 * best


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("p", [0.0, 0.02])
def test_automatic_is_never_three_percent_slower_than_no_draft(machine: Machine, p: float) -> None:
    got = speed(run(controller(machine), machine, 2000, p))
    assert got >= 0.97 * 1.0 / (machine.base + 0.0001)


def test_on_never_pauses_and_off_never_drafts() -> None:
    losing = Machine(draft=0.02)
    assert all(f.draft_length >= 1 for f in run(controller(losing, mode="on"), losing, 200, 0.05))
    assert all(f.draft_length == 0 for f in run(controller(losing, mode="off"), losing, 20, 0.9))
    assert all(f.draft_length == 0 for f in run(controller(losing, drafter="none"), losing, 20, 0.9))


def test_a_fixed_length_is_kept_and_pauses_only_in_automatic() -> None:
    machine = Machine()
    lengths = {
        f.draft_length for f in run(controller(machine, mode="on", dynamic=False, draft_length=5), machine, 99, 0.3)
    }
    assert lengths == {5}
    losing = Machine(draft=0.02)
    lengths = {f.draft_length for f in run(controller(losing, dynamic=False, draft_length=5), losing, 99, 0.3)}
    assert lengths == {0, 5}


def test_a_change_of_text_is_followed_within_ten_rounds_of_drafting() -> None:
    machine = Machine()
    c = controller(machine, min_acceptance=0.0)
    run(c, machine, 200, 0.95)
    assert c.next_length() >= 6
    run(c, machine, 10, 0.3)
    assert c.next_length() <= 3
    run(c, machine, 10, 1.0)
    assert c.next_length() >= 4


def test_a_paused_draft_comes_back_when_it_pays_again() -> None:
    machine = Machine(draft=0.003)
    c = controller(machine)
    run(c, machine, 300, 0.0)
    assert c.pause_reason == "losing"
    history = run(c, machine, 400, 0.95)
    assert all(f.draft_length > 0 for f in history[-50:])
    assert c.pause_reason is None


@pytest.mark.parametrize(("temperature", "reason"), [(0.7, "losing"), (1.5, "high_temperature")])
def test_the_reason_of_a_pause_is_told(temperature: float, reason: str) -> None:
    machine = Machine(draft=0.02)
    c = controller(machine, temperature)
    run(c, machine, 50, 0.1)
    assert c.pause_reason == reason


def test_no_match_is_no_loss() -> None:
    machine = Machine()
    c = controller(machine)
    run(c, machine, 50, 0.9, matches=False)
    assert c.pause_reason == "no_match"
    assert c.next_length() > 0


def test_below_the_least_acceptance_the_draft_shrinks() -> None:
    machine = Machine(row=0.0002, draft=0.0002)
    strict, free = controller(machine, min_acceptance=0.9), controller(machine, min_acceptance=0.0)
    run(strict, machine, 200, 0.6)
    run(free, machine, 200, 0.6)
    assert strict.next_length() < free.next_length()


def test_gains_are_by_the_formula() -> None:
    machine = Machine()
    c = controller(machine, mode="on", dynamic=False, draft_length=4)
    run(c, machine, 2000, 0.8)
    cost = 4 * machine.draft + machine.verify_s(5) + 0.0001
    assert c.expected_gain(4) == pytest.approx(expected_tokens(0.8, 4) * machine.base / cost, rel=0.15)
    assert c.measured_gain(200.0) == pytest.approx(200.0 * (machine.base + 0.0001), rel=0.1)
    assert c.expected_gain(0) is None
