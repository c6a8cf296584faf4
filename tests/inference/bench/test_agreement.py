"""Greedy replies are compared token for token, and a difference is measured in logits."""

from collections.abc import Sequence

import pytest

from inference.bench.agreement import agreement, logit_gap, parting
from tests.inference.bench.samples import run, sample
from tests.inference.fake_model import FakeModel, continuation, next_token

PRECISIONS = {"a": "int4", "b": "int4", "c": "bfloat16", "d": "bfloat16"}


def no_gap(arms: Sequence[str], text: Sequence[int], expected: int, found: int) -> float | None:
    return None


@pytest.mark.parametrize(
    ("one", "other", "position"),
    [
        ((1, 2, 3), (1, 2, 3), None),
        ((1, 2, 3), (1, 9, 3), 1),
        ((1, 2), (1, 2, 3), 2),
        ((1, 2, 3), (1, 2), 2),
        ((), (4,), 0),
        ((), (), None),
    ],
)
def test_where_replies_part(one: tuple[int, ...], other: tuple[int, ...], position: int | None) -> None:
    assert parting(run(1.0, one), run(1.0, other)) == position


def test_identical_replies() -> None:
    samples = [sample(arm, 1.0, 0, n, reply=(1, 2)) for n in range(2) for arm in ("a", "b", "c")]
    result = agreement(samples, PRECISIONS, [True], no_gap)
    assert (result.compared, result.differences) == (4, ())  # a again, b twice, c again


def test_precisions_are_not_mixed() -> None:
    samples = [sample(arm, 1.0, reply=reply) for arm, reply in (("a", (1,)), ("b", (1,)), ("c", (2,)), ("d", (3,)))]
    (difference,) = agreement(samples, PRECISIONS, [True], no_gap).differences
    assert (difference.arm, difference.reference, difference.position) == ("d", "c", 0)


def test_a_difference_says_where_what_and_by_how_much() -> None:
    asked: list[tuple[list[str], list[int], int, int]] = []

    def gap(arms: Sequence[str], text: Sequence[int], expected: int, found: int) -> float:
        asked.append((list(arms), list(text), expected, found))
        return 0.25

    samples = [
        sample("a", 1.0, prompt=(7, 8), reply=(1, 2, 3)),
        sample("b", 1.0, prompt=(7, 8), reply=(1, 5, 3)),
    ]
    (difference,) = agreement(samples, PRECISIONS, [True], gap).differences
    assert (difference.position, difference.expected, difference.found, difference.gap) == (1, 2, 5, 0.25)
    assert asked == [(["a", "b"], [7, 8, 1], 2, 5)]


def test_a_reply_that_ended_early_has_no_gap() -> None:
    samples = [sample("a", 1.0, reply=(1, 2)), sample("b", 1.0, reply=(1,))]
    (difference,) = agreement(samples, PRECISIONS, [True], no_gap).differences
    assert (difference.position, difference.expected, difference.found, difference.gap) == (1, 2, None, None)


def test_an_arm_that_contradicts_itself_is_found() -> None:
    samples = [sample("a", 1.0, 0, n, reply=(n,)) for n in range(3)]
    (difference,) = agreement(samples, PRECISIONS, [True], no_gap).differences
    assert (difference.arm, difference.reference) == ("a", "a")


def test_sampled_replies_and_peers_are_left_alone() -> None:
    samples = [sample("a", 1.0, 0, reply=(1,)), sample("b", 1.0, 0, reply=(2,)), sample("peer", 1.0, None)]
    assert agreement(samples, PRECISIONS, [False], no_gap).compared == 0


def test_the_gap_is_the_targets_own() -> None:
    text = continuation([3, 4], 5)
    said = next_token(text)
    assert logit_gap(FakeModel(), text, said, (said + 1) % 64) == 10.0
    assert logit_gap(FakeModel(), text, (said + 1) % 64, said) == -10.0
