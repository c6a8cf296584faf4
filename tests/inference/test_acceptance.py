import random

import pytest

from inference.acceptance import Acceptance, MovingRate, Positions


def rounds(positions: Positions, p: float, k: int, count: int, seed: int = 0) -> None:
    chance = random.Random(seed)
    for _ in range(count):
        accepted = 0
        while accepted < k and chance.random() < p:
            accepted += 1
        positions.observe(k, min(accepted + 1, k), accepted)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.7, 0.95])
def test_a_rate_that_stays_is_known_precisely(p: float) -> None:
    errors = []
    for seed in range(20):
        positions = Positions()
        rounds(positions, p, 4, 200, seed)
        errors.append(positions.rates(1)[0] - p)
    assert abs(sum(errors) / len(errors)) < 0.04
    assert max(map(abs, errors)) < 0.25


@pytest.mark.parametrize(("before", "after"), [(0.95, 0.3), (0.2, 0.9), (1.0, 0.0), (0.0, 1.0)])
def test_a_rate_that_changes_is_followed_within_ten_rounds(before: float, after: float) -> None:
    found = 0
    for seed in range(20):
        positions = Positions()
        rounds(positions, before, 4, 200, seed)
        rounds(positions, after, 4, 10, seed + 100)
        found += abs(positions.rates(1)[0] - after) < 0.35
    assert found >= 17


def test_chance_is_rarely_taken_for_a_change() -> None:
    rate, chance = MovingRate(0.5), random.Random(3)
    assert sum(rate.observe(float(chance.random() < 0.5)) for _ in range(2000)) <= 20


def test_a_position_that_is_not_reached_any_more_is_forgotten() -> None:
    """A second token that was refused by chance is drafted again some day."""
    positions = Positions()
    for _ in range(40):
        positions.observe(2, 2, 1)
    assert positions.rates(2)[1] < 0.15
    rounds(positions, 1.0, 1, 150)
    assert positions.rates(2)[1] > 0.7


def test_what_is_not_known_is_taken_to_be_like_what_stands_before_it() -> None:
    positions = Positions()
    assert positions.rates(3) == [0.7, 0.7, 0.7]
    rounds(positions, 0.0, 1, 50)
    assert positions.rates(3)[2] < 0.1
    assert positions.expected_tokens(2)[0] == 1.0


def test_another_reply_is_learned_quickly_and_yet_known_from_the_start() -> None:
    acceptance = Acceptance()
    positions = acceptance.of("model", 0.7)
    rounds(positions, 0.05, 1, 100)
    known = positions.rates(1)[0]
    acceptance.begin_reply()
    assert acceptance.of("model", 0.7) is positions
    assert positions.known
    assert positions.rates(1)[0] == pytest.approx(known)
    rounds(positions, 1.0, 1, 3)
    assert positions.rates(1)[0] > known + 0.2
    assert not acceptance.of("model", 1.2).known
