"""Keys and values for the kernels: fp16 pages of 256 positions, all layers and heads in each."""

import ctypes
from dataclasses import dataclass, field

import torch

from inference.native.weights import aligned_bytes

PAGE = 256


@dataclass
class PageCache:
    """Implements inference.models.causal_model.Cache. Grows page by page, nothing is ever copied; rollback is exact."""

    layers: int
    kv_heads: int
    head_size: int
    capacity: int  # most positions
    length: int = 0
    pages: list[torch.Tensor] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self.pointers = (ctypes.c_void_p * -(-self.capacity // PAGE))()

    @property
    def nbytes(self) -> int:
        return len(self.pages) * self.page_values * 2

    @property
    def page_values(self) -> int:
        """Keys and values in a page: for each layer and head keys [16, head_size, 16], then values [256, head_size]."""
        return self.layers * self.kv_heads * 2 * PAGE * self.head_size

    def fits(self, layer: int, kv_heads: int, head_size: int) -> bool:
        return 0 <= layer < self.layers and (kv_heads, head_size) == (self.kv_heads, self.head_size)

    def reserve(self, length: int) -> None:
        """Make room for `length` positions. ValueError beyond the capacity."""
        if length > self.capacity:
            raise ValueError(f"the cache holds {self.capacity} positions, not {length}")
        while len(self.pages) * PAGE < length:
            page = torch.from_numpy(aligned_bytes(2 * self.page_values)).view(torch.float16)
            self.pointers[len(self.pages)] = page.data_ptr()
            self.pages.append(page)

    def truncate(self, new_length: int) -> int:
        """Forget everything from `new_length` on. Full pages stay for what comes next."""
        if not 0 <= new_length <= self.length:
            raise ValueError(f"cannot truncate {self.length} positions to {new_length}")
        self.length = new_length
        return new_length

    def copy(self, length: int) -> "PageCache":
        """An independent cache of the first `length` positions."""
        if not 0 <= length <= self.length:
            raise ValueError(f"a cache of {self.length} positions holds no {length}")
        twin = PageCache(self.layers, self.kv_heads, self.head_size, self.capacity)
        twin.reserve(length)
        for page, original in zip(twin.pages, self.pages, strict=False):
            page.copy_(original)
        twin.length = length
        return twin

    def keys(self, layer: int) -> torch.Tensor:
        """The keys of the first `length` positions as attention sees them, float16 [length, kv_heads, head_size]."""
        blocks = torch.cat([self._part(page, layer, 0) for page in self.pages], 1)  # [kv_heads, pages * positions...]
        blocks = blocks.view(self.kv_heads, -1, self.head_size, 16).permute(1, 3, 0, 2)
        return blocks.reshape(-1, self.kv_heads, self.head_size)[: self.length]

    def values(self, layer: int) -> torch.Tensor:
        """The values likewise, float16 [length, kv_heads, head_size]."""
        rows = torch.cat([self._part(page, layer, 1) for page in self.pages], 1)
        return rows.view(self.kv_heads, -1, self.head_size).permute(1, 0, 2)[: self.length]

    def _part(self, page: torch.Tensor, layer: int, which: int) -> torch.Tensor:
        return page.view(self.layers, self.kv_heads, 2, PAGE * self.head_size)[layer, :, which]
