"""Keys and values for the static decoder: one seat at addresses that graphs know, and texts that take turns on it.

A graph replays kernels on fixed addresses. If every chat had buffers of its own, every chat would need graphs of its
own, a second of capturing each. So there is one pair of buffers for a model, and the text that is being continued sits
in them; when another one is to go on, the first is copied out (a gigabyte takes a few milliseconds on a card).
"""

import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inference.device import on_card
from inference.models.fused.architecture import Architecture
from inference.models.fused.cache import round_up

if TYPE_CHECKING:
    import torch

FIRST_BUCKET = 256
ALIGNMENT = 64  # attention kernels like the rows of a mask to begin at round addresses


def bucket(length: int, most: int) -> int:
    """The smallest of 256, 512, 1024, ... that holds `length` tokens, or `most` where that is hardly more."""
    size, last = FIRST_BUCKET, round_up(most, ALIGNMENT)
    while size < length:
        size *= 2
    return last if size + FIRST_BUCKET > last else size


class Seat:
    """keys and values: [layers, key_heads, capacity, head_size]; zeros, or what was rolled back, behind the text."""

    def __init__(self, architecture: Architecture, dtype: "torch.dtype", device: "torch.device") -> None:
        self._architecture = architecture
        self._dtype = dtype
        self._device = device
        self._sitting: weakref.ref[StaticCache] | None = None
        self.keys, self.values = self._room(0), self._room(0)

    def _room(self, capacity: int) -> "torch.Tensor":
        import torch

        a = self._architecture
        # Zeros, not garbage: masked positions are multiplied by an exact zero, and only a finite number stays zero.
        return torch.zeros((len(a.layers), a.key_heads, capacity, a.head_size), dtype=self._dtype, device=self._device)

    @property
    def capacity(self) -> int:
        return int(self.keys.shape[2])

    @property
    def nbytes(self) -> int:
        return 2 * self.keys.nbytes

    @property
    def device(self) -> "torch.device":
        return self._device

    def leave(self) -> None:
        """Nobody sits here any more."""
        self._sitting = None

    @property
    def sitting(self) -> "StaticCache | None":
        return self._sitting() if self._sitting is not None else None

    def admit(self, cache: "StaticCache", capacity: int) -> bool:
        """Seat `cache` with room for `capacity` tokens. True when the buffers moved: then graphs of them are void.

        Everything that needs memory comes first, so that running out of it leaves all texts as they were.
        """
        before, moved = self.sitting, capacity > self.capacity
        if before is cache and not moved:
            return False
        keys, values = (self._room(capacity), self._room(capacity)) if moved else (self.keys, self.values)
        if before is not None and before is not cache:
            old_keys, old_values = before.contents()
            before.parked = old_keys.clone(), old_values.clone()
            before.in_ram = False
        keys[:, :, : cache.length], values[:, :, : cache.length] = cache.contents()
        if not moved:  # what another text left might hold an overflow, and zero times infinity is no zero
            keys[:, :, cache.length :], values[:, :, cache.length :] = 0, 0
        self.keys, self.values = keys, values
        self._sitting = weakref.ref(cache)
        cache.parked, cache.in_ram = None, False
        return moved


@dataclass(eq=False)
class StaticCache:
    """One text. parked: its keys and values [layers, key_heads, length or more, head_size] while it does not sit.

    in_ram: they are in the computer's memory, not on the card.
    """

    seat: Seat
    length: int = 0
    parked: "tuple[torch.Tensor, torch.Tensor] | None" = field(default=None, repr=False)
    in_ram: bool = False

    @property
    def nbytes(self) -> int:
        if self.seat.sitting is self:
            return self.seat.nbytes
        return sum(tensor.nbytes for tensor in self.parked or ())

    @property
    def card_bytes(self) -> int:
        """See `inference.models.causal_model.Movable`."""
        return 0 if self.in_ram or not on_card(self.seat.device) else self.nbytes

    def park(self) -> None:
        keys, values = self.contents()
        self.parked = keys.to("cpu", copy=True), values.to("cpu", copy=True)
        self.in_ram = True
        if self.seat.sitting is self:
            self.seat.leave()

    def contents(self) -> "tuple[torch.Tensor, torch.Tensor]":
        """Keys and values of its tokens, not copied. A new text has none, wherever one looks."""
        keys, values = self.parked or (self.seat.keys, self.seat.values)
        return keys[:, :, : self.length], values[:, :, : self.length]

    def truncate(self, new_length: int) -> int:
        """Exact for every layer: a sliding window is a mask here, and nothing ever leaves the cache."""
        if not 0 <= new_length <= self.length:
            raise ValueError(f"a cache of {self.length} tokens cannot be cut to {new_length}")
        self.length = new_length
        return new_length

    def copy(self, length: int) -> "StaticCache":
        """An independent cache of the first `length` tokens, not on the seat."""
        if not 0 <= length <= self.length:
            raise ValueError(f"a cache of {self.length} tokens holds no {length}")
        keys, values = self.contents()
        parked = keys[:, :, :length].clone(), values[:, :, :length].clone()
        return StaticCache(self.seat, length, parked, self.in_ram)
