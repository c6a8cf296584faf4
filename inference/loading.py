"""Turns a function that reports by callback into a generator that yields what it reports."""

import queue
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from inference.errors import UserError

T = TypeVar("T")
Report = Callable[[int, int], None]  # done, total


class LoadCancelledError(UserError):
    """The person did not want to wait."""

    def __init__(self) -> None:
        super().__init__("Loading was cancelled.")


def reported(work: Callable[[Report], T], cancel: threading.Event) -> Generator[tuple[int, int], None, T]:
    """Run `work` in a thread of its own, yield (done, total) as it reports, return its result or raise its error.

    When `cancel` is set, or the generator is closed, the next report raises LoadCancelledError inside `work`.
    """
    reports: queue.SimpleQueue[tuple[int, int] | None] = queue.SimpleQueue()
    closed = threading.Event()

    def report(done: int, total: int) -> None:
        if cancel.is_set() or closed.is_set():
            raise LoadCancelledError
        reports.put((done, total))

    with ThreadPoolExecutor(1, "load") as executor:
        future = executor.submit(work, report)
        future.add_done_callback(lambda _: reports.put(None))
        try:
            while (progress := reports.get()) is not None:
                yield progress
        finally:
            closed.set()
    return future.result()
