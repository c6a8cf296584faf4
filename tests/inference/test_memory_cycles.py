"""Unloading gives the memory back: after many rounds of loading and replying the process is as large as before."""

import psutil
import pytest

from inference.memory import release_memory
from inference.settings import LoadSettings
from tests.inference.engines import ask, finished, greedy, load, reply
from tests.real_model import real_model_folder

WARM_UP, CYCLES, MOST_GROWTH = 4, 20, 0.02  # the first rounds fill caches that stay: code, tables, threads


@pytest.mark.full
@pytest.mark.model
@pytest.mark.timeout(900)
def test_twenty_cycles_do_not_grow_the_process() -> None:
    process, sizes = psutil.Process(), []
    for _ in range(WARM_UP + CYCLES):
        engine = load(real_model_folder(), settings=LoadSettings(precision="int4", context_length=2048))
        finished(reply(engine, ask("Count to five."), greedy("ngram", max_tokens=16)))
        engine.unload()
        release_memory()
        sizes.append(process.memory_info().rss)
    assert sizes[-1] < (1 + MOST_GROWTH) * sizes[WARM_UP - 1], [size >> 20 for size in sizes]
