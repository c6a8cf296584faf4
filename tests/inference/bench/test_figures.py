"""Medians, paired ratios and what says how far to trust them."""

from itertools import product
from statistics import median

import pytest

from inference.bench.figures import interval, paired, rows, spread
from tests.inference.bench.samples import drafted, sample


def test_medians_over_passes_then_over_prompts() -> None:
    speeds = {0: (10.0, 90.0, 11.0), 1: (20.0, 21.0, 5.0), 2: (30.0, 31.0, 32.0)}
    samples = [sample("a", speed, case, n) for case, passes in speeds.items() for n, speed in enumerate(passes)]
    (row,) = rows(samples, ["a"])
    assert (row.tok_s, row.runs) == (20.0, 9)


def test_a_drifting_machine_leaves_the_ratio_alone() -> None:
    samples = [sample(arm, speed / (1 + n), 0, n) for n in range(9) for arm, speed in (("a", 10.0), ("b", 20.0))]
    _, row = rows(samples, ["a", "b"])
    assert row.ratio is not None
    assert (row.ratio.median, row.ratio.least, row.ratio.most) == pytest.approx((2.0, 2.0, 2.0))
    assert row.wide


def test_ratios_pair_the_same_prompt_in_the_same_pass() -> None:
    first = [sample("a", 10.0, 0, 0), sample("a", 20.0, 1, 0), sample("a", 30.0, 0, 1)]
    other = [sample("b", 20.0, 0, 0), sample("b", 10.0, 1, 0), sample("b", 99.0, 5, 5)]
    ratio = paired(other, first)
    assert ratio is not None
    assert (ratio.least, ratio.most, ratio.pairs) == (0.5, 2.0, 2)


@pytest.mark.parametrize("peer_first", [False, True])
def test_a_peer_is_compared_pass_by_pass(peer_first: bool) -> None:
    ours = [sample("a", speed, case, n) for n, (case, speed) in product(range(2), enumerate((10.0, 20.0, 30.0)))]
    peers = [sample("p", 40.0, None, 0), sample("p", 60.0, None, 1)]
    ratio = paired(ours, peers) if peer_first else paired(peers, ours)
    assert ratio is not None
    assert (ratio.least, ratio.most) == pytest.approx((1 / 3, 0.5) if peer_first else (2.0, 3.0))


def test_no_ratio_without_a_pair() -> None:
    assert paired([sample("b", 5.0, 1)], [sample("a", 5.0, 0)]) is None


@pytest.mark.parametrize(("n", "rank"), [(6, 1), (8, 1), (9, 2), (12, 3), (20, 6), (30, 10)])
def test_interval_has_the_ranks_of_the_binomial_table(n: int, rank: int) -> None:
    values = [float(i) for i in range(1, n + 1)]
    assert interval(values) == (float(rank), float(n + 1 - rank))


def test_too_few_values_have_no_interval() -> None:
    assert interval([1.0] * 5) == (None, None)
    assert interval([]) == (None, None)


def test_interval_holds_the_median_as_often_as_it_says() -> None:
    """Over all sign patterns of nine independent values around a median of 0."""
    hits = 0
    for signs in product((-1.0, 1.0), repeat=9):
        low, high = interval(sorted(sign * (1 + i) for i, sign in enumerate(signs)))
        assert low is not None and high is not None
        hits += low <= 0 <= high
    assert hits / 2**9 >= 0.95


def test_spread_is_within_prompts_not_between_them() -> None:
    steady = [sample("a", speed, case, n) for case, speed in enumerate((1.0, 50.0)) for n in range(3)]
    assert spread(steady) == 0
    assert spread([*steady, sample("a", 2.0, 0, 3)]) == pytest.approx(0.5)  # the median of 1 and 0
    assert spread(steady[:1]) is None


def test_shares_pool_all_replies() -> None:
    runs = [
        drafted(proposed=10, verified=8, accepted=6, draft_s=0.5, paused_rounds=5),
        drafted(proposed=30, verified=20, accepted=15, draft_s=0.1, reply_tokens=50),
    ]
    samples = [
        sample("a", 1.0, i, 0, statistics=s, proposed=s.proposed, accepted=s.accepted, forward_s=1.9)
        for i, s in enumerate(runs)
    ]
    (row,) = rows(samples, ["a"])
    assert row.acceptance_rate == pytest.approx(21 / 28)
    assert row.draft_yield == pytest.approx(21 / 40)
    assert row.tokens_per_round == pytest.approx(4.0)
    assert row.draft_share == pytest.approx(0.15)
    assert row.draft_length == pytest.approx(2.0)
    assert row.paused_share == pytest.approx(0.25)
    assert row.loop_share == pytest.approx(0.05)


def test_an_arm_that_does_not_draft_has_no_acceptance() -> None:
    (row,) = rows([sample("a", 1.0, statistics=drafted(mode="off"))], ["a"])
    assert row.acceptance_rate is row.draft_yield is row.draft_share is row.draft_length is None
    assert row.tokens_per_round == 3.0


def test_rows_follow_the_groups_and_the_order_of_arms() -> None:
    samples = [sample(arm, 1.0, group=group) for group in ("prose", "code") for arm in ("b", "a")]
    assert [(row.group, row.arm) for row in rows(samples, ["a", "b", "absent"])] == [
        ("prose", "a"),
        ("prose", "b"),
        ("code", "a"),
        ("code", "b"),
    ]


def test_a_reply_with_nothing_to_time_does_not_count() -> None:
    samples = [sample("a", speed, i) for i, speed in enumerate((0.0, 7.0, 9.0))]
    (row,) = rows(samples, ["a"])
    assert row.tok_s == median((7.0, 9.0))
