"""Matrices that multiply rows, in the formats that torch keeps. One class for each.

Every format computes a row in the same bits whatever stands beside it. The packed formats and native products do so for
any number of rows. The libraries under torch's dense ones choose a route, and with it an order to sum in, by how many
rows there are; so on a processor those are products of DENSE_ROWS rows each, and `row_multiple` says to what the rows
of a pass must be padded.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from inference.models.fused.int4 import GROUP, Int4, fitting_group, pad_columns, quantize

if TYPE_CHECKING:
    import torch

    from inference.native.library import Library

DENSE_ROWS = 8


class Linear(Protocol):
    """y = x W^T + b for x float32 [rows, inputs], y float32 [rows, outputs]."""

    row_multiple: int

    @property
    def nbytes(self) -> int: ...

    def __call__(self, x: "torch.Tensor") -> "torch.Tensor": ...


class DenseLinear:
    """float32, bfloat16 or float16 weights; activations are rounded to the same type."""

    row_multiple = DENSE_ROWS

    def __init__(self, weight: "torch.Tensor", bias: "torch.Tensor | None") -> None:
        self.weight = weight.contiguous()
        self.bias = None if bias is None else bias.to(weight.dtype)

    @property
    def nbytes(self) -> int:
        return self.weight.nbytes

    def __call__(self, x: "torch.Tensor") -> "torch.Tensor":
        import torch

        linear, rows = torch.nn.functional.linear, x.to(self.weight.dtype)
        if rows.device.type != "cpu" or len(rows) <= DENSE_ROWS:
            return linear(rows, self.weight, self.bias).float()
        return torch.cat([linear(part, self.weight, self.bias) for part in torch.split(rows, DENSE_ROWS)]).float()


class NativeLinear(DenseLinear):
    """The same weights on the processor, read by our own kernels as fast as memory gives them.

    Activations stay float32, so nothing but the weights themselves is rounded.
    """

    row_multiple = 1

    def __init__(self, weight: "torch.Tensor", bias: "torch.Tensor | None", library: "Library") -> None:
        from inference.native.float_matrix import FloatMatrix

        super().__init__(weight, None)
        self._matrix = FloatMatrix(self.weight, bias)
        self._library = library

    def __call__(self, x: "torch.Tensor") -> "torch.Tensor":
        return self._library.float_matmul(self._matrix, x)


class Int8Linear:
    """One symmetric scale per output, bfloat16 activations."""

    row_multiple = 1
    output_multiple = 64  # the kernel reads past the end of other sizes

    def __init__(self, weight: "torch.Tensor", bias: "torch.Tensor | None") -> None:
        import torch

        self.outputs = weight.shape[0]
        weight = pad_columns(weight.float())
        weight = torch.nn.functional.pad(weight, (0, 0, 0, -self.outputs % self.output_multiple))
        scale = (weight.abs().amax(-1) / 127).clamp_min(1e-30).bfloat16()
        self.codes = (weight / scale.float()[:, None]).round_().clamp_(-127, 127).to(torch.int8)
        self.scale = scale
        self.bias = bias

    @property
    def nbytes(self) -> int:
        return self.codes.nbytes + self.scale.nbytes

    def __call__(self, x: "torch.Tensor") -> "torch.Tensor":
        import torch

        padded = torch.ops.aten._weight_int8pack_mm(pad_columns(x.bfloat16()), self.codes, self.scale)
        y: torch.Tensor = padded[:, : self.outputs].float()
        return y if self.bias is None else y + self.bias


class Int4Linear:
    """Scale and minimum for every group of inputs, rounded to bfloat16, and bfloat16 activations."""

    row_multiple = 1
    output_multiple = 16  # what the packing asks for

    def __init__(self, weight: Int4, bias: "torch.Tensor | None") -> None:
        import torch

        self.outputs, self.group = weight.shape[0], weight.group
        missing = -self.outputs % self.output_multiple
        pad = torch.nn.functional.pad
        codes = pad(weight.codes, (0, 0, 0, missing)).to(torch.int32)
        self.packed: torch.Tensor = torch.ops.aten._convert_weight_to_int4pack_for_cpu(codes, 1)
        # The kernel computes scale * (code - 8) + zero.
        pairs = torch.stack((weight.scale, weight.minimum + 8 * weight.scale), dim=-1)  # [outputs, groups, 2]
        self.scales = pad(pairs, (0, 0, 0, 0, 0, missing)).transpose(0, 1).bfloat16().contiguous()
        self.bias = bias

    @property
    def nbytes(self) -> int:
        return self.packed.nbytes + self.scales.nbytes

    def __call__(self, x: "torch.Tensor") -> "torch.Tensor":
        import torch

        x = pad_columns(x.bfloat16())
        padded = torch.ops.aten._weight_int4pack_mm_for_cpu(x, self.packed, self.group, self.scales)
        y: torch.Tensor = padded[:, : self.outputs].float()
        return y if self.bias is None else y + self.bias


def linear(
    parts: "Sequence[torch.Tensor]",
    biases: "Sequence[torch.Tensor | None]",
    precision: str,
    device: "torch.device",
    library: "Library | None" = None,
    *,
    int4_group: int = GROUP,
) -> Linear:
    """One matrix of the rows of all parts, in the given precision: int4, int8, or the name of a torch float type.

    library: kernels for the products of float weights, on the CPU. int4_group: 32, 64 or 128 inputs share a scale
    (fewer where such groups do not divide them).
    """
    import torch

    bias = None
    if any(values is not None for values in biases):
        pairs = zip(parts, biases, strict=True)
        bias = torch.cat([torch.zeros(len(part)) if b is None else b.float() for part, b in pairs]).to(device)
    if precision in ("int4", "int8"):
        weight = torch.cat([part.float() for part in parts])
        if precision == "int8":
            return Int8Linear(weight, bias)
        return Int4Linear(quantize(pad_columns(weight), fitting_group(int4_group, weight.shape[1])), bias)
    kind: torch.dtype = getattr(torch, precision)
    return dense(torch.cat([part.to(device, kind) for part in parts]), bias, library)


def dense(weight: "torch.Tensor", bias: "torch.Tensor | None", library: "Library | None") -> DenseLinear:
    """Float weights, multiplied by the library where there is one."""
    return DenseLinear(weight, bias) if library is None else NativeLinear(weight, bias, library)
