"""A whole decoder in one native call a forward: what it is made of, and the call."""

import ctypes
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from inference.native import structures
from inference.native.addresses import Addresses
from inference.native.library import ACTIVATIONS, Activation, Library
from inference.native.page_cache import PageCache
from inference.native.weights import PackedMatrix

KEY_BLOCK = 16  # positions whose keys stand side by side


@dataclass(frozen=True)
class Rotary:
    """Tables of rotary positions (half-split, as in Llama): float32 [positions, head_size / 2] each."""

    cosines: torch.Tensor
    sines: torch.Tensor

    def __post_init__(self) -> None:
        for table in (self.cosines, self.sines):
            if table.dtype != torch.float32 or not table.is_contiguous() or table.shape != self.cosines.shape:
                raise ValueError("rotary tables are contiguous float32 of one shape")


@dataclass(frozen=True)
class Heads:
    """Attention of one layer. scale multiplies the scores (head_size ** -0.5 as a rule); window 0 sees everything;
    rotary None leaves positions out (SmolLM3); query_norm and key_norm [head_size] are Qwen3's and Gemma 3's.

    key_offsets, of `turned_bias`, is what the key projection's bias adds to every key (Qwen2): caches of 4 and 2 bits
    keep keys without it. The same for every pass over a cache."""

    heads: int
    kv_heads: int
    head_size: int
    scale: float
    rotary: Rotary | None
    window: int = 0
    epsilon: float = 1e-6
    query_norm: torch.Tensor | None = None
    key_norm: torch.Tensor | None = None
    key_offsets: torch.Tensor | None = None

    def __post_init__(self) -> None:
        if self.heads % self.kv_heads or self.head_size % 16 or not 0 < self.head_size <= 256:
            raise ValueError(f"no kernel for {self.heads}/{self.kv_heads} heads of {self.head_size}")
        if self.rotary is not None and self.rotary.cosines.shape[1] * 2 != self.head_size:
            raise ValueError("the rotary tables are for another head size")
        for norm in (self.query_norm, self.key_norm):
            if norm is not None:
                _check_vector(norm, self.head_size)
        if self.key_offsets is not None:
            if self.rotary is None or self.key_norm is not None:
                raise ValueError("a norm or no rotation leaves no constant part in keys")
            _check_vector(self.key_offsets.view(-1), self.kv_heads * self.head_size * KEY_BLOCK)

    @property
    def structure(self) -> structures.Attention:
        return structures.Attention(
            self.heads,
            self.kv_heads,
            self.head_size,
            self.window,
            self.scale,
            self.epsilon,
            _pointer(self.query_norm),
            _pointer(self.key_norm),
            _pointer(self.rotary.cosines if self.rotary else None),
            _pointer(self.rotary.sines if self.rotary else None),
            _pointer(self.key_offsets),
        )

    def check_positions(self, end: int) -> None:
        """ValueError when the rotary tables end before `end` positions."""
        if self.rotary is not None and end > self.rotary.cosines.shape[0]:
            raise ValueError(f"rotary tables for {self.rotary.cosines.shape[0]} positions, not {end}")


def turned_bias(bias: torch.Tensor, rotary: Rotary) -> torch.Tensor:
    """What a bias of the key projection [kv_heads * head_size] adds to keys at positions 0 to 15, as `Heads` wants it:
    float32 [kv_heads, head_size, 16]."""
    size = 2 * rotary.cosines.shape[1]
    low, high = bias.float().view(-1, size, 1).chunk(2, 1)
    cos, sin = rotary.cosines[:KEY_BLOCK].T, rotary.sines[:KEY_BLOCK].T
    turned = torch.cat((low * cos - high * sin, high * cos + low * sin), 1)
    return torch.nn.functional.pad(turned, (0, KEY_BLOCK - turned.shape[2]))  # of a context shorter than a block


@dataclass(frozen=True)
class LayerWeights:
    """One decoder layer. Norm weights float32 [hidden], Gemma's + 1 already added. Biases are in the matrices.

    The post norms, when given, are applied to attention's and the feed-forward's result before they join the residual.
    """

    attention_norm: torch.Tensor
    query: PackedMatrix
    key: PackedMatrix
    value: PackedMatrix
    output: PackedMatrix
    heads: Heads
    feed_forward_norm: torch.Tensor
    gate: PackedMatrix
    up: PackedMatrix
    down: PackedMatrix
    post_attention_norm: torch.Tensor | None = None
    post_feed_forward_norm: torch.Tensor | None = None

    def check(self, hidden: int) -> None:
        """ValueError when something does not fit."""
        q, kv = self.heads.heads * self.heads.head_size, self.heads.kv_heads * self.heads.head_size
        inner = self.gate.outputs
        expected = {"query": (q, hidden), "key": (kv, hidden), "value": (kv, hidden), "output": (hidden, q)}
        expected |= {"gate": (inner, hidden), "up": (inner, hidden), "down": (hidden, inner)}
        for name, shape in expected.items():
            matrix: PackedMatrix = getattr(self, name)
            if (matrix.outputs, matrix.inputs) != shape:
                raise ValueError(f"{name} is {matrix.outputs} x {matrix.inputs}, not {shape[0]} x {shape[1]}")
        if self.gate.bias is not None or self.up.bias is not None:
            raise ValueError("gate and up have no bias here")
        for norm in (
            self.attention_norm,
            self.feed_forward_norm,
            self.post_attention_norm,
            self.post_feed_forward_norm,
        ):
            if norm is not None:
                _check_vector(norm, hidden)

    @property
    def structure(self) -> structures.Layer:
        return structures.Layer(
            _pointer(self.attention_norm),
            self.query.structure,
            self.key.structure,
            self.value.structure,
            self.output.structure,
            self.heads.structure,
            _pointer(self.post_attention_norm),
            _pointer(self.feed_forward_norm),
            self.gate.structure,
            self.up.structure,
            self.down.structure,
            _pointer(self.post_feed_forward_norm),
        )


@dataclass(frozen=True)
class ModelWeights:
    """A decoder. embedding and head may be one and the same PackedMatrix [vocabulary, hidden]."""

    embedding: PackedMatrix
    layers: tuple[LayerWeights, ...]
    final_norm: torch.Tensor
    head: PackedMatrix
    epsilon: float
    activation: Activation = "silu"
    embedding_scale: float = 1.0

    def __post_init__(self) -> None:
        hidden = self.embedding.inputs
        _check_vector(self.final_norm, hidden)
        if self.head.inputs != hidden:
            raise ValueError("the head reads rows of another size")
        first = self.layers[0].heads
        for layer in self.layers:
            layer.check(hidden)
            if (layer.heads.kv_heads, layer.heads.head_size) != (first.kv_heads, first.head_size):
                raise ValueError("layers with different key/value heads cannot share a cache")

    @property
    def matrices(self) -> list[PackedMatrix]:
        """Each once."""
        found = [self.embedding, self.head]
        for layer in self.layers:
            found += [layer.query, layer.key, layer.value, layer.output, layer.gate, layer.up, layer.down]
        return list({matrix.data.data_ptr(): matrix for matrix in found}.values())

    @property
    def nbytes(self) -> int:
        return sum(matrix.nbytes for matrix in self.matrices)


class NativeModel:
    """`forward` appends tokens to a cache and gives logits: one native call, every step in it."""

    def __init__(self, library: Library, weights: ModelWeights) -> None:
        self.library = library
        self.weights = weights
        layers = (structures.Layer * len(weights.layers))(*(layer.structure for layer in weights.layers))
        description = structures.Model(
            weights.embedding.structure,
            weights.head.structure,
            weights.final_norm.data_ptr(),
            layers,
            len(weights.layers),
            weights.embedding.inputs,
            weights.epsilon,
            weights.embedding_scale,
            ACTIVATIONS[weights.activation],
        )
        self._model: Any = library.functions.foreword_model_new(ctypes.byref(description))
        if not self._model:
            raise MemoryError("no memory for the model's description")
        rotaries = [layer.heads.rotary for layer in weights.layers if layer.heads.rotary is not None]
        self.positions = min((rotary.cosines.shape[0] for rotary in rotaries), default=2**31)
        self._depths: tuple[int, ...] = ()
        self._listed = (ctypes.c_int64 * 0)()  # the same for the kernels
        self._features = torch.empty(0, 0, weights.embedding.inputs)  # of the last pass
        self._addresses = Addresses()
        self._passing = threading.Lock()  # two passes at once would write into each other's rows

    def __del__(self) -> None:
        if getattr(self, "_model", None):
            self.library.functions.foreword_model_free(self._model)
            self._model = None

    def new_cache(self, capacity: int, bits: int = 16) -> PageCache:
        """bits: of keys and values, one of CACHE_BITS. Caches of different bits may stand side by side."""
        heads = self.weights.layers[0].heads
        return PageCache(len(self.weights.layers), heads.kv_heads, heads.head_size, capacity, bits=bits)

    def observe(self, depths: Sequence[int]) -> None:
        """From now on every pass keeps what its rows leave behind after these layers, for `features`; () for none."""
        wanted = tuple(depths)
        if any(not 0 <= depth < len(self.weights.layers) for depth in wanted):
            raise ValueError(f"no layers {wanted} in {len(self.weights.layers)}")
        if wanted != self._depths:
            with self._passing:
                self._depths, self._listed = wanted, (ctypes.c_int64 * len(wanted))(*wanted)
                self._features = torch.empty(0, len(wanted), self.weights.embedding.inputs)
                self.library.check(self.library.functions.foreword_observe(self._model, None, 0, None))

    def features(self) -> torch.Tensor:
        """Of every row of the last pass, float32 [rows, depths, hidden]."""
        return self._features

    def _make_room(self, rows: int) -> None:
        """For the features of the next pass. A new place each time: who reads them may keep them, and right after a
        pass a copy takes longer than here."""
        self._features = torch.empty(rows, len(self._depths), self.weights.embedding.inputs)
        self.library.check(
            self.library.functions.foreword_observe(
                self._model, self._listed, len(self._depths), self._features.data_ptr()
            )
        )

    def forward(
        self,
        tokens: Sequence[int],
        cache: PageCache,
        rows: int = 1,
        logits: torch.Tensor | None = None,
        hidden: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Append `tokens` to `cache` and return the logits of the last `rows` (0..len), float32 [rows, vocabulary].

        logits: where to write them (contiguous float32 of that shape) instead of a new tensor. hidden: receives
        what the head reads, [rows, hidden]. Of two threads that ask one model, one waits.
        """
        count, end = len(tokens), cache.length + len(tokens)
        head, width = self.weights.head, self.weights.embedding.inputs
        if not 0 <= rows <= count or count == 0:
            raise ValueError(f"{rows} rows of {count} tokens")
        if min(tokens) < 0 or max(tokens) >= self.weights.embedding.outputs:
            raise ValueError("a token is not in the vocabulary")
        if end > self.positions:
            raise ValueError(f"rotary tables for {self.positions} positions, not {end}")
        heads = self.weights.layers[0].heads
        if not cache.fits(len(self.weights.layers) - 1, heads.kv_heads, heads.head_size):
            raise ValueError("the cache was made for another model")
        cache.reserve(end)
        if logits is None:
            logits = torch.empty(rows, head.outputs)
        to_logits = self._address(logits, rows, head.outputs)
        to_hidden = None if hidden is None else self._address(hidden, rows, width)
        ids = (ctypes.c_int32 * count)(*tokens)
        with self._passing:
            if self._depths:
                self._make_room(count)
            self.library.check(
                self.library.functions.foreword_forward(
                    self._model, ids, count, cache.length, cache.pointers, rows, to_logits, to_hidden
                )
            )
        cache.length = end
        return logits

    def _address(self, result: torch.Tensor, rows: int, width: int) -> int:
        """Where a result goes."""
        place = self._addresses.of(result)
        if place is None or (place.rows, place.width) != (rows, width):
            raise ValueError(f"a result is contiguous float32 {(rows, width)}, not {tuple(result.shape)}")
        return place.address

    def forward_texts(
        self, tokens: Sequence[int], caches: Sequence[PageCache], logits: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Append one token to each of several texts in one pass: tokens[i] to caches[i]. Float32 [texts, vocabulary].

        Many texts cost little more than one, so this is how a model writes a lot. Each row is, bit for bit, what
        `forward` would have given for its text alone.
        """
        count, head = len(tokens), self.weights.head
        if count == 0 or len(caches) != count or len({id(cache) for cache in caches}) < count:
            raise ValueError(f"{count} tokens for {len(caches)} texts")
        if min(tokens) < 0 or max(tokens) >= self.weights.embedding.outputs:
            raise ValueError("a token is not in the vocabulary")
        if max(cache.length for cache in caches) >= self.positions:
            raise ValueError(f"rotary tables for {self.positions} positions")
        heads = self.weights.layers[0].heads
        for cache in caches:
            if not cache.fits(len(self.weights.layers) - 1, heads.kv_heads, heads.head_size):
                raise ValueError("the cache was made for another model")
            cache.reserve(cache.length + 1)
        if logits is None:
            logits = torch.empty(count, head.outputs)
        if tuple(logits.shape) != (count, head.outputs) or not logits.is_contiguous():
            raise ValueError(f"a result is {(count, head.outputs)}, not {tuple(logits.shape)}")
        ids = (ctypes.c_int32 * count)(*tokens)
        positions = (ctypes.c_int64 * count)(*(cache.length for cache in caches))
        texts = (ctypes.c_void_p * count)(*(ctypes.addressof(cache.pointers) for cache in caches))
        with self._passing:
            if self._depths:
                self._make_room(count)
            self.library.check(
                self.library.functions.foreword_forward_texts(
                    self._model, ids, count, positions, texts, logits.data_ptr(), None
                )
            )
        for cache in caches:
            cache.length += 1
        return logits


def _pointer(tensor: torch.Tensor | None) -> int | None:
    return None if tensor is None else tensor.data_ptr()


def _check_vector(tensor: torch.Tensor, size: int) -> None:
    if tensor.dtype != torch.float32 or tuple(tensor.shape) != (size,) or not tensor.is_contiguous():
        raise ValueError(f"expected a contiguous float32 vector of {size}, not {tensor.dtype} {tuple(tensor.shape)}")
