"""What the target's layers left behind at positions that a head has not read yet."""

import torch
from torch import Tensor


class FeatureQueue:
    """Features of the positions `first` to `end` - 1, in the blocks that passes of the target left.

    Blocks stay as they came and are cut by their numbers alone: right after a pass every call of torch takes long.
    """

    def __init__(self, first: int = 0) -> None:
        self.first = self.end = first
        self._blocks: list[tuple[int, Tensor]] = []  # position of the first row, and rows [n, depths, hidden]

    def __len__(self) -> int:
        return self.end - self.first

    def append(self, position: int, features: Tensor) -> None:
        """They belong to `position`, which is `end` at most, and those behind it; what waited there is replaced."""
        self.cut(position)
        self._blocks.append((position, features))
        self.end = position + features.shape[0]

    def cut(self, end: int) -> None:
        """Forget the positions from `end` on."""
        if end < self.end:
            self.end = max(end, self.first)
            while self._blocks and self._blocks[-1][0] >= self.end:
                self._blocks.pop()

    def skip(self, count: int) -> None:
        """The first `count` wait no longer."""
        self.first += count
        while self._blocks and self._end_of(0) <= self.first:
            del self._blocks[0]
        if self._blocks and self._blocks[0][0] < self.first:  # a few rows must not keep a whole block in memory
            begin, rows = self._blocks[0]
            self._blocks[0] = self.first, rows[self.first - begin : self._end_of(0) - begin].clone()

    def take(self, count: int) -> Tensor:
        """The first `count`, which wait no longer; [count, depths, hidden]."""
        parts: list[Tensor] = []
        stop = self.first + count
        for index, (begin, rows) in enumerate(self._blocks):
            if begin >= stop:
                break
            parts.append(rows[max(self.first - begin, 0) : min(self._end_of(index), stop) - begin])
        self.skip(count)
        return parts[0] if len(parts) == 1 else torch.cat(parts)

    def _end_of(self, index: int) -> int:
        """The position behind a block."""
        return self._blocks[index + 1][0] if index + 1 < len(self._blocks) else self.end

    def copy(self, end: int) -> "FeatureQueue":
        """The same up to `end`; blocks are shared, since nobody writes to them."""
        other = FeatureQueue(self.first)
        other.end, other._blocks = self.end, self._blocks.copy()
        other.cut(end)
        return other
