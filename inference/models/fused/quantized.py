"""Weights for graphics cards: 16-bit floats, or NormalFloat of 4 bits (Dettmers et al. 2023, arXiv 2305.14314).

NF4 comes from bitsandbytes, whose products can be captured in a CUDA graph (those of LLM.int8 cannot: int8 on a card
stays with the transformers adapter). Embedding and head keep 16 bits, as they weigh most on the words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from inference.errors import UserError
from inference.loading import Report, unreported
from inference.models.fused.architecture import Architecture
from inference.models.fused.linear import DenseLinear, Linear, linear
from inference.models.fused.source import EMBEDDING, FINAL_NORM, HEAD, Source
from inference.models.fused.tensor_names import tensor_names
from inference.models.fused.weights import Weights, read_layers, read_norm

if TYPE_CHECKING:
    import torch

SMALLEST_BLOCK = 64


@dataclass(frozen=True)
class Nf4:
    """block: weights that share one scale, a power of two. double: the scales are kept in 8 bits themselves."""

    block: int = SMALLEST_BLOCK
    double: bool = True

    def __post_init__(self) -> None:
        if self.block not in (64, 128, 256, 512, 1024, 2048, 4096):
            raise ValueError(f"{self.block} weights cannot share a scale: 64, 128, ... 4096 can")

    @property
    def bits(self) -> float:
        """Of memory for a weight."""
        scale = 8 + 32 / 256 if self.double else 32  # 256 scales of 8 bits share one of 32
        return 4 + scale / self.block

    def block_for(self, inputs: int) -> int:
        """No block may reach into the next row, or bitsandbytes takes a slow way: the largest that divides a row."""
        block = self.block
        while block > SMALLEST_BLOCK and inputs % block:
            block //= 2
        return block


class Nf4Linear:
    """The result has the type of x. Rows round alike only in passes of the same number of rows."""

    row_multiple = 1

    def __init__(self, dense: DenseLinear, form: Nf4) -> None:
        """Quantizes where `dense` lies; activations are rounded to the type that it has."""
        import torch
        from bitsandbytes.nn import Linear4bit, Params4bit

        outputs, inputs = dense.weight.shape
        kind, place = dense.weight.dtype, dense.weight.device
        module = Linear4bit(inputs, outputs, bias=False, compute_dtype=kind, device="meta")
        module.weight = Params4bit(
            dense.weight,
            blocksize=form.block_for(inputs),
            compress_statistics=form.double,
            quant_type="nf4",
            module=module,
        ).to(place)
        if dense.bias is not None:
            module.bias = torch.nn.Parameter(dense.bias, requires_grad=False)
        self._module = module.eval()

    @property
    def nbytes(self) -> int:
        weight = self._module.weight
        state = weight.quant_state
        parts = [weight.data, state.absmax, *([state.state2.absmax] if state.nested else []), self._module.bias]
        return sum(int(part.nbytes) for part in parts if part is not None)

    def __call__(self, x: "torch.Tensor") -> "torch.Tensor":
        y: torch.Tensor = self._module(x)
        return y


def sixteen_bit(device: "torch.device") -> Literal["bfloat16", "float16"]:
    """bfloat16 where the card multiplies it, else float16."""
    import torch

    if device.type == "cuda":
        return "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float16"
    return "float16" if device.type == "mps" else "bfloat16"


def _require_bitsandbytes(device: "torch.device") -> None:
    """Raises UserError with what is wrong, before any weight is read."""
    import torch

    try:
        from bitsandbytes.cextension import lib
    except ImportError as error:
        raise UserError("4-bit weights need the package bitsandbytes.", "Choose bfloat16, or install it.") from error
    if device.type == "cuda" and not lib.compiled_with_cuda:
        raise UserError(
            f"The installed bitsandbytes has no library for CUDA {torch.version.cuda}, which torch was built for.",
            "Choose bfloat16, or install a bitsandbytes that fits.",
        )


def load_nf4(
    architecture: Architecture, source: Source, form: Nf4, device: "torch.device", report: Report = unreported
) -> Weights:
    """As `load_weights`; every matrix goes to the card by itself, in 16 bits, and is quantized there."""
    import torch

    _require_bitsandbytes(device)
    precision = sixteen_bit(device)
    kind: torch.dtype = getattr(torch, precision)
    total = source.size(tensor_names(architecture))

    def fuse(parts: Sequence[torch.Tensor], biases: Sequence[torch.Tensor | None]) -> Linear:
        dense = linear(parts, biases, precision, device)
        assert isinstance(dense, DenseLinear)
        return Nf4Linear(dense, form)

    layers = []
    for layer in read_layers(architecture, source, device, fuse):
        layers.append(layer)
        report(source.bytes_read, total)
    embedding = source.matrix(EMBEDDING).to(device, kind).contiguous()
    head: Linear = DenseLinear(embedding, None)
    if not architecture.tied:
        head = linear([source.matrix(HEAD)], [source.vector("lm_head.bias")], precision, device)
    final = read_norm(architecture, source, device, FINAL_NORM)
    report(total, total)
    return Weights(embedding, tuple(layers), final, head)
