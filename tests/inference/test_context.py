import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.context import fit
from inference.errors import UserError
from inference.messages import Message


class Counter:
    """Renders a message as two tokens and one per character, and counts how often it was asked."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, messages: Sequence[Message]) -> list[int]:
        self.calls += 1
        return [token for message in messages for token in (1, *map(ord, message.content), 2)]


def talk(*sizes: int, system: int = 0) -> list[Message]:
    """Questions and answers of these lengths in tokens, each told apart by its characters."""
    messages = [Message("system", "s" * (system - 2))] if system else []
    for at, size in enumerate(sizes):
        messages.append(Message("user" if at % 2 == 0 else "assistant", chr(256 + at) * (size - 2)))
    return messages


def test_what_fits_is_left_alone() -> None:
    render = Counter()
    messages = talk(10, 10, 10)
    assert fit(render, messages, 30) == (messages, render(messages), 0)
    assert render.calls == 2


def test_oldest_turns_go_and_system_and_question_stay() -> None:
    messages = talk(*[10] * 21, system=10)  # 220 tokens
    kept, tokens, omitted = fit(Counter(), messages, 200)
    assert kept[0] == messages[0]
    assert kept[1:] == messages[1 + omitted :]
    assert kept[1].role == "user"
    # 20 too many, rounded up to a quarter of the budget (50): three turns of 20.
    assert omitted == 6
    assert len(tokens) == 160


@given(
    sizes=st.lists(st.integers(2, 60), min_size=1, max_size=30).filter(lambda sizes: len(sizes) % 2 == 1),
    system=st.sampled_from([0, 2, 15]),
    budget=st.integers(1, 400),
)
def test_bounds(sizes: list[int], system: int, budget: int) -> None:
    messages = talk(*sizes, system=system)
    if system + sizes[-1] > budget:
        with pytest.raises(UserError, match=f"takes {system + sizes[-1]:,} tokens, and only {budget:,} have room"):
            fit(Counter(), messages, budget)
        return
    render = Counter()
    kept, tokens, omitted = fit(render, messages, budget)
    assert len(tokens) <= budget
    assert tokens == Counter()(kept)
    assert len(kept) + omitted == len(messages)
    spoken = [message for message in messages if message.role != "system"]
    assert [message for message in kept if message.role != "system"] == spoken[omitted:]
    assert (kept[0].role == "system") == bool(system)
    assert spoken[omitted].role == "user"
    assert render.calls <= 2 + 2 * math.ceil(math.log2(len(sizes) + 1))
    # Never emptier than needed: a quarter, and the turn that the bound lies in.
    if omitted and len(spoken) - omitted > 1:
        assert len(tokens) > budget - budget // 4 - 1 - sum(sizes[omitted - 2 : omitted])


def test_the_same_turns_are_missing_from_one_question_to_the_next() -> None:
    render = Counter()
    omissions = [fit(render, talk(*[10] * (2 * turns + 1), system=10), 400)[2] for turns in range(100)]
    assert omissions == sorted(omissions)
    changes = [turns for turns in range(1, 100) if omissions[turns] != omissions[turns - 1]]
    # 100 free tokens after each step are five turns of 20.
    assert all(later - earlier == 5 for earlier, later in pairwise(changes))
    assert changes[0] == 20


@given(sizes=st.lists(st.integers(2, 20), min_size=41, max_size=80), budget=st.integers(160, 300))
def test_a_step_lasts_until_the_freed_quarter_is_full(sizes: list[int], budget: int) -> None:
    """Turns are up to 40 tokens long, so the talk grows by a quarter of the budget less one turn between two steps."""
    lengths: list[tuple[int, int]] = []
    for end in range(1, len(sizes) + 1, 2):
        _, _, omitted = fit(Counter(), talk(*sizes[:end]), budget)
        lengths.append((omitted, sum(sizes[:end])))
    steps = [after[1] for before, after in pairwise(lengths) if after[0] != before[0]]
    assert [omitted for omitted, _ in lengths] == sorted(omitted for omitted, _ in lengths)
    assert all(later - earlier >= budget // 4 - 40 for earlier, later in pairwise(steps))


def test_more_than_the_last_turn_is_kept_where_it_fits() -> None:
    messages = talk(50, 50, 400, 400, 150)  # the step would ask for 800 and leave 150
    kept, tokens, omitted = fit(Counter(), messages, 1000)
    assert omitted == 2
    assert len(tokens) == 950
    assert kept == messages[2:]


def test_a_reply_to_be_continued_stays_with_its_question() -> None:
    messages = talk(100, 100, 10, 50)
    kept, _, omitted = fit(Counter(), messages, 100)
    assert kept == messages[2:]
    assert omitted == 2


def test_an_opening_greeting_goes_first() -> None:
    messages = [Message("assistant", "a" * 50), *talk(10, 10, 10)]
    kept, _, omitted = fit(Counter(), messages, 40)
    assert kept == messages[1:]
    assert omitted == 1


def test_system_messages_between_turns_stay() -> None:
    messages = [*talk(50, 50), Message("system", "rules"), *talk(10)]
    kept, _, omitted = fit(Counter(), messages, 40)
    assert kept == messages[2:]
    assert omitted == 2


def test_no_budget_at_all() -> None:
    with pytest.raises(UserError, match="only 0 have room"):
        fit(Counter(), talk(10), -5)


def test_a_template_that_grows_when_turns_go_is_still_bounded() -> None:
    def render(messages: Sequence[Message]) -> list[int]:
        return [0] * {5: 120, 3: 130, 1: 90}[len(messages)]

    kept, tokens, omitted = fit(render, talk(10, 10, 10, 10, 10), 100)
    assert (len(kept), len(tokens), omitted) == (1, 90, 4)


def test_a_long_talk_is_rendered_a_few_times_only() -> None:
    render = Counter()
    fit(render, talk(*[10, 30] * 500, 10), 4000)
    assert render.calls <= 6
    render = Counter()  # characters say nothing here: the turns in front are all overhead
    fit(render, talk(*[2] * 1000, *[100, 100] * 20, 10), 3000)
    assert render.calls <= 2 * math.ceil(math.log2(520)) + 2
