import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inference.events import Piece
from inference.stop_strings import StopStrings


def cut(text: str, source: random.Random) -> list[Piece]:
    """`text` in pieces of random length, each known by its round."""
    pieces: list[Piece] = []
    place = 0
    while place < len(text):
        size = source.randint(0, 4)
        origin = source.choice(("plain", "accepted", "recovered", "bonus"))
        pieces.append(Piece(text[place : place + size], origin, len(pieces)))
        place += size
    return pieces


def run(stops: list[str], pieces: list[Piece], source: random.Random) -> tuple[list[Piece], bool]:
    """Push `pieces` a few at a time."""
    machine = StopStrings(stops)
    shown: list[Piece] = []
    place = 0
    while place < len(pieces):
        size = source.randint(1, 3)
        now, stopped = machine.push(pieces[place : place + size])
        shown += now
        if stopped:
            return shown, True
        place += size
    now, stopped = machine.flush()
    return shown + now, stopped


def joined(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


STOPS = st.lists(st.text("ab\n世", min_size=1, max_size=4), max_size=4)


@settings(max_examples=500, deadline=None)
@given(stops=STOPS, text=st.text("ab\n世c", max_size=30), seed=st.integers(0, 2**32))
def test_shown_text_depends_on_the_text_alone(stops: list[str], text: str, seed: int) -> None:
    source = random.Random(seed)
    shown, stopped = run(stops, cut(text, source), source)
    starts = [text.find(stop) for stop in stops if stop in text]
    assert joined(shown) == (text[: min(starts)] if starts else text)
    assert stopped == bool(starts)


@settings(max_examples=300, deadline=None)
@given(stops=STOPS, text=st.text("ab\n世c", max_size=30), seed=st.integers(0, 2**32))
def test_every_character_keeps_its_origin(stops: list[str], text: str, seed: int) -> None:
    source = random.Random(seed)
    pieces = cut(text, source)
    shown, _ = run(stops, pieces, source)
    origins = [(character, piece.origin, piece.round) for piece in pieces for character in piece.text]
    assert [(c, piece.origin, piece.round) for piece in shown for c in piece.text] == origins[: len(joined(shown))]
    assert all(piece.text for piece in shown)


@settings(max_examples=300, deadline=None)
@given(stops=STOPS, text=st.text("ab\n世c", max_size=30))
def test_nothing_is_held_back_that_cannot_become_a_stop(stops: list[str], text: str) -> None:
    machine = StopStrings(stops)
    for place, character in enumerate(text):
        _, stopped = machine.push([Piece(character, "plain", place)])
        if stopped:
            return
        held = text[: place + 1][place + 1 - machine.held :]
        assert not held or any(stop.startswith(held) and stop != held for stop in stops)


def test_stop_inside_a_piece_splits_it() -> None:
    machine = StopStrings(["\nUser:"])
    assert machine.push([Piece("Hi.\nUs", "accepted", 3)]) == ([Piece("Hi.", "accepted", 3)], False)
    assert machine.held == 3
    assert machine.push([Piece("e", "bonus", 3), Piece("r: more", "plain", 4)]) == ([], True)
    assert machine.stopped
    assert machine.push([Piece("x", "plain", 5)]) == ([], True)
    assert machine.flush() == ([], True)


def test_held_text_comes_with_its_own_origin_when_it_was_no_stop() -> None:
    machine = StopStrings(["END"])
    assert machine.push([Piece("aE", "accepted", 1), Piece("N", "recovered", 1)]) == (
        [Piece("a", "accepted", 1)],
        False,
    )
    assert machine.push([Piece("x", "plain", 2)]) == (
        [Piece("E", "accepted", 1), Piece("N", "recovered", 1), Piece("x", "plain", 2)],
        False,
    )


def test_a_complete_stop_waits_for_one_that_began_before() -> None:
    machine = StopStrings(["abcd", "bc"])
    assert machine.push([Piece("abc", "plain", 0)]) == ([], False)
    assert machine.push([Piece("x", "plain", 1)]) == ([Piece("a", "plain", 0)], True)
    machine = StopStrings(["abcd", "bc"])
    machine.push([Piece("abc", "plain", 0)])
    assert machine.flush() == ([Piece("a", "plain", 0)], True)


def test_no_stops_hold_nothing() -> None:
    machine = StopStrings([])
    assert machine.push([Piece("a", "plain", 0)]) == ([Piece("a", "plain", 0)], False)
    assert machine.flush() == ([], False)


def test_empty_stop_is_refused() -> None:
    with pytest.raises(ValueError, match="must not be empty"):
        StopStrings(["a", ""])
