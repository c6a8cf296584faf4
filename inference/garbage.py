"""Where reference cycles are taken apart. A program with a window says: in its own thread only."""

import gc
import traceback
from collections.abc import Callable

_collect: Callable[[], object] = gc.collect


def collect() -> None:
    """Free the objects of dead cycles, models among them."""
    _collect()


def set_collector(collector: Callable[[], object] | None) -> None:
    """Who collects from now on; None: whoever calls."""
    global _collect  # noqa: PLW0603 - one process has one collector
    _collect = collector or gc.collect


def forget_frames(error: BaseException) -> None:
    """Empty the finished frames of `error` and of what led to it: their variables would live as long as the error."""
    seen: BaseException | None = error
    while seen is not None:
        traceback.clear_frames(seen.__traceback__)
        seen = seen.__cause__ or seen.__context__
