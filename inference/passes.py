"""Passes that are made for the clock alone: on an empty cache, with the first token of the vocabulary."""

import math
from collections.abc import Callable
from time import perf_counter

from inference.memory import OUT_OF_MEMORY, out_of_memory
from inference.models.causal_model import CausalModel

ROWS = (1, 2, 4, 8)  # of the verify passes that are timed
TURNS = 8  # of them all
LONGEST_S = 1.0  # for all turns
READING = 32  # tokens by which a draft's reading is timed


def measure_verify(model: CausalModel) -> dict[int, float]:
    """Seconds of a pass by its number of rows, on an empty cache. Stops early where passes are slow.

    All numbers take turns: weights settle in a processor's caches over some ten passes, so the first ones are slower,
    whatever their rows, and of the first number alone they would say that more rows cost nothing.
    """
    costs: dict[int, float] = {}
    cache = model.new_cache()
    started = perf_counter()
    for rows in (ROWS[0], *ROWS * TURNS):  # once for what lies on the disk yet
        before = perf_counter()
        try:
            model.forward([0] * rows, cache, rows).argmax(-1).tolist()  # a graphics card is done only now
        except OUT_OF_MEMORY as error:
            if not out_of_memory(error):
                raise
            return costs
        now = perf_counter()
        cache.truncate(0)
        costs[rows] = min(costs.get(rows, now - before), now - before)
        if now - started > LONGEST_S:
            break
    return costs


def measure_reading(model: CausalModel) -> float:
    """Seconds per token that the model reads, many at a time."""
    cache, tokens, fastest = model.new_cache(), [0] * min(READING, model.context_length), math.inf
    for _ in range(2):
        cache.truncate(0)
        started = perf_counter()
        model.forward(tokens, cache).argmax(-1).tolist()  # a graphics card is done only now
        fastest = min(fastest, perf_counter() - started)
    return fastest / len(tokens)


def again_and_again(model: CausalModel) -> Callable[[], object]:
    """A pass over one token, to be repeated."""
    cache = model.new_cache()

    def work() -> None:
        cache.truncate(0)
        model.forward([0], cache, 1).argmax(-1).tolist()

    return work
