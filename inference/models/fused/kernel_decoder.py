"""The decoder with our own kernels for every step but the embedding and the residual sums: float weights on the CPU.

Same pass, same cache as `Decoder`. The kernels compute a row in the same bits whatever stands beside it, so nothing
is padded.
"""

from typing import TYPE_CHECKING

from inference.models.fused.architecture import Architecture
from inference.models.fused.decoder import Decoder, Pass
from inference.models.fused.weights import LayerWeights, Weights

if TYPE_CHECKING:
    import torch

    from inference.native.library import Library
    from inference.native.native_model import Heads


class KernelDecoder(Decoder):
    """weights: multiplied by the same library (`inference.models.fused.linear.NativeLinear`)."""

    def __init__(
        self,
        library: "Library",
        architecture: Architecture,
        weights: Weights,
        context_length: int,
        cache_type: "torch.dtype",
    ) -> None:
        super().__init__(architecture, weights, context_length, cache_type)
        self._library = library
        self._heads = tuple(self._describe(index, layer) for index, layer in enumerate(weights.layers))

    def _describe(self, index: int, layer: LayerWeights) -> "Heads":
        from inference.native.native_model import Heads, Rotary

        a, shape = self.architecture, self.architecture.layers[index]
        return Heads(
            heads=a.heads,
            kv_heads=a.key_heads,
            head_size=a.head_size,
            scale=a.attention_scale,
            rotary=None if shape.rope is None else Rotary(*self._tables[shape.rope]),
            window=shape.window or 0,
            epsilon=a.norm_epsilon,
            query_norm=layer.query_norm,
            key_norm=layer.key_norm,
        )

    def _norm(self, x: "torch.Tensor", weight: "torch.Tensor") -> "torch.Tensor":
        return self._library.norm(x, weight, self.architecture.norm_epsilon)

    def _mix(self, index: int, layer: LayerWeights, qkv: "torch.Tensor", seen: Pass) -> "torch.Tensor":
        keys, values = seen.cache.keys[index], seen.cache.values[index]
        return self._library.float_attention(self._heads[index], qkv, keys, values, seen.start)

    def _gate(self, gate_up: "torch.Tensor") -> "torch.Tensor":
        return self._library.float_gate(gate_up, self.architecture.activation)
