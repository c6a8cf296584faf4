"""Carries what the worker says to the window: a lock, a list and one wake."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Mailbox(Generic[T]):
    """Any thread posts, one thread takes. `wake` is called by the posting thread when the box was empty before."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._letters: list[tuple[str, T]] = []

    def post(self, run_id: str, letter: T) -> None:
        with self._lock:
            was_empty = not self._letters
            self._letters.append((run_id, letter))
        if was_empty:
            self._wake()

    def take_all(self) -> list[tuple[str, T]]:
        """Everything posted since the last call, in order, each with the run it belongs to."""
        with self._lock:
            letters, self._letters = self._letters, []
        return letters
