"""Blocks of a GGUF file as Groups, without loss where the file's groups fit ours.

Block layouts are those of the GGUF specification (ggml's `block_q4_0` and so on); the tests hold every one of them to
the `gguf` package's own reference.
"""

from typing import TYPE_CHECKING

from inference.models.fused.groups import GROUP, Groups

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray


def groups_of(raw: "NDArray[np.uint8]", kind: str) -> Groups | None:
    """raw [n, bytes of a row] of blocks of one kind, e.g. "Q4_K"; None where the kind has no exact form here.

    That is so for Q5_1 and Q5_K, whose 8-bit codes would need a minimum, and for Q6_K, whose groups are of 16.
    """
    reader = {"Q4_0": _q4_0, "Q4_1": _q4_1, "Q4_K": _q4_k, "Q5_0": _q5_0, "Q8_0": _q8_0}.get(kind)
    return reader(raw) if reader is not None else None


def _blocks(raw: "NDArray[np.uint8]", size: int) -> "NDArray[np.uint8]":
    return raw.reshape(raw.shape[0], -1, size)


def _half(part: "NDArray[np.uint8]") -> "NDArray[np.float32]":
    """The two bytes at the end of every block as a half-precision number."""
    import numpy as np

    values: NDArray[np.float32] = np.ascontiguousarray(part).view(np.float16)[..., 0].astype(np.float32)
    return values


def _groups(
    bits: int, codes: "NDArray[np.uint8]", scale: "NDArray[np.float32]", minimum: "NDArray[np.float32]"
) -> Groups:
    """codes [n, blocks, any]; scale and minimum [n, groups]."""
    import numpy as np
    import torch

    def tensor(array: "NDArray[np.generic]") -> "torch.Tensor":
        return torch.from_numpy(np.ascontiguousarray(array.reshape(array.shape[0], -1)))

    groups = Groups(bits, tensor(codes), tensor(scale), tensor(minimum))
    assert groups.shape[1] == groups.scale.shape[1] * GROUP
    return groups


def _nibbles(packed: "NDArray[np.uint8]") -> "NDArray[np.uint8]":
    """[..., b] bytes to [..., 2 b] codes: all low nibbles, then all high ones."""
    import numpy as np

    return np.concatenate((packed & 15, packed >> 4), axis=-1)


def _q4_0(raw: "NDArray[np.uint8]") -> Groups:
    blocks = _blocks(raw, 18)
    scale = _half(blocks[..., :2])
    return _groups(4, _nibbles(blocks[..., 2:]), scale, -8 * scale)


def _q4_1(raw: "NDArray[np.uint8]") -> Groups:
    blocks = _blocks(raw, 20)
    return _groups(4, _nibbles(blocks[..., 4:]), _half(blocks[..., :2]), _half(blocks[..., 2:4]))


def _q8_0(raw: "NDArray[np.uint8]") -> Groups:
    import numpy as np

    blocks = _blocks(raw, 34)
    scale = _half(blocks[..., :2])
    codes = (blocks[..., 2:].view(np.int8).astype(np.int16) + 128).astype(np.uint8)
    return _groups(8, codes, scale, -128 * scale)


def _fifth_bits(packed: "NDArray[np.uint8]") -> "NDArray[np.uint8]":
    """4 bytes of a block, bit i belongs to code i: [..., 32] of 0 or 16."""
    import numpy as np

    return np.unpackbits(packed, axis=-1, bitorder="little") * np.uint8(16)


def _q5_0(raw: "NDArray[np.uint8]") -> Groups:
    blocks = _blocks(raw, 22)
    scale = _half(blocks[..., :2])
    codes = (_nibbles(blocks[..., 6:]) | _fifth_bits(blocks[..., 2:6])) + 112
    return _groups(8, codes, scale, -128 * scale)


def _k_scales(
    blocks: "NDArray[np.uint8]",
) -> "tuple[NDArray[np.float32], NDArray[np.float32]]":
    """Scale and minimum of the eight groups of a K superblock: d, dmin (half), then 12 bytes of 6-bit numbers."""
    import numpy as np

    d, low = _half(blocks[..., 0:2]), _half(blocks[..., 2:4])
    first, second, third = blocks[..., 4:8], blocks[..., 8:12], blocks[..., 12:16]
    scales = np.concatenate((first & 63, (third & 15) | ((first >> 2) & 48)), axis=-1)
    minima = np.concatenate((second & 63, (third >> 4) | ((second >> 2) & 48)), axis=-1)
    return d[..., None] * scales.astype(np.float32), -low[..., None] * minima.astype(np.float32)


def _q4_k(raw: "NDArray[np.uint8]") -> Groups:
    blocks = _blocks(raw, 144)
    scale, minimum = _k_scales(blocks)
    packed = blocks[..., 16:].reshape(*blocks.shape[:2], 4, 32)  # 32 bytes: one group low, the next one high
    return _groups(4, _nibbles(packed), scale, minimum)
