"""GGUF blocks straight into the kernels' formats: Q4_0, Q4_1, Q5_0, Q8_0 exactly, Q4_K to the rounding of its scales.

Block layouts are those of the GGUF specification (ggml). Q4_K holds a scale of 6 bits times an fp16 for every 32
weights; the product is rounded to fp16, a relative 2^-11 of scale and minimum. Every other type is dequantized by the
gguf package and requantized to int8, whose error (half of 1/127 of the largest of 32) is below that of the type itself.
"""

import gguf
import numpy as np
import numpy.typing as npt
import torch
from gguf import GGMLQuantizationType as Type

from inference.native.weights import Bytes, Format, Halves, PackedMatrix, int4_tiles, int8_tiles, pack_int8


def pack_gguf(raw: Bytes, kind: Type, outputs: int, inputs: int, bias: torch.Tensor | None = None) -> PackedMatrix:
    """raw: the tensor's bytes as GGUFReader gives them (uint8, any shape). inputs a multiple of the type's block.

    The result is int4 for Q4_0, Q4_1 and Q4_K and int8 for everything else.
    """
    if kind in _INT4:
        blocks = raw.reshape(outputs, -1, gguf.GGML_QUANT_SIZES[kind][1])
        q, scale, minimum = _INT4[kind](blocks)
        return _matrix(int4_tiles(q, scale, minimum), outputs, inputs, Format.INT4, bias)
    if kind in _INT8:
        blocks = raw.reshape(outputs, -1, gguf.GGML_QUANT_SIZES[kind][1])
        values, scale = _INT8[kind](blocks)
        if values.min() >= -127:
            return _matrix(int8_tiles(values, scale), outputs, inputs, Format.INT8, bias)
    return _requantized(raw, kind, outputs, inputs, bias)


def _matrix(data: Bytes, outputs: int, inputs: int, kind: Format, bias: torch.Tensor | None) -> PackedMatrix:
    return PackedMatrix(
        torch.from_numpy(data), outputs, inputs, kind, None if bias is None else bias.float().contiguous()
    )


def _requantized(raw: Bytes, kind: Type, outputs: int, inputs: int, bias: torch.Tensor | None) -> PackedMatrix:
    """In strips, so that the float copy stays small beside the model."""
    rows = raw.reshape(outputs, -1)
    strip = max(16, (1 << 22) // inputs // 16 * 16)
    parts = [
        pack_int8(torch.from_numpy(gguf.dequantize(rows[i : i + strip], kind).reshape(-1, inputs))).data
        for i in range(0, outputs, strip)
    ]
    data = np.concatenate([part.numpy() for part in parts])
    return _matrix(data, outputs, inputs, Format.INT8, bias)


def _half(blocks: Bytes, at: int) -> Halves:
    return np.ascontiguousarray(blocks[..., at : at + 2]).view(np.float16)[..., 0]


def _nibbles(packed: Bytes) -> Bytes:
    return np.concatenate((packed & 15, packed >> 4), -1)


def _q4_0(blocks: Bytes) -> tuple[Bytes, Halves, Halves]:
    """d (q - 8)"""
    scale = _half(blocks, 0)
    return _nibbles(blocks[..., 2:18]), scale, (scale * np.float16(-8)).astype(np.float16)


def _q4_1(blocks: Bytes) -> tuple[Bytes, Halves, Halves]:
    """d q + m"""
    return _nibbles(blocks[..., 4:20]), _half(blocks, 0), _half(blocks, 2)


def _q4_k(blocks: Bytes) -> tuple[Bytes, Halves, Halves]:
    """d s q - dmin m, eight groups of 32 with six bits each for s and m"""
    packed = blocks[..., 4:16]
    first, second, third = packed[..., 0:4], packed[..., 4:8], packed[..., 8:12]
    s = np.concatenate((first & 63, (third & 15) | ((first >> 6) << 4)), -1).astype(np.float32)
    m = np.concatenate((second & 63, (third >> 4) | ((second >> 6) << 4)), -1).astype(np.float32)
    scale = (_half(blocks, 0).astype(np.float32)[..., None] * s).astype(np.float16)
    minimum = (_half(blocks, 2).astype(np.float32)[..., None] * -m).astype(np.float16)
    chunks = blocks[..., 16:144].reshape(*blocks.shape[:2], 4, 32)  # low nibbles one group, high nibbles the next
    q = np.stack((chunks & 15, chunks >> 4), -2)
    outputs = blocks.shape[0]
    return q.reshape(outputs, -1, 32), scale.reshape(outputs, -1), minimum.reshape(outputs, -1)


def _q5_0(blocks: Bytes) -> tuple[npt.NDArray[np.int8], Halves]:
    """d (q - 16), the fifth bits apart"""
    fifth = np.unpackbits(blocks[..., 2:6], axis=-1, bitorder="little")
    q = _nibbles(blocks[..., 6:22]) | (fifth << 4)
    return q.astype(np.int8) - np.int8(16), _half(blocks, 0)


def _q8_0(blocks: Bytes) -> tuple[npt.NDArray[np.int8], Halves]:
    """d q"""
    return np.ascontiguousarray(blocks[..., 2:34]).view(np.int8), _half(blocks, 0)


_INT4 = {Type.Q4_0: _q4_0, Type.Q4_1: _q4_1, Type.Q4_K: _q4_k}
_INT8 = {Type.Q5_0: _q5_0, Type.Q8_0: _q8_0}
