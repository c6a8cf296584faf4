"""Whether kernels fetch weights ahead by hand: some processors read faster then, others slower, so both are timed."""

import logging
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inference.native.native_model import NativeModel

log = logging.getLogger(__name__)

WAYS = (0, 1)  # `Library.fetch_from`: as the kernels were written, and always
PASSES = 5  # of each
LONGEST_S = 0.6  # for all of them, once each was timed twice
TELLING = 32_000_000  # bytes of weights: less lies in the caches, and says nothing of memory


def choose_fetching(model: "NativeModel") -> None:
    """Time passes over one token both ways, and keep what is faster, for this machine and so for every model."""
    if model.weights.nbytes < TELLING:
        return
    fastest = passes_s(model)
    way = min(WAYS, key=lambda way: fastest[way])
    model.library.fetch_from(way)
    log.info("a pass: %.1f ms, with weights fetched ahead %.1f ms", *(1000 * fastest[way] for way in WAYS))


def passes_s(model: "NativeModel") -> dict[int, float]:
    """Seconds of the fastest pass each way, in turn."""
    cache, fastest = model.new_cache(1), dict.fromkeys(WAYS, float("inf"))
    started = perf_counter()
    for number in range(PASSES + 1):
        for way in WAYS:
            model.library.fetch_from(way)
            before = perf_counter()
            model.forward([0], cache)
            now = perf_counter()
            cache.truncate(0)
            if number > 0:  # the first ones read weights from disk
                fastest[way] = min(fastest[way], now - before)
        if number > 1 and now - started > LONGEST_S:
            break
    return fastest
