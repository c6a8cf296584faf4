"""Chance by position: each place of a reply has a number of its own, drawn long before it is needed."""

import numpy as np
from numpy.typing import NDArray

AHEAD = 512  # numbers that are drawn at once: a call for a single one costs as much


class Chances:
    """Uniform numbers in 0..1 for the tokens of one reply, the same for one seed however the reply comes about.

    What the target says at a place depends on that place's number alone, so that a draft that was refused, or one that
    was longer, changes nothing of what follows. Numbers of places that are not committed yet may be looked at again.
    """

    def __init__(self, seed: int) -> None:
        self._source = np.random.Generator(np.random.PCG64(seed))
        self._numbers: NDArray[np.float64] = np.empty(0)
        self._address = 0
        self._next = 0

    def ahead(self, count: int) -> NDArray[np.float64]:
        """Those of the next `count` places."""
        if self._next + count > len(self._numbers):
            fresh = self._source.random(max(AHEAD, count))
            self._numbers = np.concatenate((self._numbers[self._next :], fresh))
            self._address, self._next = self._numbers.ctypes.data, 0
        return self._numbers[self._next : self._next + count]

    def address(self, count: int) -> int:
        """Where those lie, until the next call."""
        if self._next + count > len(self._numbers):
            self.ahead(count)
        return self._address + self._next * self._numbers.itemsize

    def advance(self, count: int) -> None:
        """So many places were filled."""
        if self._next + count > len(self._numbers):
            self.ahead(count)
        self._next += count
