"""Turns a function that reports by callback into a generator that yields what it reports."""

import queue
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from inference.errors import Cancelled
from inference.events import LoadProgress, Stage

T = TypeVar("T")


class Report(Protocol):
    """Takes what is done of reading weights, or of packing them, in bytes; total 0: not known."""

    def __call__(self, done: int, total: int, stage: Stage = "weights", /) -> None: ...


class LoadCancelledError(Cancelled):
    """The person did not want to wait."""

    def __init__(self) -> None:
        super().__init__("Loading was cancelled.")


def unreported(done: int, total: int, stage: Stage = "weights", /) -> None:
    """For those who do not want to hear of it."""


def reported(work: Callable[[Report], T], cancel: threading.Event) -> Generator[LoadProgress, None, T]:
    """Run `work` in a thread of its own, yield what it reports, return its result or raise its error.

    When `cancel` is set, or the generator is closed, the next report raises LoadCancelledError inside `work`.
    """
    reports: queue.SimpleQueue[LoadProgress | None] = queue.SimpleQueue()
    closed = threading.Event()

    def report(done: int, total: int, stage: Stage = "weights", /) -> None:
        if cancel.is_set() or closed.is_set():
            raise LoadCancelledError
        reports.put(LoadProgress(stage, done, total))

    with ThreadPoolExecutor(1, "load") as executor:
        future = executor.submit(work, report)
        future.add_done_callback(lambda _: reports.put(None))
        try:
            while (progress := reports.get()) is not None:
                yield progress
        finally:
            closed.set()
    return future.result()
