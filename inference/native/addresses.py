"""Where tensors lie, asked for once each: right after a pass of the kernels any call of torch takes long."""

from typing import NamedTuple
from weakref import ref

import torch


class Place(NamedTuple):
    """Contiguous float32 [rows, width] on the CPU."""

    address: int
    rows: int
    width: int


class Addresses:
    """Of tensors that come again and again, as those do that a model writes its logits to. Holds none of them."""

    MOST = 64

    def __init__(self) -> None:
        self._known: dict[int, tuple[ref[torch.Tensor], Place | None]] = {}  # by id, which may pass to another

    def of(self, x: torch.Tensor) -> Place | None:
        """None for what kernels cannot read."""
        known = self._known.get(id(x))
        if known is not None and known[0]() is x:
            return known[1]
        if len(self._known) == self.MOST:
            self._known.clear()
        fits = x.dtype == torch.float32 and x.dim() == 2 and x.device.type == "cpu" and x.is_contiguous()
        place = Place(x.data_ptr(), x.shape[0], x.shape[1]) if fits else None
        self._known[id(x)] = (ref(x), place)
        return place
