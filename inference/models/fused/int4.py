"""4-bit weights: one scale and one minimum for every 32 (or 64, or 128) values along a row."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

GROUP = 32
ROWS_AT_ONCE = 2048  # bounds the memory of a fit


@dataclass(frozen=True)
class Int4:
    """weight[n, k] = codes[n, k] * scale[n, k / group] + minimum[n, k / group].

    codes: uint8 [n, k], 0..15. scale, minimum: float32 [n, k / group].
    """

    codes: "torch.Tensor"
    scale: "torch.Tensor"
    minimum: "torch.Tensor"

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.codes.shape[0]), int(self.codes.shape[1])

    @property
    def group(self) -> int:
        """Values that share a scale."""
        return int(self.codes.shape[1] // self.scale.shape[1])

    def dense(self) -> "torch.Tensor":
        """float32 [n, k]."""
        n, k = self.shape
        values = self.codes.view(n, -1, self.group).float()
        return (values * self.scale[..., None] + self.minimum[..., None]).view(n, k)


def fitting_group(group: int, inputs: int) -> int:
    """The group, or the half or quarter of it that divides the inputs: nothing is padded for the sake of a group."""
    while group > GROUP and inputs % group:
        group //= 2
    return group


def pad_columns(weight: "torch.Tensor", multiple: int = GROUP) -> "torch.Tensor":
    """weight [n, k] with zero columns up to the next multiple; the same tensor where there is nothing to add."""
    import torch

    missing = -weight.shape[1] % multiple
    return torch.nn.functional.pad(weight, (0, missing)) if missing else weight


def quantize(weight: "torch.Tensor", group: int = GROUP) -> Int4:
    """Floats [n, k] to 4 bits; k a multiple of group.

    Starts from the span of each group, then tries a few narrower and wider spans, fits scale and minimum to the codes
    by least squares, and keeps what errs least: the idea behind the K-quants of GGUF.
    """
    import torch

    n, k = weight.shape
    codes = torch.empty((n, k), dtype=torch.uint8)
    scale = torch.empty((n, k // group))
    minimum = torch.empty((n, k // group))
    for start in range(0, n, ROWS_AT_ONCE):
        part = slice(start, min(n, start + ROWS_AT_ONCE))
        blocks = weight[part].float().reshape(-1, group)
        best_codes, best_scale, best_minimum = _fit(blocks)
        codes[part] = best_codes.view(-1, k)
        scale[part] = best_scale.view(-1, k // group)
        minimum[part] = best_minimum.view(-1, k // group)
    return Int4(codes, scale, minimum)


def _fit(blocks: "torch.Tensor") -> "tuple[torch.Tensor, torch.Tensor, torch.Tensor]":
    """Best codes [m, group] uint8, scale [m] and minimum [m] for float32 blocks [m, group]."""
    import torch

    low = blocks.amin(-1, keepdim=True)
    span = (blocks.amax(-1, keepdim=True) - low).clamp_min(1e-30)
    mean = blocks.mean(-1, keepdim=True)
    best_error = torch.full_like(low, float("inf"))
    best = (torch.zeros_like(blocks), torch.zeros_like(low), low)
    for levels in (15.0, 14.5, 15.5, 16.0, 14.0):
        codes = ((blocks - low) * (levels / span)).round_().clamp_(0, 15)
        code_mean = codes.mean(-1, keepdim=True)
        deviation = codes - code_mean
        spread = (deviation * deviation).sum(-1, keepdim=True)
        scale = torch.where(spread > 0, (deviation * (blocks - mean)).sum(-1, keepdim=True) / spread, span / levels)
        minimum = mean - scale * code_mean
        error = (codes * scale + minimum - blocks).square_().sum(-1, keepdim=True)
        better = error < best_error
        best = (
            torch.where(better, codes, best[0]),
            torch.where(better, scale, best[1]),
            torch.where(better, minimum, best[2]),
        )
        best_error = torch.where(better, error, best_error)
    codes, scale, minimum = best
    return codes.to(torch.uint8), scale.squeeze(-1), minimum.squeeze(-1)
