"""Where reference cycles are taken apart. A program with a window says: in its own thread only."""

import gc
from collections.abc import Callable

_collect: Callable[[], object] = gc.collect


def collect() -> None:
    """Free the objects of dead cycles, models among them."""
    _collect()


def set_collector(collector: Callable[[], object] | None) -> None:
    """Who collects from now on; None: whoever calls."""
    global _collect  # noqa: PLW0603 - one process has one collector
    _collect = collector or gc.collect
