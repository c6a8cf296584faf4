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
    draft = costs.draft("model")
    draft.measured(2, 0, 2.0)
    draft.measured(1, 0, 1000.0)
    assert draft.each <= 1.0 + 0.2 * OUTLIER
    costs.measured_other(2, 1.0)
    costs.measured_other(1, 1000.0)
    assert costs.other_s(2) <= 1.0 + 0.2 * OUTLIER
    assert costs.round_s(2, "model") == costs.verify_s(3) + 2 * draft.each + costs.other_s(2)
    expected = [1.0, 1.6, 2.1, 2.3]
    gains = [tokens * costs.round_s(0) / costs.round_s(k, "model") for k, tokens in enumerate(expected)]
    assert costs.gains(expected, "model") == gains


def test_what_a_draft_costs_outside_of_drafting_and_verifying_is_told_apart() -> None:
    costs = Costs({1: 1.0, 5: 1.2})
    assert costs.measured_other(4, 0.3) == 0.3, "nothing is known"
    assert costs.other_s(0) == costs.other_s(1) == 0.3, "one is as the other until it is measured"
    costs.measured_other(0, 0.1)
    assert (costs.other_s(0), costs.other_s(1), costs.other_s(4)) == (0.1, 0.3, 0.3)
    assert costs.round_s(0) == 1.1
    assert costs.measured_other(4, 0.6) == pytest.approx(0.2), "the machine was half as fast in that round"


def test_drafting_and_reading_are_told_apart() -> None:
    draft = Costs().draft("model")
    draft.measured(tokens=4, behind=100, seconds=0.08)
    assert 4 * draft.each + 100 * draft.read == pytest.approx(0.08)
    draft.measured(tokens=4, behind=1, seconds=0.04)
    assert draft.each == pytest.approx(0.01), "a guess counts for nothing once it is known"
    draft.measured(tokens=4, behind=100, seconds=0.24)
    assert draft.each == pytest.approx(0.01)
    assert draft.read == pytest.approx(0.002)


def test_what_a_pass_costs_beside_the_others_is_learned_from_both() -> None:
    costs = Costs({1: 1.0, 8: 1.2})
    for _ in range(200):
        costs.measured_verify(1, 1.0)
        costs.measured_verify(8, 2.4)
    assert costs.verify_s(8) / costs.verify_s(1) == pytest.approx(2.4, rel=0.02)
    assert costs.measured_verify(8, 4.8) == pytest.approx(2.0, rel=0.02)


def test_a_slower_machine_slows_all_passes_at_once() -> None:
    costs = Costs({1: 1.0, 8: 1.2})
    for _ in range(20):
        costs.measured_verify(8, 3.6)
    assert costs.verify_s(1) == pytest.approx(3.0, rel=0.25)
    assert costs.measured_verify(8, 3.6) == pytest.approx(3.0, rel=0.25)


def test_more_rows_never_take_less() -> None:
    """One row was measured while another program was busy; later, two rows were."""
    costs = Costs({1: 0.015, 2: 0.005, 5: 0.006})
    assert costs.verify_s(1) == costs.verify_s(2) == pytest.approx(0.005)
    assert Costs({1: 0.015, 2: 0.005}).measured_verify(2, 0.010) == pytest.approx(0.010)
    for _ in range(50):
        costs.measured_verify(1, 0.012)
        costs.measured_verify(3, 0.004)
    passes = [costs.verify_s(rows) for rows in range(1, 18)]
    assert passes == sorted(passes)
