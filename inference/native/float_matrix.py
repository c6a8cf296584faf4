"""A matrix of floats as the kernels read it: where it stands, unpacked."""

from functools import cached_property

import torch

from inference.native import structures

FORMATS = {torch.float32: 16, torch.bfloat16: 17, torch.float16: 18}  # ForewordFormat


class FloatMatrix:
    """weight [outputs, inputs] and bias [outputs] or None, contiguous on the CPU; neither is copied.

    Raises ValueError for what the kernels cannot read.
    """

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor | None = None) -> None:
        if (
            weight.dtype not in FORMATS
            or weight.dim() != 2
            or not weight.is_contiguous()
            or weight.device.type != "cpu"
        ):
            raise ValueError(f"no kernel for a matrix of {weight.dtype} {tuple(weight.shape)} on {weight.device}")
        self.weight = weight
        self.bias = None if bias is None else bias.float().contiguous()
        self.outputs, self.inputs = weight.shape
        if self.bias is not None and tuple(self.bias.shape) != (self.outputs,):
            raise ValueError(f"a bias of {tuple(self.bias.shape)} does not fit {self.outputs} outputs")

    @cached_property
    def structure(self) -> structures.Matrix:
        bias = None if self.bias is None else self.bias.data_ptr()
        return structures.Matrix(self.weight.data_ptr(), bias, self.outputs, self.inputs, FORMATS[self.weight.dtype])
