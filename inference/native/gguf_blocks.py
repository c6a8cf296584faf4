"""GGUF blocks straight into the kernels' formats: Q4_0, Q4_1, Q4_K, Q5_0, Q6_K and Q8_0 lose nothing.

Block layouts are those of the GGUF specification (ggml). Every other type is dequantized by the gguf package and
requantized to int8, whose error (half of 1/127 of the largest of 32) is below that of the type itself.
"""

from collections.abc import Callable

import gguf
import numpy as np
import torch
from gguf import GGMLQuantizationType as Type

from inference.native.tiles import Bytes, Halves, int4_tiles, int4k_tiles, int5_tiles, int6_tiles, int8_tiles
from inference.native.weights import Format, PackedMatrix, pack_int8, packed


def pack_gguf(raw: Bytes, kind: Type, outputs: int, inputs: int, bias: torch.Tensor | None = None) -> PackedMatrix:
    """raw: the tensor's bytes as GGUFReader gives them (uint8, any shape). inputs a multiple of the type's block.

    The result is int4 for Q4_0 and Q4_1, int4k for Q4_K, int5 for Q5_0, int6 for Q6_K and int8 for everything
    else.
    """
    rows = raw.reshape(outputs, -1)
    strip = max(16, (1 << 22) // inputs // 16 * 16)  # rows at a time, so that copies stay small beside the model
    strips = [rows[start : start + strip] for start in range(0, outputs, strip)]
    if kind in _EXACT:
        target, pack = _EXACT[kind]
        blocks = (part.reshape(part.shape[0], -1, gguf.GGML_QUANT_SIZES[kind][1]) for part in strips)
        parts = [pack(block) for block in blocks]
        if all(part is not None for part in parts):
            return packed([part for part in parts if part is not None], outputs, inputs, target, bias)
    floats = (torch.from_numpy(gguf.dequantize(part, kind).reshape(-1, inputs)) for part in strips)
    return packed([pack_int8(part).data.numpy() for part in floats], outputs, inputs, Format.INT8, bias)


def _half(blocks: Bytes, at: int) -> Halves:
    return np.ascontiguousarray(blocks[..., at : at + 2]).view(np.float16)[..., 0]


def _nibbles(packed: Bytes) -> Bytes:
    return np.concatenate((packed & 15, packed >> 4), -1)


def _q4_0(blocks: Bytes) -> Bytes:
    """d (q - 8)"""
    scale = _half(blocks, 0)
    return int4_tiles(_nibbles(blocks[..., 2:18]), scale, (scale * np.float16(-8)).astype(np.float16))


def _q4_1(blocks: Bytes) -> Bytes:
    """d q + m"""
    return int4_tiles(_nibbles(blocks[..., 4:20]), _half(blocks, 0), _half(blocks, 2))


def _q4_k(blocks: Bytes) -> Bytes:
    """d s q - dmin m, eight groups of 32 with six bits each for s and m"""
    outputs = blocks.shape[0]
    codes = blocks[..., 4:16]
    first, second, third = codes[..., 0:4], codes[..., 4:8], codes[..., 8:12]
    s = np.concatenate((first & 63, (third & 15) | ((first >> 6) << 4)), -1).reshape(outputs, -1)
    m = np.concatenate((second & 63, (third >> 4) | ((second >> 6) << 4)), -1).reshape(outputs, -1)
    chunks = blocks[..., 16:144].reshape(*blocks.shape[:2], 4, 32)  # low nibbles one group, high nibbles the next
    q = np.stack((chunks & 15, chunks >> 4), -2).reshape(outputs, -1, 32)
    return int4k_tiles(q, s, m, _half(blocks, 0), -_half(blocks, 2))


def _q6_k(blocks: Bytes) -> Bytes:
    """d s (q - 32), a signed byte s for every 16; 128 weights share 64 bytes of low nibbles and 32 of high bits"""
    outputs = blocks.shape[0]
    low = blocks[..., :128].reshape(*blocks.shape[:2], 2, 64)
    high = blocks[..., 128:192].reshape(*blocks.shape[:2], 2, 1, 32)
    nibbles = np.concatenate((low & 15, low >> 4), -1).reshape(*blocks.shape[:2], 2, 4, 32)
    q = nibbles | ((high >> np.arange(0, 8, 2, dtype=np.uint8)[:, None]) & 3) << 4
    scales = np.ascontiguousarray(blocks[..., 192:208]).view(np.int8)
    return int6_tiles(q.reshape(outputs, -1, 32), scales.reshape(outputs, -1, 2), _half(blocks, 208))


def _q5_0(blocks: Bytes) -> Bytes:
    """d (q - 16), the fifth bits apart"""
    fifth = np.unpackbits(blocks[..., 2:6], axis=-1, bitorder="little")
    q: Bytes = _nibbles(blocks[..., 6:22]) | (fifth << np.uint8(4))
    return int5_tiles(q, _half(blocks, 0))


def _q8_0(blocks: Bytes) -> Bytes | None:
    """d q; None for a block with -128, which is not written by anyone we know of and does not fit"""
    q = np.ascontiguousarray(blocks[..., 2:34]).view(np.int8)
    return None if q.min() < -127 else int8_tiles(q, _half(blocks, 0))


_EXACT: dict[Type, tuple[Format, Callable[[Bytes], Bytes | None]]] = {
    Type.Q4_0: (Format.INT4, _q4_0),
    Type.Q4_1: (Format.INT4, _q4_1),
    Type.Q4_K: (Format.INT4K, _q4_k),
    Type.Q5_0: (Format.INT5, _q5_0),
    Type.Q6_K: (Format.INT6, _q6_k),
    Type.Q8_0: (Format.INT8, _q8_0),
}
