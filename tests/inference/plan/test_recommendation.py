"""Which model is recommended: by memory, by speed, by language."""

import pytest

from inference.manager.catalogue import Catalogue
from inference.plan.machine import Card, Machine
from inference.plan.recommendation import READING, recommend

GB = 1_000_000_000
SPECS = Catalogue.read().specs


def machine(ram: float, card: float = 0.0) -> Machine:
    cards = (Card("card", round(card * GB), round(card * GB)),) if card else ()
    return Machine(round(ram * GB), round(ram * GB), cards)


@pytest.mark.parametrize(
    ("ram", "bandwidth", "least", "most"),
    [(4, 25, 2, 4), (2.5, 25, 0.5, 2), (16, 25, 3, 5), (16, 100, 7, 15), (64, 25, 3, 5), (64, 300, 20, 33)],
)
def test_memory_and_speed_bound_it(ram: float, bandwidth: float, least: float, most: float) -> None:
    found = recommend(SPECS, machine(ram), bandwidth * GB)
    assert found is not None and found.tokens_per_second is not None
    assert least <= found.spec.parameters / GB <= most
    assert found.tokens_per_second >= READING


def test_a_card_is_bound_by_its_own_memory() -> None:
    found = recommend(SPECS, machine(8, card=24), None)
    assert found is not None and found.tokens_per_second is None
    assert found.spec.parameters > 10 * GB


def test_it_speaks_the_language_of_the_person_and_is_not_for_code() -> None:
    for ram in (2, 4, 8, 16, 32, 64, 128):
        found = recommend(SPECS, machine(ram), 400 * GB, "zh")
        assert found is None or ("zh" in found.spec.languages and "coder" not in found.spec.identifier.lower())
    assert recommend(SPECS, machine(16), 400 * GB, "zh") is not None


def test_where_none_keeps_up_the_smallest_is_better_than_none() -> None:
    found = recommend(SPECS, machine(16), 1 * GB, "zh")
    assert found is not None and found.tokens_per_second is not None and found.tokens_per_second < READING
    assert found.spec.identifier == "Qwen3-0.6B"


def test_nothing_fits() -> None:
    assert recommend(SPECS, machine(0.5), 25 * GB) is None
    assert recommend(SPECS, machine(16), 25 * GB, "tlh") is None
