"""Keys and values for the kernels: pages of 256 positions, all layers and heads in each, at 16 bits or fewer."""

import ctypes
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import torch

from inference.native.weights import aligned_bytes
from inference.settings import CACHE_BITS

Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Floats = np.ndarray[Any, np.dtype[np.float32]]
PAGE = 256
HEADER = 64  # bytes at the start of a page; the first word says the bits
Part = Literal["keys", "key scales", "values", "value scales"]


def group_size(head_size: int) -> int:
    """Dimensions of a head that share a scale, below 16 bits."""
    return 32 if head_size % 32 == 0 else 16


def part_bytes(head_size: int, bits: int) -> dict[Part, int]:
    """Of one key/value head in a page, in the order in which they stand (foreword.h draws the layout).

    Below 8 bits keys have 5.
    """
    scales = 0 if bits == 16 else (2 if bits == 8 else 4) * head_size // group_size(head_size)
    values = head_size * bits // 8 if bits > 4 else -(-head_size // (128 // bits)) * 16
    return {
        "keys": PAGE * head_size * key_bits(bits) // 8,
        "key scales": PAGE * scales,
        "values": PAGE * values,
        "value scales": PAGE * scales,
    }


def key_bits(bits: int) -> int:
    """Of a key in a cache of so many bits."""
    return 5 if bits < 8 else bits


@dataclass
class PageCache:
    """Implements inference.models.causal_model.Cache. Grows page by page, nothing is ever copied; rollback is exact.

    Below 16 bits every position's head is quantized by itself when it is written, so what a position holds depends on
    nothing else, and rolling back and writing again leaves the same bits.
    """

    layers: int
    kv_heads: int
    head_size: int
    capacity: int  # most positions
    length: int = 0
    pages: list[torch.Tensor] = field(default_factory=list, repr=False)
    bits: int = 16
    lasting: bool = True  # a pass that breaks off has written only beyond `length`

    def __post_init__(self) -> None:
        if self.bits not in CACHE_BITS:
            raise ValueError(f"keys and values have {CACHE_BITS} bits, not {self.bits}")
        self.pointers = (ctypes.c_void_p * -(-self.capacity // PAGE))()

    @property
    def nbytes(self) -> int:
        return len(self.pages) * self.page_bytes

    @property
    def page_bytes(self) -> int:
        return HEADER + self.layers * self.kv_heads * sum(part_bytes(self.head_size, self.bits).values())

    def fits(self, layer: int, kv_heads: int, head_size: int) -> bool:
        return 0 <= layer < self.layers and (kv_heads, head_size) == (self.kv_heads, self.head_size)

    def reserve(self, length: int) -> None:
        """Make room for `length` positions. ValueError beyond the capacity, MemoryError where there is no memory."""
        if length > self.capacity:
            raise ValueError(f"the cache holds {self.capacity} positions, not {length}")
        while len(self.pages) * PAGE < length:
            page = torch.from_numpy(aligned_bytes(self.page_bytes))
            page[:8].view(torch.int64)[0] = self.bits
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
        twin = PageCache(self.layers, self.kv_heads, self.head_size, self.capacity, bits=self.bits)
        twin.reserve(length)
        for page, original in zip(twin.pages, self.pages, strict=False):
            page.copy_(original)
        twin.length = length
        return twin

    def keys(self, layer: int) -> torch.Tensor:
        """The keys of the first `length` positions as they are kept, float32 [length, kv_heads, head_size]: at 4 and
        2 bits without `Heads.key_offsets`."""
        heads, size, blocks = self.kv_heads, self.head_size, len(self.pages) * PAGE // 16
        raw = self._part(layer, "keys").reshape(heads, blocks, -1)
        if self.bits == 16:
            found: Floats = raw.view(np.float16).reshape(heads, blocks, size, 16).astype(np.float32)
        else:
            count = size // group_size(size)
            scales = _floats(self._part(layer, "key scales")).reshape(heads, blocks, count, -1, 1, 16)
            integers: Bytes | np.ndarray[Any, np.dtype[np.int8]] = raw.view(np.int8)
            if self.bits < 8:
                nibbles = raw[..., : 8 * size].reshape(heads, blocks, 1, -1, 16)
                fifths = raw[..., 8 * size :].reshape(heads, blocks, -1, 16)
                bits = [np.stack([fifths >> (2 * i + k) & 1 for i in range(4)], 3) for k in range(2)]
                high = np.stack([part.reshape(heads, blocks, -1, 16) for part in bits], 2) << 4
                integers = np.concatenate((nibbles & 15, nibbles >> 4), 2) + high
            groups = integers.reshape(heads, blocks, count, -1, 16).astype(np.float32)
            found = _times(groups, scales[:, :, :, 0], scales[:, :, :, 1] if self.bits < 8 else None)
        rows = found.reshape(heads, blocks, size, 16).transpose(1, 3, 0, 2).reshape(-1, heads, size)
        return torch.from_numpy(rows[: self.length].copy())

    def values(self, layer: int) -> torch.Tensor:
        """The values likewise, float32 [length, kv_heads, head_size]."""
        heads, size, positions = self.kv_heads, self.head_size, len(self.pages) * PAGE
        raw = self._part(layer, "values").reshape(heads, positions, -1)
        if self.bits == 16:
            found: Floats = raw.view(np.float16).astype(np.float32)
        else:
            scales = _floats(self._part(layer, "value scales")).reshape(
                heads, positions, size // group_size(size), -1, 1
            )
            integers: Bytes | np.ndarray[Any, np.dtype[np.int8]] = raw.view(np.int8)
            if self.bits < 8:
                together = raw.reshape(heads, positions, -1, 16)
                parts = [together >> shift & ((1 << self.bits) - 1) for shift in range(0, 8, self.bits)]
                integers = np.stack(parts, 3).reshape(heads, positions, -1)[:, :, :size]
            groups = integers.reshape(heads, positions, -1, group_size(size)).astype(np.float32)
            found = _times(groups, scales[:, :, :, 0], scales[:, :, :, 1] if self.bits < 8 else None)
        rows = found.reshape(heads, positions, size).transpose(1, 0, 2)[: self.length]
        return torch.from_numpy(rows @ mixing(size) if self.bits == 2 else rows.copy())

    def _part(self, layer: int, which: Part) -> Bytes:
        """One part of every page, uint8 [kv_heads, bytes of all pages]."""
        sizes = part_bytes(self.head_size, self.bits)
        before = 0
        for name, size in sizes.items():
            if name == which:
                break
            before += size
        shape = self.layers, self.kv_heads, sum(sizes.values())
        parts = [page.numpy()[HEADER:].reshape(shape)[layer, :, before : before + sizes[which]] for page in self.pages]
        return np.concatenate(parts, 1)


def mixing(size: int) -> Floats:
    """The Hadamard matrix of the largest power of two that divides `size`, along the diagonal and orthonormal: what
    values are multiplied with before they are kept at 2 bits. float32 [size, size], its own inverse."""
    matrix: Floats = np.ones((1, 1), np.float32)
    while size % (2 * len(matrix)) == 0:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return np.kron(np.eye(size // len(matrix), dtype=np.float32), matrix) / np.float32(len(matrix) ** 0.5)


def _floats(brains: Bytes) -> Floats:
    """bfloat16 as float32."""
    wide: np.ndarray[Any, np.dtype[np.uint32]] = np.ascontiguousarray(brains).view(np.uint16).astype(np.uint32)
    return (wide << np.uint32(16)).view(np.float32)


def _times(groups: Floats, scales: Floats, minima: Floats | None = None) -> Floats:
    with np.errstate(all="ignore"):  # what lies beyond `length` is anything
        scaled: Floats = groups * scales
        return scaled if minima is None else scaled + minima
