"""The weights of a decoder as the torch path computes with them: few matrices, norms ready to multiply."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inference.loading import Report, unreported
from inference.models.fused.architecture import Architecture
from inference.models.fused.int4 import GROUP
from inference.models.fused.linear import DenseLinear, Linear, NativeLinear, dense, linear
from inference.models.fused.source import EMBEDDING, FINAL_NORM, HEAD, Source
from inference.models.fused.tensor_names import tensor_names

if TYPE_CHECKING:
    import torch

    from inference.native.library import Library

    Fuse = Callable[[Sequence[torch.Tensor], Sequence[torch.Tensor | None]], Linear]  # weights and biases, stacked


@dataclass(frozen=True)
class LayerWeights:
    """Norms are float32 [size]. qkv: queries, keys, values stacked; gate_up: gate, then up."""

    attention_norm: "torch.Tensor"
    qkv: Linear
    query_norm: "torch.Tensor | None"
    key_norm: "torch.Tensor | None"
    output: Linear
    post_attention_norm: "torch.Tensor | None"
    mlp_norm: "torch.Tensor"
    gate_up: Linear
    down: Linear
    post_mlp_norm: "torch.Tensor | None"

    @property
    def matrices(self) -> tuple[Linear, ...]:
        return self.qkv, self.output, self.gate_up, self.down


@dataclass(frozen=True)
class Weights:
    """embedding: [vocabulary, hidden], a float type. head.weight is the same memory where they are tied and dense."""

    embedding: "torch.Tensor"
    layers: tuple[LayerWeights, ...]
    final_norm: "torch.Tensor"
    head: Linear

    @property
    def device(self) -> "torch.device":
        return self.embedding.device

    @property
    def nbytes(self) -> int:
        matrices = sum(matrix.nbytes for layer in self.layers for matrix in layer.matrices)
        shared = isinstance(self.head, DenseLinear) and self.head.weight.data_ptr() == self.embedding.data_ptr()
        return matrices + self.embedding.nbytes + (0 if shared else self.head.nbytes)

    def embedded(self, tokens: Sequence[int]) -> "torch.Tensor":
        """Rows of the embedding, float32 [tokens, hidden]."""
        import torch

        return self.embedding[torch.tensor(tokens, device=self.device)].float()

    @property
    def row_multiple(self) -> int:
        """What the number of rows of a pass must be a multiple of, so that no row depends on their number."""
        return max(matrix.row_multiple for layer in self.layers for matrix in (*layer.matrices, self.head))

    @property
    def native(self) -> bool:
        """Whether our own kernels multiply, on threads of their own."""
        return isinstance(self.head, NativeLinear)


def float_type(precision: str) -> "torch.dtype":
    """Embeddings, keys and values: the type itself for a float precision, bfloat16 beside packed weights."""
    import torch

    types = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
    return types.get(precision, torch.bfloat16)


def load_weights(
    architecture: Architecture,
    source: Source,
    precision: str,
    device: "torch.device",
    report: Report = unreported,
    *,
    library: "Library | None" = None,
    int4_group: int = GROUP,
) -> Weights:
    """Read tensor by tensor, so that at most one matrix is in memory twice. library: what multiplies float weights.
    int4_group: inputs that share a scale in int4 weights."""
    total = source.size(tensor_names(architecture))

    def fuse(parts: "Sequence[torch.Tensor]", biases: "Sequence[torch.Tensor | None]") -> Linear:
        return linear(parts, biases, precision, device, library, int4_group=int4_group)

    table = source.matrix(EMBEDDING)
    embedding = table.to(device, float_type(precision)).contiguous()
    head: Linear
    if architecture.tied and precision not in ("int4", "int8"):
        head = dense(embedding, None, library)
    else:
        head = fuse([table if architecture.tied else source.matrix(HEAD)], [source.vector("lm_head.bias")])
    del table
    report(source.bytes_read, total)
    layers = []
    for layer in read_layers(architecture, source, device, fuse):
        layers.append(layer)
        report(source.bytes_read, total)
    final = read_norm(architecture, source, device, FINAL_NORM)
    report(total, total)
    return Weights(embedding, tuple(layers), final, head)


def read_layers(
    architecture: Architecture, source: Source, device: "torch.device", fuse: "Fuse"
) -> Iterator[LayerWeights]:
    """One after the other, from the first."""

    def norm(name: str) -> "torch.Tensor":
        return read_norm(architecture, source, device, f"{name}.weight")

    def fused(stem: str, *names: str) -> Linear:
        parts = [source.matrix(f"{stem}{name}.weight") for name in names]
        return fuse(parts, [source.vector(f"{stem}{name}.bias") for name in names])

    post = architecture.post_norms
    for index in range(len(architecture.layers)):
        stem = f"model.layers.{index}."
        attention, mlp = f"{stem}self_attn.", f"{stem}mlp."
        # Gemma names the norm before the MLP otherwise, since the one after attention is another.
        before_mlp = "pre_feedforward_layernorm" if post else "post_attention_layernorm"
        yield LayerWeights(
            attention_norm=norm(f"{stem}input_layernorm"),
            qkv=fused(attention, "q_proj", "k_proj", "v_proj"),
            query_norm=norm(f"{attention}q_norm") if architecture.head_norms else None,
            key_norm=norm(f"{attention}k_norm") if architecture.head_norms else None,
            output=fused(attention, "o_proj"),
            post_attention_norm=norm(f"{stem}post_attention_layernorm") if post else None,
            mlp_norm=norm(f"{stem}{before_mlp}"),
            gate_up=fused(mlp, "gate_proj", "up_proj"),
            down=fused(mlp, "down_proj"),
            post_mlp_norm=norm(f"{stem}post_feedforward_layernorm") if post else None,
        )


def read_norm(architecture: Architecture, source: Source, device: "torch.device", name: str) -> "torch.Tensor":
    values = source.vector(name)
    if values is None:
        raise KeyError(name)
    return (values + architecture.norm_offset).to(device)
