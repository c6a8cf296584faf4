"""Rotary positions as tables of cosines and sines."""

from typing import TYPE_CHECKING

from inference.models.fused.architecture import Rope

if TYPE_CHECKING:
    import torch


def tables(rope: Rope, head_size: int, positions: int) -> "tuple[torch.Tensor, torch.Tensor]":
    """cos and sin, float32 [positions, head_size / 2].

    In single precision throughout, as the models were trained: exact angles would differ in the fourth digit at
    position 8,000.
    """
    import torch

    exponents = torch.arange(0, head_size, 2, dtype=torch.int64).float() / head_size
    frequencies = 1.0 / rope.theta**exponents
    frequencies = frequencies / torch.tensor([rope.scale(f) for f in frequencies.tolist()], dtype=torch.float32)
    angles = torch.arange(positions, dtype=torch.float32)[:, None] * frequencies
    return angles.cos(), angles.sin()


def rotate(x: "torch.Tensor", cos: "torch.Tensor", sin: "torch.Tensor") -> "torch.Tensor":
    """Turn each pair (i, i + head_size / 2) of x [n, heads, head_size] by its row's angle; cos, sin [n, 1, half]."""
    import torch

    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)
