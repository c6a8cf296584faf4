"""A thread in which a draft is written on while the target verifies."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

Stopped = Callable[[], bool]  # whether to end now
Work = Callable[[Stopped], None]


class Job:
    """Work that goes on beside its owner, who touches nothing of it before `end`."""

    def __init__(self, executor: ThreadPoolExecutor, work: Work) -> None:
        self._stop = threading.Event()
        self._future: Future[None] = executor.submit(work, self._stop.is_set)

    def end(self) -> BaseException | None:
        """Have it end where it next asks, and wait for that. What it failed with, if it did."""
        self._stop.set()
        return None if self._future.cancel() else self._future.exception()


class Background:
    """One job at a time. The thread is there from the first job until `close`."""

    def __init__(self) -> None:
        self._executor: ThreadPoolExecutor | None = None

    def start(self, work: Work) -> Job:
        if self._executor is None:
            self._executor = ThreadPoolExecutor(1, "draft ahead")
        return Job(self._executor, work)

    def close(self) -> None:
        """End the thread. Another job starts another."""
        if self._executor is not None:
            self._executor.shutdown()
            self._executor = None
