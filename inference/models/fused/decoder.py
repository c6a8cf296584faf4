"""The forward pass, written as the architecture reads.

A row's result never depends, in any bit, on its neighbours or on how many there are: rows are padded to the multiple
that the weights ask for, attention to DENSE_ROWS queries and to whole blocks of keys (torch adds up 512 keys at a time,
and fewer at the end in another order), and everything else is row by row. So greedy text is the same with speculation
and without, in every format.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from inference.models.fused.architecture import Architecture
from inference.models.fused.cache import BLOCK, FusedCache, round_up
from inference.models.fused.linear import DENSE_ROWS
from inference.models.fused.rotary import rotate, tables
from inference.models.fused.weights import LayerWeights, Weights

if TYPE_CHECKING:
    import torch

    from inference.models.causal_model import Cache


class Decoder:
    """Pure torch, on any device. `KernelDecoder` computes the same in native code."""

    def __init__(
        self, architecture: Architecture, weights: Weights, context_length: int, cache_type: "torch.dtype"
    ) -> None:
        self.architecture = architecture
        self.weights = weights
        self.context_length = context_length
        self.cache_type = cache_type
        device = weights.device
        self._depths: tuple[int, ...] = ()
        self._features: torch.Tensor | None = None
        ropes = {layer.rope for layer in architecture.layers if layer.rope is not None}
        positions = round_up(context_length, DENSE_ROWS) + DENSE_ROWS  # padding rows may stand past the end
        self._tables = {
            rope: tuple(table.to(device) for table in tables(rope, architecture.head_size, positions)) for rope in ropes
        }

    @property
    def nbytes(self) -> int:
        return self.weights.nbytes

    @property
    def device(self) -> "torch.device":
        return self.weights.device

    def new_cache(self) -> FusedCache:
        return FusedCache(self.architecture, self.context_length, self.cache_type, self.device)

    def embed(self, tokens: Sequence[int]) -> "torch.Tensor":
        return self.weights.embedded(tokens)

    def observe(self, depths: Sequence[int]) -> None:
        """See `inference.models.causal_model.FeatureModel`."""
        self._depths, self._features = tuple(depths), None

    def features(self) -> "torch.Tensor":
        import torch

        empty = torch.empty(0, len(self._depths), self.architecture.hidden_size, device=self.device)
        return empty if self._features is None else self._features

    def forward(self, tokens: Sequence[int], cache: "Cache", rows: int) -> "torch.Tensor":
        """Append `tokens`; float32 [rows, vocabulary] of the last `rows`."""
        import torch

        if not isinstance(cache, FusedCache):
            raise TypeError(f"a {type(cache).__name__} is not this decoder's cache")
        start, count = cache.length, len(tokens)
        cache.reserve(start + count)
        with torch.inference_mode():
            last = start + count - 1
            padding = -count % self.weights.row_multiple
            x = self._embed([*tokens, *[tokens[-1]] * padding])  # [n, hidden]
            seen = Pass(self, cache, start, count, len(x))
            left = {}  # by layer
            for index, layer in enumerate(self.weights.layers):
                attended = self._attention(index, layer, self._norm(x, layer.attention_norm), seen)
                x = x + self._after(attended, layer.post_attention_norm)
                x = x + self._after(self._mlp(layer, self._norm(x, layer.mlp_norm)), layer.post_mlp_norm)
                if index in self._depths:
                    left[index] = x[:count]
            self._features = torch.stack([left[depth] for depth in self._depths], dim=1) if left else None
            cache.length = last + 1
            return self._head(x[count - rows : count])

    def _embed(self, tokens: Sequence[int]) -> "torch.Tensor":
        x = self.weights.embedded(tokens)
        return x if self.architecture.embedding_scale == 1.0 else x * self.architecture.embedding_scale

    def _norm(self, x: "torch.Tensor", weight: "torch.Tensor") -> "torch.Tensor":
        import torch

        return torch.nn.functional.rms_norm(x, weight.shape, weight, self.architecture.norm_epsilon)

    def _after(self, x: "torch.Tensor", weight: "torch.Tensor | None") -> "torch.Tensor":
        return x if weight is None else self._norm(x, weight)

    def _attention(self, index: int, layer: LayerWeights, x: "torch.Tensor", seen: "Pass") -> "torch.Tensor":
        """x [n, hidden] -> [n, hidden]; keys and values of the real rows go to the cache."""
        return layer.output(self._mix(index, layer, layer.qkv(x), seen))

    def _mix(self, index: int, layer: LayerWeights, qkv: "torch.Tensor", seen: "Pass") -> "torch.Tensor":
        """Queries, keys and values side by side [n, ...] -> what each query draws from the values, [n, query size]."""
        import torch

        a, shape = self.architecture, self.architecture.layers[index]
        n = len(qkv)
        parts = torch.split(qkv, [a.query_size, a.key_size, a.key_size], dim=-1)
        query, key, value = (part.reshape(n, -1, a.head_size) for part in parts)
        if layer.query_norm is not None and layer.key_norm is not None:
            query, key = self._norm(query, layer.query_norm), self._norm(key, layer.key_norm)
        if shape.rope is not None:
            cos, sin = seen.angles(self._tables[shape.rope])
            query, key = rotate(query, cos, sin), rotate(key, cos, sin)
        keys, values = seen.append(index, key, value)  # [key heads, length, head size]
        # Query heads of one key head become further rows of it, so keys are never repeated.
        query = seen.pad(query).view(seen.queries, a.key_heads, a.group, a.head_size).transpose(0, 1)
        mixed = torch.nn.functional.scaled_dot_product_attention(
            query.reshape(1, a.key_heads, seen.queries * a.group, a.head_size).to(keys.dtype),
            keys[None],
            values[None],
            attn_mask=seen.mask(shape.window),
            scale=a.attention_scale,
        )
        mixed = mixed.view(a.key_heads, seen.queries, a.group, a.head_size).transpose(0, 1)
        return mixed[:n].reshape(n, a.query_size).float()

    def _mlp(self, layer: LayerWeights, x: "torch.Tensor") -> "torch.Tensor":
        return layer.down(self._gate(layer.gate_up(x)))

    def _gate(self, gate_up: "torch.Tensor") -> "torch.Tensor":
        """[n, 2 * inner] -> activation(gate) * up, [n, inner]."""
        import torch

        gate, up = gate_up.chunk(2, dim=-1)
        # A copy, so that the activation walks whole vectors and rounds alike at any number of rows.
        gate = gate.contiguous()
        if self.architecture.activation == "silu":
            activated = torch.nn.functional.silu(gate)
        else:
            activated = torch.nn.functional.gelu(gate, approximate="tanh")
        return activated * up

    def _head(self, x: "torch.Tensor") -> "torch.Tensor":
        """x [rows, hidden] -> float32 [rows, vocabulary]."""
        import torch

        rows = len(x)
        x = torch.nn.functional.pad(x, (0, 0, 0, -rows % self.weights.row_multiple))
        logits = self.weights.head(self._norm(x, self.weights.final_norm))[:rows]
        cap = self.architecture.logit_cap
        return logits if cap is None else torch.tanh(logits / cap) * cap


class Pass:
    """What every layer of one forward pass shares: positions, masks, and where in the cache it writes.

    start: tokens in the cache before. count: tokens to append. n: rows computed, padding included.
    """

    def __init__(self, decoder: Decoder, cache: FusedCache, start: int, count: int, n: int) -> None:
        self.cache = cache
        self.start, self.count, self.n = start, count, n
        self.queries = round_up(n, DENSE_ROWS)
        self.length = min(round_up(start + count, BLOCK), cache.capacity)
        self._group = decoder.architecture.group
        self._masks: dict[int | None, torch.Tensor] = {}

    def angles(self, table: "tuple[torch.Tensor, ...]") -> "tuple[torch.Tensor, torch.Tensor]":
        """cos and sin [n, 1, head size / 2] of the rows' positions."""
        rows = slice(self.start, self.start + self.n)
        return table[0][rows, None], table[1][rows, None]

    def append(self, index: int, key: "torch.Tensor", value: "torch.Tensor") -> "tuple[torch.Tensor, torch.Tensor]":
        """Write the real rows of key and value [n, key heads, head size] to layer `index`; return all it holds."""
        end = self.start + self.count
        keys, values = self.cache.keys[index], self.cache.values[index]
        keys[:, self.start : end] = key[: self.count].transpose(0, 1)
        values[:, self.start : end] = value[: self.count].transpose(0, 1)
        return keys[:, : self.length], values[:, : self.length]

    def pad(self, query: "torch.Tensor") -> "torch.Tensor":
        """query [n, heads, head size] with zero rows up to self.queries."""
        import torch

        return torch.nn.functional.pad(query, (0, 0, 0, 0, 0, self.queries - self.n))

    def mask(self, window: int | None) -> "torch.Tensor":
        """[queries * group, length] to add to the scores: 0 where a row may look, -infinity elsewhere."""
        import torch

        if window not in self._masks:
            device = self.cache.keys.device
            position = self.start + torch.arange(self.queries, device=device)[:, None]
            # A padding row looks where the last real one does: a row that saw nothing would become NaN.
            position = position.clamp_max(self.start + self.count - 1)
            other = torch.arange(self.length, device=device)
            visible = other <= position
            if window is not None:
                visible &= other > position - window
            mask = torch.where(visible, 0.0, float("-inf")).to(self.cache.keys.dtype)
            self._masks[window] = mask.repeat_interleave(self._group, dim=0)
        return self._masks[window]
