"""Packing of weight matrices into the kernels' formats (foreword.h draws the layouts), and back."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import partial

import numpy as np
import torch

from inference.native import structures, tiles
from inference.native.tiles import Bytes, Floats, Halves

TILE, GROUP = tiles.TILE, tiles.GROUP


class Format(IntEnum):
    """int4: 4 bits, fp16 scale and minimum per output and 32 inputs (5 bits a weight); int4_64 and int4_128: per 64 and
    128 inputs (4.5 and 4.25 bits). int8: 8.5 bits, no minimum.

    int5 holds GGUF's Q5_0 exactly (5.5 bits a weight). int4k and int6 hold Q4_K and Q6_K (4.625 and 6.625 bits); inputs
    are a multiple of 256.
    """

    INT4 = 0
    INT8 = 1
    INT4K = 2
    INT6 = 3
    INT4_64 = 4
    INT4_128 = 5
    INT5 = 6

    @property
    def block_groups(self) -> int:
        """Groups of 32 inputs after which the layout repeats."""
        return (1, 1, 8, 8, 2, 4, 1)[self]

    @property
    def block_bytes(self) -> int:
        """Of 16 outputs and that many groups."""
        return (320, 544, 2368, 3392, 576, 1088, 352)[self]

    def takes(self, inputs: int) -> bool:
        """Whether a matrix of so many inputs may have this format."""
        return self not in (Format.INT4K, Format.INT6) or inputs % (GROUP * self.block_groups) == 0

    def nbytes(self, outputs: int, inputs: int) -> int:
        """Of a whole matrix. ValueError for inputs that this format does not take."""
        if not self.takes(inputs):
            raise ValueError(f"{self.name} takes inputs by {GROUP * self.block_groups}, not {inputs}")
        groups = -(-inputs // GROUP)
        missing = -groups % self.block_groups  # of the last block; only int4 has one that is not full
        blocks = -(-groups // self.block_groups)
        return -(-outputs // TILE) * (blocks * self.block_bytes - missing * 256)

    @classmethod
    def of(cls, nbytes: int, outputs: int, inputs: int) -> "Format":
        """The format in which a matrix takes so many bytes. No two take the same, but where inputs are so few that
        groups of 32, 64 or 128 are one and the same layout. ValueError when none does."""
        for kind in cls:
            if kind.takes(inputs) and kind.nbytes(outputs, inputs) == nbytes:
                return kind
        raise ValueError(f"no format of {outputs} x {inputs} takes {nbytes} bytes")


@dataclass(frozen=True)
class PackedMatrix:
    """A matrix [outputs, inputs] as the kernels read it. data: uint8 [nbytes]; bias: float32 [outputs]."""

    data: torch.Tensor
    outputs: int
    inputs: int
    format: Format
    bias: torch.Tensor | None = None

    def __post_init__(self) -> None:
        expected = self.format.nbytes(self.outputs, self.inputs)
        if self.data.dtype != torch.uint8 or self.data.numel() != expected or not self.data.is_contiguous():
            raise ValueError(f"{self.outputs} x {self.inputs} {self.format.name} takes {expected} bytes")
        bias = self.bias
        if bias is not None and (bias.dtype != torch.float32 or tuple(bias.shape) != (self.outputs,)):
            raise ValueError("a bias is float32 [outputs]")

    @property
    def nbytes(self) -> int:
        return self.data.numel()

    @property
    def weights(self) -> int:
        return self.outputs * self.inputs

    @property
    def structure(self) -> structures.Matrix:
        bias = None if self.bias is None else self.bias.data_ptr()
        return structures.Matrix(self.data.data_ptr(), bias, self.outputs, self.inputs, int(self.format))


def pack_int4(weight: torch.Tensor, bias: torch.Tensor | None = None, kind: Format = Format.INT4) -> PackedMatrix:
    """weight float [outputs, inputs]; kind: INT4, INT4_64 or INT4_128.

    Weights that were int4 with fp16 scale and minimum, in such groups, before come back exactly.
    The native library does it six times faster on each thread; without it torch does, with equal care.
    """
    from inference.native.library import load

    if kind not in (Format.INT4, Format.INT4_64, Format.INT4_128):
        raise ValueError(f"floats are not packed into {kind.name} here")
    library = load()
    parts = []
    for rows in _strips(weight):
        if library is None:
            parts.append(tiles.int4_tiles(*_choose_int4(rows, GROUP * kind.block_groups), kind.block_groups))
            continue
        values = rows.float().contiguous()
        part = np.empty(kind.nbytes(*values.shape), np.uint8)
        pack = library.functions.foreword_pack_int4
        library.check(pack(values.data_ptr(), *values.shape, int(kind), part.ctypes.data))
        parts.append(part)
    return _packed(parts, weight, kind, bias)


def pack_int8(weight: torch.Tensor, bias: torch.Tensor | None = None) -> PackedMatrix:
    """weight float [outputs, inputs]: the largest magnitude of every 32 becomes 127."""
    parts = []
    for rows in _strips(weight):
        groups = _grouped(rows)
        scale = _as_half(groups.abs().amax(-1) / 127)
        q = _rounded(groups, scale, torch.zeros_like(scale)).clamp_(-127, 127)
        parts.append(tiles.int8_tiles(q.to(torch.int8).numpy(), scale.half().numpy()))
    return _packed(parts, weight, Format.INT8, bias)


def unpack(matrix: PackedMatrix) -> torch.Tensor:
    """The weights that the kernels multiply with, float32 [outputs, inputs]."""
    count = -(-matrix.outputs // TILE)
    data = matrix.data.numpy().reshape(count, -1)
    values = _UNPACK[matrix.format](data)  # [tile, group, output, input]
    values = values.transpose(0, 2, 1, 3).reshape(count * TILE, -1)
    return torch.from_numpy(values[: matrix.outputs, : matrix.inputs].copy())


_UNPACK: dict[Format, Callable[[Bytes], Floats]] = {
    Format.INT4: tiles.unpack_int4,
    Format.INT8: tiles.unpack_int8,
    Format.INT4K: tiles.unpack_int4k,
    Format.INT6: tiles.unpack_int6,
    Format.INT4_64: partial(tiles.unpack_int4, shared=2),
    Format.INT4_128: partial(tiles.unpack_int4, shared=4),
    Format.INT5: tiles.unpack_int5,
}


def _strips(weight: torch.Tensor) -> list[torch.Tensor]:
    """Some tiles at a time, so that working copies stay small beside the model."""
    rows = max(TILE, (1 << 21) // max(1, weight.shape[1]) // TILE * TILE)
    return [weight[start : start + rows] for start in range(0, weight.shape[0], rows)]


def _packed(parts: list[Bytes], weight: torch.Tensor, kind: Format, bias: torch.Tensor | None) -> PackedMatrix:
    outputs, inputs = weight.shape
    return packed(parts, outputs, inputs, kind, bias)


def packed(parts: list[Bytes], outputs: int, inputs: int, kind: Format, bias: torch.Tensor | None) -> PackedMatrix:
    """A matrix of strips of whole tiles, one after the other."""
    data = aligned_bytes(sum(part.size for part in parts))
    np.concatenate(parts, out=data)
    bias = None if bias is None else bias.float().contiguous()
    return PackedMatrix(torch.from_numpy(data), outputs, inputs, kind, bias)


def aligned_bytes(count: int) -> Bytes:
    """Uninitialized, starting on a cache line. Large ones lie in large pages where the system has them (numpy asks)."""
    whole = np.empty(count + 64, np.uint8)
    start = -whole.ctypes.data % 64
    return whole[start : start + count]


def _grouped(rows: torch.Tensor, group: int = GROUP) -> torch.Tensor:
    """float32 [outputs, groups, group], the last group filled up with its own last value so that it shapes no scale."""
    rows = rows.float()
    short = -rows.shape[1] % group
    if short:
        rows = torch.cat((rows, rows[:, -1:].expand(-1, short)), 1)
    return rows.reshape(rows.shape[0], -1, group)


def _as_half(x: torch.Tensor) -> torch.Tensor:
    """Rounded to fp16, within its range."""
    return x.clamp(-65504, 65504).half().float()


def _rounded(groups: torch.Tensor, scale: torch.Tensor, minimum: torch.Tensor) -> torch.Tensor:
    inverse = torch.where(scale == 0, torch.zeros_like(scale), 1 / scale)
    return ((groups - minimum[..., None]) * inverse[..., None]).round_()


def _choose_int4(rows: torch.Tensor, group: int) -> tuple[Bytes, Halves, Halves]:
    """q [outputs, groups of 32, 32], and the scale and minimum of every `group` inputs that err least, of a few
    candidates: the full range, its neighbours in fp16, narrower ranges, and the least-squares fit to the integers of
    the best so far (twice)."""
    groups = _grouped(rows, group)
    real = (torch.arange(groups.shape[1] * group) < rows.shape[1]).float().view(-1, group)  # 0 for the filling
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
    q = best.q.to(torch.uint8).view(rows.shape[0], -1, GROUP)[:, : -(-rows.shape[1] // GROUP)]
    return q.numpy(), best.scale.half().numpy(), best.minimum.half().numpy()


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
