"""The kernels' formats byte by byte (foreword.h draws them): from integers and scales to whole tiles, and back."""

from typing import Any

import numpy as np
import numpy.typing as npt

TILE, GROUP = 16, 32

Halves = npt.NDArray[np.float16]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


def int4_tiles(q: Bytes, scale: Halves, minimum: Halves, shared: int = 1) -> Bytes:
    """q [outputs, groups, 32] in 0..15, scale and minimum [outputs, groups / shared, rounded up] -> whole tiles."""
    planes = _plane((q[..., :16] | (q[..., 16:] << 4)).astype(np.uint8), 0)
    heads = np.concatenate((_column(scale).view(np.uint8), _column(minimum).view(np.uint8)), -1)
    tiles, groups = planes.shape[:2]
    whole = groups // shared
    blocks = heads[:, :whole], planes[:, : whole * shared].reshape(tiles, whole, 256 * shared)
    ends = heads[:, whole:].reshape(tiles, -1), planes[:, whole * shared :].reshape(tiles, -1)
    return np.concatenate((np.concatenate(blocks, -1).reshape(tiles, -1), *ends), -1).reshape(-1)


def int8_tiles(q: npt.NDArray[np.int8], scale: Halves) -> Bytes:
    """q [outputs, groups, 32] in -127..127, scale [outputs, groups] -> bytes of whole tiles."""
    stored = (q.view(np.uint8) ^ 128).astype(np.uint8)  # + 128
    return np.concatenate((_plane(stored, 128), _column(scale).view(np.uint8)), -1).reshape(-1)


def int5_tiles(q: Bytes, scale: Halves) -> Bytes:
    """w = scale (q - 16). q [outputs, groups, 32] in 0..31, scale [outputs, groups] -> bytes of whole tiles."""
    first, last = q[..., :16], q[..., 16:]
    pairs = _plane(((first & 15) | (last >> 1 << 4)).astype(np.uint8), 0x80)
    quads = ((first >> 4 << 1) | (last & 1)).reshape(*q.shape[:2], 4, 4)  # [output, group, j, i]
    bits = (quads << np.arange(0, 8, 2, dtype=np.uint8)[:, None]).sum(-2, dtype=np.uint8)
    return np.concatenate((_column(scale).view(np.uint8), pairs, _plane(bits, 0xAA)), -1).reshape(-1)


def int4k_tiles(q: Bytes, scales: Bytes, minima: Bytes, d: Halves, e: Halves) -> Bytes:
    """w = d s q + e m. q [outputs, groups, 32]; s, m [outputs, groups]; d, e [outputs, groups / 8] -> whole tiles."""
    pairs = _plane((q[..., :16] | (q[..., 16:] << 4)).astype(np.uint8), 0)
    tiles, groups = pairs.shape[:2]
    out = np.empty((tiles, groups // 8, 2368), np.uint8)
    out[..., :32], out[..., 32:64] = _column(d).view(np.uint8), _column(e).view(np.uint8)
    parts = np.concatenate((pairs, _column(scales), _column(minima)), -1)
    out[..., 64:] = parts.reshape(tiles, groups // 8, -1)
    return out.reshape(-1)


def int6_tiles(q: Bytes, scales: npt.NDArray[np.int8], d: Halves) -> Bytes:
    """w = d s (q - 32). q [outputs, groups, 32] in 0..63; s [outputs, groups, 2]; d [outputs, groups / 8] -> tiles."""
    high, low = q >> 2, q & 3
    pairs = _plane((high[..., :16] | (high[..., 16:] << 4)).astype(np.uint8), 0x88)
    quads = low.reshape(*q.shape[:2], 2, 4, 4)  # [output, group, half, j, i]
    bits = (quads << np.arange(0, 8, 2, dtype=np.uint8)[:, None]).sum(-2, dtype=np.uint8)
    planes = pairs, _plane(bits.reshape(*q.shape[:2], 8), 0)
    tiles, groups = pairs.shape[:2]
    out = np.zeros((tiles, groups // 8, 3392), np.uint8)
    out[..., :32] = _column(d).view(np.uint8)
    parts = np.concatenate((*planes, *(_column(scales[..., half].view(np.uint8)) for half in range(2))), -1)
    out[..., 64:] = parts.reshape(tiles, groups // 8, -1)
    return out.reshape(-1)


def _plane(q: Bytes, padding: int) -> Bytes:
    """Sixteen outputs side by side, four inputs of each: [output, group, 4 j + i] -> [tile, group, (j, output, i)]."""
    outputs, groups, width = q.shape
    q = np.pad(q, ((0, -outputs % TILE), (0, 0), (0, 0)), constant_values=padding)
    quads = q.reshape(-1, TILE, groups, width // 4, 4).transpose(0, 2, 3, 1, 4)
    return quads.reshape(quads.shape[0], groups, -1)


def _column(part: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """[output, group] -> [tile, group, output in the tile]"""
    outputs, groups = part.shape
    part = np.pad(part, ((0, -outputs % TILE), (0, 0)))
    return np.ascontiguousarray(part.reshape(-1, TILE, groups).transpose(0, 2, 1))


def unpack_int4(data: Bytes, shared: int = 1) -> Floats:
    """[tile, bytes of a tile] -> weights [tile, group, output, input]"""
    size = 64 + 256 * shared
    whole = data.shape[1] // size
    found = [_blocks(data[:, : whole * size].reshape(-1, whole, size))] if whole else []
    if data.shape[1] > whole * size:  # the last block is not full
        found.append(_blocks(data[:, None, whole * size :]))
    return np.concatenate(found, 1)


def _blocks(data: Bytes) -> Floats:
    """Scales and minima for all the nibbles behind them: [tile, block, bytes] -> [tile, group, output, input]"""
    planes = data[..., 64:].reshape(*data.shape[:2], -1, 256)
    scale, minimum = (_halves(data[..., at : at + 32])[:, :, None] for at in (0, 32))
    return _by_group(_nibbles(planes) * scale + minimum)


def unpack_int8(data: Bytes) -> Floats:
    """[tile, bytes of a tile], likewise"""
    data = data.reshape(len(data), -1, 544)
    return (_quads(data[..., :512]) - np.float32(128)) * _halves(data[..., 512:])


def unpack_int5(data: Bytes) -> Floats:
    """[tile, bytes of a tile], likewise"""
    data = data.reshape(len(data), -1, 352)
    bits = data[..., 288:].reshape(*data.shape[:2], 1, TILE, 4) >> np.arange(0, 8, 2).reshape(4, 1, 1) & 3
    bits = bits.swapaxes(-2, -3).reshape(*data.shape[:2], TILE, 16)  # [.., j, output, i] before
    four, high = _nibbles(data[..., 32:288]), bits >> 1
    q = np.concatenate((four[..., :16] + 16 * high, four[..., 16:] * 2 + (bits & 1)), -1)
    return (q.astype(np.float32) - 16) * _halves(data[..., :32])


def unpack_int4k(data: Bytes) -> Floats:
    """[tile, bytes of a tile], likewise"""
    data = data.reshape(len(data), -1, 2368)
    groups = data[..., 64:].reshape(*data.shape[:2], 8, 288)
    s = groups[..., 256:].reshape(*data.shape[:2], 8, 2, TILE, 1).astype(np.float32)
    scale, minimum = (_halves(data[..., at : at + 32])[:, :, None] * s[..., i, :, :] for i, at in enumerate((0, 32)))
    return _by_group(_nibbles(groups[..., :256]) * scale + minimum)


def unpack_int6(data: Bytes) -> Floats:
    """[tile, bytes of a tile], likewise"""
    data = data.reshape(len(data), -1, 3392)
    groups = data[..., 64:].reshape(*data.shape[:2], 8, 416)
    s = groups[..., 384:].view(np.int8).reshape(*data.shape[:2], 8, 2, TILE).astype(np.float32)
    scale = _halves(data[..., :32])[:, :, None] * np.repeat(s.swapaxes(-1, -2), 16, -1)
    bits = groups[..., 256:384].reshape(*data.shape[:2], 8, 2, 1, TILE, 4) >> np.arange(0, 8, 2).reshape(4, 1, 1) & 3
    low = np.moveaxis(bits, -2, 3).reshape(*data.shape[:2], 8, TILE, GROUP)  # [.., half, j, output, i] before
    q = _nibbles(groups[..., :256]) * 4 + low.astype(np.float32) - 32
    return _by_group(q * scale)


def _quads(plane: Bytes) -> Floats:
    """[..., j, output, i] as bytes in a row -> [..., output, 4 j + i]"""
    quads = plane.reshape(*plane.shape[:-1], -1, TILE, 4).swapaxes(-2, -3)
    return quads.reshape(*quads.shape[:-2], -1).astype(np.float32)


def _nibbles(plane: Bytes) -> Floats:
    low: Bytes = (plane & 15).astype(np.uint8)
    high: Bytes = (plane >> 4).astype(np.uint8)
    return np.concatenate((_quads(low), _quads(high)), -1)


def _halves(part: Bytes) -> Floats:
    """[..., 32 bytes] -> [..., 16 outputs, 1]"""
    return np.ascontiguousarray(part).view(np.float16).astype(np.float32)[..., None]


def _by_group(blocks: Floats) -> Floats:
    """[tile, block, group, output, input] -> [tile, group, output, input]"""
    return blocks.reshape(blocks.shape[0], -1, *blocks.shape[3:])
