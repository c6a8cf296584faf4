"""The index finds what a scan of the text finds, and survives any commits and rewinds."""

from hypothesis import given
from hypothesis import strategies as st

import inference.drafters.ngram as ngram
from inference.drafters.ngram import NgramDrafter

small = st.lists(st.integers(0, 3), max_size=60)


def scan(text: list[int], k: int) -> tuple[int, ...]:
    """By definition: the longest suffix of an allowed length that stood before, its latest place, what followed it."""
    for n in ngram.ORDERS:
        if n > len(text):
            continue
        for start in range(len(text) - n - 1, -1, -1):
            if text[start : start + n] == text[len(text) - n :]:
                longer = text.copy()
                for i in range(k):
                    longer.append(longer[start + n + i])
                return tuple(longer[len(text) :])
    return ()


def longest(text: list[int]) -> int:
    """Of the allowed lengths, the longest whose suffix stood before."""
    places = {n: range(len(text) - n) for n in ngram.ORDERS if n <= len(text)}
    return next((n for n, starts in places.items() if any(text[i : i + n] == text[-n:] for i in starts)), 0)


def proposed(drafter: NgramDrafter, k: int) -> tuple[int, ...]:
    return drafter.propose(k, None).tokens  # type: ignore[arg-type]  # chance plays no part


@given(small, st.integers(1, 9))
def test_proposes_what_a_scan_finds(text: list[int], k: int) -> None:
    drafter = NgramDrafter()
    drafter.commit(text)
    assert proposed(drafter, k) == scan(text, k)
    assert drafter.match() == longest(text)
    assert drafter.source() == ngram.SOURCES.get(longest(text)), "it says beforehand whether there is a draft"


@given(st.lists(st.tuples(small, st.integers(0, 60)), max_size=6))
def test_rewind_leaves_no_trace(steps: list[tuple[list[int], int]]) -> None:
    drafter, text = NgramDrafter(), []
    for tokens, length in steps:
        drafter.commit(tokens)
        text = (text + tokens)[:length]
        drafter.rewind(length)
        assert drafter.length == len(text)
        assert proposed(drafter, 5) == scan(text, 5)


@given(small, st.integers(0, 60))
def test_a_copy_is_independent(text: list[int], length: int) -> None:
    drafter = NgramDrafter()
    drafter.commit(text)
    other = drafter.copy(length)
    other.commit([9, 9, 9])
    assert proposed(drafter, 4) == scan(text, 4)
    assert proposed(other, 2) == scan([*text[:length], 9, 9, 9], 2)


def test_a_repetition_is_continued_past_the_end_of_the_text() -> None:
    drafter = NgramDrafter()
    drafter.commit([1, 2, 1, 2, 1])
    assert proposed(drafter, 6) == (2, 1, 2, 1, 2, 1)
