"""Packing of weight matrices into the kernels' formats (foreword.h draws the layouts), and back."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt
import torch

from inference.native import structures

TILE, GROUP = 16, 32

Halves = npt.NDArray[np.float16]
Bytes = npt.NDArray[np.uint8]


class Format(IntEnum):
    """int4: 4 bits, fp16 scale and minimum per output and 32 inputs (5 bits a weight). int8: 8.5 bits, no minimum."""

    INT4 = 0
    INT8 = 1

    @property
    def group_bytes(self) -> int:
        """Of 16 outputs and 32 inputs."""
        return 320 if self is Format.INT4 else 544


@dataclass(frozen=True)
class PackedMatrix:
    """A matrix [outputs, inputs] as the kernels read it. data: uint8 [nbytes]; bias: float32 [outputs]."""

    data: torch.Tensor
    outputs: int
    inputs: int
    format: Format
    bias: torch.Tensor | None = None

    def __post_init__(self) -> None:
        expected = -(-self.outputs // TILE) * -(-self.inputs // GROUP) * self.format.group_bytes
        if self.data.dtype != torch.uint8 or self.data.numel() != expected or not self.data.is_contiguous():
            raise ValueError(f"{self.outputs} x {self.inputs} {self.format.name} takes {expected} bytes")
        bias = self.bias
        if bias is not None and (bias.dtype != torch.float32 or tuple(bias.shape) != (self.outputs,)):
            raise ValueError("a bias is float32 [outputs]")

    @property
    def nbytes(self) -> int:
        return self.data.numel()

    @property
    def structure(self) -> structures.Matrix:
        bias = None if self.bias is None else self.bias.data_ptr()
        return structures.Matrix(self.data.data_ptr(), bias, self.outputs, self.inputs, int(self.format))


def pack_int4(weight: torch.Tensor, bias: torch.Tensor | None = None) -> PackedMatrix:
    """weight float [outputs, inputs]. Weights that were int4 with fp16 scale and minimum before come back exactly."""
    parts = [int4_tiles(*_choose_int4(rows)) for rows in _strips(weight)]
    return _packed(parts, weight, Format.INT4, bias)


def pack_int8(weight: torch.Tensor, bias: torch.Tensor | None = None) -> PackedMatrix:
    """weight float [outputs, inputs]: the largest magnitude of every 32 becomes 127."""
    parts = []
    for rows in _strips(weight):
        groups = _grouped(rows)
        scale = _as_half(groups.abs().amax(-1) / 127)
        q = _rounded(groups, scale, torch.zeros_like(scale)).clamp_(-127, 127)
        parts.append(int8_tiles(q.to(torch.int8).numpy(), scale.half().numpy()))
    return _packed(parts, weight, Format.INT8, bias)


def unpack(matrix: PackedMatrix) -> torch.Tensor:
    """The weights that the kernels multiply with, float32 [outputs, inputs]."""
    tiles = -(-matrix.outputs // TILE)
    data = matrix.data.numpy().reshape(tiles, -1, matrix.format.group_bytes)
    split = 256 if matrix.format is Format.INT4 else 512
    quads = data[..., :split].reshape(*data.shape[:2], -1, TILE, 4).transpose(0, 3, 1, 2, 4)  # [tile, c, group, j, i]
    q = np.ascontiguousarray(quads).reshape(*quads.shape[:3], -1)
    halves = np.ascontiguousarray(data[..., split:]).view(np.float16).astype(np.float32)
    scale = halves[..., :TILE].transpose(0, 2, 1)[..., None]
    if matrix.format is Format.INT4:
        values = np.concatenate((q & 15, q >> 4), -1).astype(np.float32)
        values = values * scale + halves[..., TILE:].transpose(0, 2, 1)[..., None]
    else:
        values = (q.astype(np.float32) - 128) * scale
    return torch.from_numpy(values.reshape(tiles * TILE, -1)[: matrix.outputs, : matrix.inputs].copy())


def int4_tiles(q: Bytes, scale: Halves, minimum: Halves) -> Bytes:
    """q [outputs, groups, 32] in 0..15, scale and minimum [outputs, groups] -> bytes of whole tiles."""
    pairs: Bytes = (q[..., :16] | (q[..., 16:] << 4)).astype(np.uint8)
    return _tiles(pairs, (scale, minimum), 0)


def int8_tiles(q: npt.NDArray[np.int8], scale: Halves) -> Bytes:
    """q [outputs, groups, 32] in -127..127, scale [outputs, groups] -> bytes of whole tiles."""
    stored = (q.view(np.uint8) ^ 128).astype(np.uint8)  # + 128
    return _tiles(stored, (scale,), 128)


def _tiles(q: Bytes, halves: tuple[Halves, ...], padding: int) -> Bytes:
    """Sixteen outputs side by side, four inputs of each: bytes [tile, group, j, output, i], then the tile's halves."""
    outputs, groups, width = q.shape
    short = -outputs % TILE
    if short:
        q = np.pad(q, ((0, short), (0, 0), (0, 0)), constant_values=padding)
        halves = tuple(np.pad(part, ((0, short), (0, 0))) for part in halves)
    tiles = (outputs + short) // TILE
    out = np.empty((tiles, groups, width * TILE + 32 * len(halves)), np.uint8)
    quads = q.reshape(tiles, TILE, groups, width // 4, 4).transpose(0, 2, 3, 1, 4)
    out[..., : width * TILE] = quads.reshape(tiles, groups, -1)
    for i, part in enumerate(halves):
        start = width * TILE + 32 * i
        block = np.ascontiguousarray(part.reshape(tiles, TILE, groups).transpose(0, 2, 1))
        out[..., start : start + 32] = block.view(np.uint8)
    return out.reshape(-1)


def _strips(weight: torch.Tensor) -> list[torch.Tensor]:
    """Some tiles at a time, so that working copies stay small beside the model."""
    rows = max(TILE, (1 << 21) // max(1, weight.shape[1]) // TILE * TILE)
    return [weight[start : start + rows] for start in range(0, weight.shape[0], rows)]


def _packed(parts: list[Bytes], weight: torch.Tensor, kind: Format, bias: torch.Tensor | None) -> PackedMatrix:
    # numpy asks the system for large pages, which saves the kernels address lookups
    data = torch.from_numpy(np.concatenate(parts) if len(parts) != 1 else parts[0])
    return PackedMatrix(
        data, weight.shape[0], weight.shape[1], kind, None if bias is None else bias.float().contiguous()
    )


def _grouped(rows: torch.Tensor) -> torch.Tensor:
    """float32 [outputs, groups, 32], the last group filled up with its own last value so that it shapes no scale."""
    rows = rows.float()
    short = -rows.shape[1] % GROUP
    if short:
        rows = torch.cat((rows, rows[:, -1:].expand(-1, short)), 1)
    return rows.reshape(rows.shape[0], -1, GROUP)


def _as_half(x: torch.Tensor) -> torch.Tensor:
    """Rounded to fp16, within its range."""
    return x.clamp(-65504, 65504).half().float()


def _rounded(groups: torch.Tensor, scale: torch.Tensor, minimum: torch.Tensor) -> torch.Tensor:
    inverse = torch.where(scale == 0, torch.zeros_like(scale), 1 / scale)
    return ((groups - minimum[..., None]) * inverse[..., None]).round_()


def _choose_int4(rows: torch.Tensor) -> tuple[Bytes, Halves, Halves]:
    """q, scale and minimum of least squared error among a few candidates: the full range, its neighbours in fp16,
    narrower ranges, and the least-squares fit to the integers of the best so far (twice)."""
    groups = _grouped(rows)
    real = (torch.arange(groups.shape[1] * GROUP) < rows.shape[1]).float().view(-1, GROUP)  # 0 for the filling
    low, high = groups.amin(-1), groups.amax(-1)
    scale, minimum = _as_half((high - low) / 15), _as_half(low)
    best = _Candidate(groups, real, scale, minimum)
    ulp = torch.where(scale > 2**-14, 2.0 ** (torch.frexp(scale).exponent - 11).float(), torch.tensor(2.0**-24))
    for step in (-ulp, ulp):
        best.improve(_Candidate(groups, real, _as_half(scale + step), minimum))
    if bool((best.error > 1e-6 * (high - low).square()).any()):  # not int4 before
        for shrink in (0.97, 0.93, 0.88, 0.83):
            middle, reach = (low + high) / 2, (high - low) / 2 * shrink
            best.improve(_Candidate(groups, real, _as_half(reach / 7.5), _as_half(middle - reach)))
        for _ in range(2):
            best.improve(_Candidate(groups, real, *best.fit()))
    return best.q.to(torch.uint8).numpy(), best.scale.half().numpy(), best.minimum.half().numpy()


class _Candidate:
    def __init__(self, groups: torch.Tensor, real: torch.Tensor, scale: torch.Tensor, minimum: torch.Tensor) -> None:
        self.groups, self.real, self.scale, self.minimum = groups, real, scale, minimum
        self.q = _rounded(groups, scale, minimum).clamp_(0, 15)
        self.error = (self.q * scale[..., None] + minimum[..., None] - groups).square_().mul_(real).sum(-1)

    def improve(self, other: "_Candidate") -> None:
        """Take over the groups in which `other` is better."""
        better = other.error < self.error
        self.q = torch.where(better[..., None], other.q, self.q)
        for name in ("scale", "minimum", "error"):
            setattr(self, name, torch.where(better, getattr(other, name), getattr(self, name)))

    def fit(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Scale and minimum of least squared error for these integers."""
        count = self.real.sum(-1)
        q_mean, w_mean = (self.q * self.real).sum(-1) / count, (self.groups * self.real).sum(-1) / count
        q_apart = (self.q - q_mean[..., None]) * self.real
        spread = q_apart.square().sum(-1)
        slope = (q_apart * (self.groups - w_mean[..., None])).sum(-1) / spread.clamp_min(1e-20)
        slope = torch.where(spread > 0, slope, self.scale)
        return _as_half(slope), _as_half(w_mean - slope * q_mean)
