"""The forward pass for graphics cards: the same kernels on the same addresses, whatever the text.

A card spends less time on a small kernel than Python on launching it, so the launches are recorded once (`graphs`) and
replayed. For that, nothing in a pass may depend on the host: tokens and their positions come in one small tensor that
stays where it is, masks are built on the device from the positions, attention always reads a whole bucket of keys, and
keys and values lie on the seat (`static_cache`). docs/decisions/005-cuda-graphs.md has the reasons.

Passes of up to MOST_ROWS tokens, that is every verify pass and draft step, are captured, one for each number of rows
and bucket. Longer ones, the prefill, are launched plainly.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inference.errors import UserError
from inference.loading import Report, unreported
from inference.models.fused.architecture import Architecture, Rope
from inference.models.fused.cache import round_up
from inference.models.fused.graphs import Graphs, Step, graphs_for
from inference.models.fused.linear import DenseLinear, Linear
from inference.models.fused.quantized import Nf4, Nf4Linear, load_nf4
from inference.models.fused.rotary import tables
from inference.models.fused.source import open_source
from inference.models.fused.static_cache import ALIGNMENT, Seat, StaticCache, bucket
from inference.models.fused.weights import LayerWeights, Weights, load_weights
from inference.settings import MAX_DRAFT_LENGTH

if TYPE_CHECKING:
    import torch

    from inference.models.causal_model import Cache

log = logging.getLogger(__name__)

MOST_ROWS = MAX_DRAFT_LENGTH + 1
PREPARED_ROWS = 9  # K + 1 of the longest draft unless a person asks for more
FIRST_CAPACITY = 2048  # tokens that the seat has room for from the start, so that graphs of shorter texts stay valid
LONGEST_CHUNK = 512  # tokens of a prefill at once: bounds the memory of its masks and activations


@dataclass(frozen=True)
class _Places:
    """What all layers of a pass share. positions: int64 [n]. Keys are read up to `length`, a host number.

    angles: cos and signed sin [n, 1, head_size] for each kind of rotary positions. masks: [n * group, length] for each
    window, to be added to the scores: 0 where a row may look, -infinity elsewhere.
    """

    positions: "torch.Tensor"
    length: int
    angles: "dict[Rope, tuple[torch.Tensor, torch.Tensor]]"
    masks: "dict[int | None, torch.Tensor]"


class StaticDecoder:
    """row_multiple: passes are padded to so many rows; None: what the weights ask for, so that rows round alike."""

    def __init__(
        self,
        architecture: Architecture,
        weights: Weights,
        context_length: int,
        graphs: Graphs,
        row_multiple: int | None = None,
    ) -> None:
        import torch

        self.architecture = architecture
        self.weights = weights
        self.context_length = context_length
        self.graphs = graphs
        self._multiple = row_multiple or max(m.row_multiple for layer in weights.layers for m in layer.matrices)
        self._type = weights.embedding.dtype
        self._pinned = self.device.type == "cuda"
        self._seat = Seat(architecture, self._type, self.device)
        self._steps: dict[tuple[int, int], Step] = {}  # (bucket, rows)
        self._chunk_done: Callable[[], None] = lambda: None
        self._most = round_up(context_length + self._multiple, ALIGNMENT)  # padding may stand past the end
        self._count = torch.arange(self._most, device=self.device)
        # What a captured pass reads: the position of the first token, then the tokens.
        self._inputs = torch.zeros(1 + round_up(MOST_ROWS, self._multiple), dtype=torch.long, device=self.device)
        self._tables = {layer.rope: self._table(layer.rope) for layer in architecture.layers if layer.rope is not None}
        self._head_norms = [self._head_norm(layer) for layer in weights.layers]
        self._depths: tuple[int, ...] = ()
        self._kept = torch.empty(0)  # features of a captured pass, [rows, depths, hidden]
        self._parts: list[torch.Tensor] = []  # features of the last forward

    def _table(self, rope: Rope) -> "tuple[torch.Tensor, torch.Tensor]":
        """cos and sin [positions, head_size], the first half of sin negated: see `_rotated`."""
        import torch

        cos, sin = (table.to(self.device) for table in tables(rope, self.architecture.head_size, self._most))
        return torch.cat((cos, cos), dim=-1), torch.cat((-sin, sin), dim=-1)

    def _head_norm(self, layer: LayerWeights) -> "torch.Tensor | None":
        """One weight for query and key heads in a row, [heads + key_heads, head_size]."""
        import torch

        a = self.architecture
        if layer.query_norm is None or layer.key_norm is None:
            return None
        return torch.cat((layer.query_norm.expand(a.heads, -1), layer.key_norm.expand(a.key_heads, -1)))

    @property
    def nbytes(self) -> int:
        return self.weights.nbytes

    @property
    def device(self) -> "torch.device":
        return self.weights.device

    @property
    def kernels(self) -> str:
        """For people: what multiplies, where the precision does not say it, and how it is launched."""
        return ("NF4, " if isinstance(self.weights.layers[0].qkv, Nf4Linear) else "") + self.graphs.name

    def new_cache(self) -> StaticCache:
        return StaticCache(self._seat)

    def embed(self, tokens: Sequence[int]) -> "torch.Tensor":
        return self.weights.embedded(tokens)

    def observe(self, depths: Sequence[int]) -> None:
        """See `inference.models.causal_model.FeatureModel`. Passes are captured anew."""
        if tuple(depths) == self._depths:
            return
        self._depths, self._parts = tuple(depths), []
        self._kept = self._room_for_features(len(self._inputs) - 1)
        self._steps.clear()
        self.graphs.forget()

    def features(self) -> "torch.Tensor":
        import torch

        return torch.cat([self._room_for_features(0), *self._parts])

    def _room_for_features(self, rows: int) -> "torch.Tensor":
        import torch

        return torch.empty(rows, len(self._depths), self.architecture.hidden_size, device=self.device)

    def prepare(self) -> None:
        """Capture the usual numbers of rows for short texts now, not in the first reply."""
        import torch

        with torch.inference_mode():
            first = bucket(1, self._most)
            self._take_seat(self.new_cache(), first)
            for rows in {round_up(rows, self._multiple) for rows in range(1, PREPARED_ROWS + 1)}:
                self._step(first, rows)

    def forward(self, tokens: Sequence[int], cache: "Cache", rows: int) -> "torch.Tensor":
        """Append `tokens`; float32 [rows, vocabulary] of the last `rows`. Does not wait for the card.

        Raises ValueError beyond the context length, MemoryError where the card has no room for a longer cache.
        """
        self._parts = []
        return self._forward(tokens, cache, rows)

    def _forward(self, tokens: Sequence[int], cache: "Cache", rows: int) -> "torch.Tensor":
        import torch

        if not isinstance(cache, StaticCache) or cache.seat is not self._seat:
            raise TypeError(f"a {type(cache).__name__} is not this decoder's cache")
        if (length := cache.length + len(tokens)) > self.context_length:
            raise ValueError(f"{length} tokens do not fit into a context of {self.context_length}")
        while len(tokens) > rows + LONGEST_CHUNK:
            self._forward(tokens[:LONGEST_CHUNK], cache, 1)
            tokens = tokens[LONGEST_CHUNK:]
        start, count = cache.length, len(tokens)
        padding = -count % self._multiple  # these rows stand behind the text, where the next tokens overwrite them
        inputs = [start, *tokens, *[tokens[-1]] * padding]
        try:
            with torch.inference_mode():
                room = bucket(start + count + padding, self._most)
                self._take_seat(cache, room)
                if count <= MOST_ROWS:
                    logits = self._replay(inputs, room)[count - rows : count]
                    self._parts.append(self._kept[:count])
                else:
                    logits = self._prefill(inputs, count, rows)
        except torch.OutOfMemoryError as error:
            raise MemoryError(str(error)) from error
        cache.length = start + count
        return logits

    def _take_seat(self, cache: StaticCache, length: int) -> None:
        if self._seat.admit(cache, bucket(max(length, FIRST_CAPACITY), self._most)):
            self._steps.clear()
            self.graphs.forget()

    def _sent(self, inputs: Sequence[int]) -> "torch.Tensor":
        """On the host. From pinned memory a card copies by itself; torch keeps it until the copy has run."""
        import torch

        return torch.tensor(inputs, dtype=torch.long, pin_memory=self._pinned)

    def _replay(self, inputs: Sequence[int], room: int) -> "torch.Tensor":
        self._inputs[: len(inputs)].copy_(self._sent(inputs), non_blocking=self._pinned)
        return self._step(room, len(inputs) - 1)()

    def _step(self, room: int, rows: int) -> Step:
        """The pass over `rows` rows of the static input, captured when it is first asked for."""
        key = (room, rows)
        if key not in self._steps:
            inputs = self._inputs[: 1 + rows]
            self._steps[key] = self.graphs.capture(lambda: self._pass(inputs, room, slice(None), self._kept))
        return self._steps[key]

    def _prefill(self, inputs: Sequence[int], count: int, rows: int) -> "torch.Tensor":
        """At most one chunk is under way while the next is launched, so that progress and Stop stay honest."""
        sent = self._sent(inputs).to(self.device, non_blocking=self._pinned)
        length = min(round_up(inputs[0] + len(inputs) - 1, ALIGNMENT), self._seat.capacity)
        features = self._room_for_features(len(inputs) - 1)
        logits = self._pass(sent, length, slice(count - rows, count), features)
        self._parts.append(features[:count])
        self._chunk_done()
        self._chunk_done = _marker(self.device)
        return logits

    def _pass(self, inputs: "torch.Tensor", length: int, wanted: slice, features: "torch.Tensor") -> "torch.Tensor":
        """inputs [1 + n]: the first position, then n tokens, which may look at keys below `length`. No host values.

        features [n or more, depths, hidden] receives what the rows leave behind after the observed layers.
        """
        places = self._places(inputs, length)
        x = self.weights.embedding[inputs[1:]].float()  # [n, hidden]; sums of layers are kept in float32
        if self.architecture.embedding_scale != 1.0:
            x = x * self.architecture.embedding_scale
        for index, layer in enumerate(self.weights.layers):
            attended = self._attention(index, layer, self._norm(x, layer.attention_norm), places)
            x = x + self._after(attended, layer.post_attention_norm)
            x = x + self._after(self._mlp(layer, self._norm(x, layer.mlp_norm)), layer.post_mlp_norm)
            for place, depth in enumerate(self._depths):
                if depth == index:
                    features[: len(x), place].copy_(x)
        return self._head(x[wanted])

    def _places(self, inputs: "torch.Tensor", length: int) -> _Places:
        import torch

        n, group = len(inputs) - 1, self.architecture.group
        positions = inputs[0] + self._count[:n]
        angles = {
            rope: (cos[positions].unsqueeze(1), sin[positions].unsqueeze(1))
            for rope, (cos, sin) in self._tables.items()
        }
        masks = {}
        for window in {layer.window for layer in self.architecture.layers}:
            other, here = self._count[:length], positions[:, None]
            hidden = other > here
            if window is not None:
                hidden |= other <= here - window
            mask = torch.zeros(hidden.shape, dtype=self._type, device=self.device).masked_fill_(hidden, -torch.inf)
            masks[window] = mask[:, None].expand(n, group, length).reshape(n * group, length)
        return _Places(positions, length, angles, masks)

    def _norm(self, x: "torch.Tensor", weight: "torch.Tensor") -> "torch.Tensor":
        import torch

        return torch.nn.functional.rms_norm(x.float(), weight.shape, weight, self.architecture.norm_epsilon)

    def _after(self, x: "torch.Tensor", weight: "torch.Tensor | None") -> "torch.Tensor":
        return x if weight is None else self._norm(x, weight)

    def _times(self, matrix: Linear, x: "torch.Tensor") -> "torch.Tensor":
        """x in the type of the weights, and so is the result: fewer conversions, each of which is a kernel."""
        import torch

        x = x.to(self._type)
        if isinstance(matrix, DenseLinear):
            return torch.nn.functional.linear(x, matrix.weight, matrix.bias)
        return matrix(x)

    def _attention(self, index: int, layer: LayerWeights, x: "torch.Tensor", places: _Places) -> "torch.Tensor":
        """x [n, hidden] -> [n, hidden]; keys and values of all rows go to the seat."""
        import torch

        a, shape, n = self.architecture, self.architecture.layers[index], len(x)
        heads = self._times(layer.qkv, x).view(n, -1, a.head_size)  # queries, keys, values
        turned, value = torch.split(heads, [a.heads + a.key_heads, a.key_heads], dim=1)
        norms = self._head_norms[index]
        if norms is not None:
            turned = torch.nn.functional.rms_norm(turned.float(), (a.head_size,), None, a.norm_epsilon) * norms
        if shape.rope is not None:
            turned = _rotated(turned, *places.angles[shape.rope])
        query, key = torch.split(turned.to(self._type), [a.heads, a.key_heads], dim=1)
        keys, values = self._seat.keys[index], self._seat.values[index]  # [key heads, capacity, head size]
        keys.index_copy_(1, places.positions, key.transpose(0, 1))
        values.index_copy_(1, places.positions, value.transpose(0, 1))
        # Query heads of one key head become further rows of it, so keys are never repeated.
        rows = query.reshape(n, a.key_heads, a.group, a.head_size).transpose(0, 1)
        mixed = torch.nn.functional.scaled_dot_product_attention(
            rows.reshape(1, a.key_heads, n * a.group, a.head_size),
            keys[None, :, : places.length],
            values[None, :, : places.length],
            attn_mask=places.masks[shape.window],
            scale=a.attention_scale,
        )
        mixed = mixed.view(a.key_heads, n, a.group, a.head_size).transpose(0, 1)
        return self._times(layer.output, mixed.reshape(n, a.query_size))

    def _mlp(self, layer: LayerWeights, x: "torch.Tensor") -> "torch.Tensor":
        import torch

        gate, up = self._times(layer.gate_up, x).chunk(2, dim=-1)
        if self.architecture.activation == "silu":
            activated = torch.nn.functional.silu(gate)
        else:
            activated = torch.nn.functional.gelu(gate, approximate="tanh")
        return self._times(layer.down, activated * up)

    def _head(self, x: "torch.Tensor") -> "torch.Tensor":
        """x [rows, hidden] -> float32 [rows, vocabulary]."""
        import torch

        logits = self._times(self.weights.head, self._norm(x, self.weights.final_norm)).float()
        cap = self.architecture.logit_cap
        return logits if cap is None else torch.tanh(logits / cap) * cap


def _rotated(x: "torch.Tensor", cos: "torch.Tensor", sin: "torch.Tensor") -> "torch.Tensor":
    """`rotary.rotate` in half the kernels: rolled by half a head, each value meets the other one of its pair."""
    return x * cos + x.roll(x.shape[-1] // 2, dims=-1) * sin


def _marker(device: "torch.device") -> Callable[[], None]:
    """A function that waits until the card has done all that was launched so far."""
    import torch

    if device.type != "cuda":
        return lambda: None
    event = torch.cuda.Event()  # type: ignore[no-untyped-call]
    event.record(torch.cuda.current_stream(device))
    return event.synchronize


def load_static(
    folder: Path,
    architecture: Architecture,
    precision: str,
    device: "torch.device",
    context_length: int,
    *,
    report: Report = unreported,
) -> StaticDecoder:
    """precision int4 is NF4. Raises UserError for missing or damaged files, and where the card is too small."""
    import torch

    try:
        with open_source(folder) as source:
            if precision == "int4":
                weights = load_nf4(architecture, source, Nf4(), device, report)
            else:
                weights = load_weights(architecture, source, precision, device, report)
        decoder = StaticDecoder(architecture, weights, context_length, graphs_for(device))
        decoder.prepare()
    except torch.OutOfMemoryError as error:
        raise UserError(
            "The memory of the graphics card is too small for this model.",
            "Choose a smaller model, a shorter context, or int4 weights.",
        ) from error
    return decoder
