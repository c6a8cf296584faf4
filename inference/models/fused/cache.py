"""Keys and values of one text, addressed by length: rolling back is setting a number."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inference.models.fused.architecture import Architecture

if TYPE_CHECKING:
    import torch

FIRST_CAPACITY = 512  # tokens; doubled when full
BLOCK = 512  # capacity is a multiple of it, so that attention may always read whole blocks: see `Decoder`


def round_up(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple


@dataclass
class FusedCache:
    """keys and values: [layers, key_heads, capacity, head_size]. Positions from `length` on hold nothing of meaning."""

    architecture: Architecture
    context_length: int
    dtype: "torch.dtype"
    device: "torch.device"
    length: int = 0
    keys: "torch.Tensor" = field(init=False)
    values: "torch.Tensor" = field(init=False)

    def __post_init__(self) -> None:
        self.keys, self.values = self._room(0), self._room(0)

    def _room(self, capacity: int) -> "torch.Tensor":
        import torch

        shape = (len(self.architecture.layers), self.architecture.key_heads, capacity, self.architecture.head_size)
        # Zeros, not garbage: masked positions are multiplied by an exact zero, and only a finite number stays zero.
        return torch.zeros(shape, dtype=self.dtype, device=self.device)

    @property
    def capacity(self) -> int:
        return int(self.keys.shape[2])

    @property
    def nbytes(self) -> int:
        return 2 * self.keys.nbytes

    def reserve(self, length: int) -> None:
        """Make room for `length` tokens. Grows by doubling, so that a long text is copied a few times at most.

        Raises ValueError beyond the context length: the caller sees to it that a text fits.
        """
        if length > self.context_length:
            raise ValueError(f"{length} tokens do not fit into a context of {self.context_length}")
        if length <= self.capacity:
            return
        wanted = max(length, min(max(2 * self.capacity, FIRST_CAPACITY), self.context_length))
        for name in ("keys", "values"):
            room = self._room(round_up(wanted, BLOCK))
            room[:, :, : self.length] = getattr(self, name)[:, :, : self.length]
            setattr(self, name, room)

    def copy(self, length: int) -> "FusedCache":
        """An independent cache of the first `length` tokens."""
        if not 0 <= length <= self.length:
            raise ValueError(f"a cache of {self.length} tokens holds no {length}")
        twin = FusedCache(self.architecture, self.context_length, self.dtype, self.device)
        twin.reserve(length)
        twin.keys[:, :, :length] = self.keys[:, :, :length]
        twin.values[:, :, :length] = self.values[:, :, :length]
        twin.length = length
        return twin

    def truncate(self, new_length: int) -> int:
        """Exact for every layer: a sliding window is a mask here, and nothing ever leaves the cache."""
        if not 0 <= new_length <= self.length:
            raise ValueError(f"a cache of {self.length} tokens cannot be cut to {new_length}")
        self.length = new_length
        return new_length
