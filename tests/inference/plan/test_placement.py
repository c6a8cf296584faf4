"""Where a draft goes: as the person says, else where it leaves the target alone, else where there is room."""

import pytest

from inference.plan.placement import card_index, place_draft

GB = 10**9


@pytest.mark.parametrize(
    ("target", "room", "place"),
    [
        (0, [9 * GB, 9 * GB, 12 * GB], 2),
        (0, [9 * GB, GB // 2], 0),
        (1, [9 * GB, 20 * GB], 0),
        (0, [GB // 2, GB // 2], None),
        (0, [-GB], None),
        (None, [9 * GB, 12 * GB], 1),
        (None, [GB // 2], None),
        (None, [], None),
    ],
)
def test_the_automatic_place(target: int | None, room: list[int], place: int | None) -> None:
    assert place_draft("auto", target, room, GB) == place


@pytest.mark.parametrize(
    ("wish", "place"), [("target", 1), ("cpu", None), ("cuda:0", 0), ("cuda", 0), ("cuda:1", 1), ("cuda:7", None)]
)
def test_a_wish_is_kept_even_where_there_is_no_room(wish: str, place: int | None) -> None:
    assert place_draft(wish, 1, [0, 0], GB) == place


def test_names_of_cards() -> None:
    assert [card_index(name, 2) for name in ("auto", "cuda", "cuda:1", "cuda:2", "cpu", "mps")] == [
        0, 0, 1, None, None, None
    ]  # fmt: skip
    assert card_index("auto", 0) is None
