import pytest

from inference.costs import OUTLIER, Costs


def test_between_measured_rows_lies_a_line() -> None:
    costs = Costs({1: 10.0, 4: 13.0, 8: 21.0})
    assert [costs.verify_s(n) for n in (1, 2, 4, 6, 8, 10)] == [
        10.0,
        11.0,
        13.0,
        17.0,
        21.0,
        pytest.approx(24.14, abs=0.01),
    ]


def test_one_measurement_is_enough_to_guess() -> None:
    costs = Costs({2: 10.0})
    assert costs.verify_s(1) < 10.0 < costs.verify_s(3)
    assert not Costs().known


def test_a_slower_machine_is_followed_and_drags_the_rest_along() -> None:
    costs = Costs({1: 1.0, 5: 1.2})
    for _ in range(60):
        costs.measured_verify(5, 2.4)
    assert costs.verify_s(5) == pytest.approx(2.4, rel=0.01)
    assert costs.verify_s(1) > 1.3


def test_an_outlier_counts_little() -> None:
    costs = Costs({1: 1.0})
    costs.measured_verify(1, 1000.0)
    assert costs.verify_s(1) <= 1.0 + 0.2 * OUTLIER
    costs.measured_draft(2, 2.0)
    costs.measured_draft(1, 1000.0)
    assert costs.draft_s <= 1.0 + 0.2 * OUTLIER
    costs.measured_other(1.0)
    costs.measured_other(1000.0)
    assert costs.round_s(2) == costs.verify_s(3) + 2 * costs.draft_s + costs.other_s
