"""A trained head in native code: entries in, drafted tokens out, one call. `inference.heads.head` says what it does."""

import ctypes
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from inference.native import structures
from inference.native.library import Library
from inference.native.native_model import LayerWeights
from inference.native.page_cache import PageCache
from inference.native.weights import PackedMatrix

DEPTHS = 3


@dataclass(frozen=True)
class HeadWeights:
    """embedding: the target's own [vocabulary, hidden]. join [hidden, 2 hidden] reads embedding, then fused features.

    output [reduced vocabulary, hidden]: rows of the target's output layer; vocabulary: int32, what they stand for.
    Norms are float32 [hidden].
    """

    embedding: PackedMatrix
    fuse: PackedMatrix
    join: PackedMatrix
    output: PackedMatrix
    embedding_norm: torch.Tensor
    feature_norm: torch.Tensor
    output_norm: torch.Tensor
    layer: LayerWeights
    vocabulary: torch.Tensor
    epsilon: float

    def __post_init__(self) -> None:
        hidden, known = self.embedding.inputs, self.embedding.outputs
        self.layer.check(hidden)
        for matrix, shape in (
            (self.fuse, (hidden, DEPTHS * hidden)),
            (self.join, (hidden, 2 * hidden)),
            (self.output, (len(self.vocabulary), hidden)),
        ):
            if (matrix.outputs, matrix.inputs) != shape:
                raise ValueError(f"a matrix of the head is {matrix.outputs} x {matrix.inputs}, not {shape}")
        for norm in (self.embedding_norm, self.feature_norm, self.output_norm):
            if norm.dtype != torch.float32 or tuple(norm.shape) != (hidden,) or not norm.is_contiguous():
                raise ValueError(f"a norm of the head is not a float32 vector of {hidden}")
        tokens = self.vocabulary
        if tokens.dtype != torch.int32 or not tokens.is_contiguous() or not 0 <= int(tokens.min()) <= int(tokens.max()):
            raise ValueError("a reduced vocabulary is a list of int32 tokens")
        if int(tokens.max()) >= known:
            raise ValueError(f"the target has {known} tokens, and the head writes {int(tokens.max())}")

    @property
    def nbytes(self) -> int:
        """What it holds beside the target."""
        layer = self.layer
        matrices = (layer.query, layer.key, layer.value, layer.output, layer.gate, layer.up, layer.down)
        return sum(matrix.nbytes for matrix in (self.fuse, self.join, self.output, *matrices))


class NativeHead:
    """One draft at a time: of two threads that ask, one waits."""

    def __init__(self, library: Library, weights: HeadWeights) -> None:
        self.library = library
        self.weights = weights
        layer = weights.layer.structure
        description = structures.Head(
            weights.embedding.structure,
            weights.fuse.structure,
            weights.join.structure,
            weights.output.structure,
            weights.embedding_norm.data_ptr(),
            weights.feature_norm.data_ptr(),
            weights.output_norm.data_ptr(),
            ctypes.pointer(layer),
            weights.vocabulary.data_ptr(),
            weights.embedding.inputs,
            weights.epsilon,
        )
        self._head: Any = library.functions.foreword_head_new(ctypes.byref(description))
        if not self._head:
            raise MemoryError("no memory for the head's description")
        self._drafting = threading.Lock()

    def __del__(self) -> None:
        if getattr(self, "_head", None):
            self.library.functions.foreword_head_free(self._head)
            self._head = None

    def new_cache(self, capacity: int) -> PageCache:
        heads = self.weights.layer.heads
        return PageCache(1, heads.kv_heads, heads.head_size, capacity)

    def draft(
        self, tokens: Sequence[int], features: torch.Tensor, cache: PageCache, k: int, least: float = 0.0
    ) -> list[int]:
        """Append entries to `cache`: `tokens` and the features of the positions before them, float32 [n, 3, hidden].

        Returns up to k tokens that follow, each the likeliest; the cache keeps the n entries alone. The draft ends
        where its chance of being right as a whole, as the head sees it, would fall below `least`.
        """
        count, heads = len(tokens), self.weights.layer.heads
        if features.dtype != torch.float32 or tuple(features.shape) != (count, DEPTHS, self.weights.embedding.inputs):
            raise ValueError(f"features are float32 [{count}, {DEPTHS}, hidden], not {tuple(features.shape)}")
        if count < 1 or k < 0 or not features.is_contiguous():
            raise ValueError(f"{k} tokens after {count} entries")
        if min(tokens) < 0 or max(tokens) >= self.weights.embedding.outputs:
            raise ValueError("a token is not in the vocabulary")
        if not cache.fits(0, heads.kv_heads, heads.head_size):
            raise ValueError("the cache was made for another model")
        end = cache.length + count + max(0, k - 1)
        heads.check_positions(end)
        cache.reserve(end)
        ids, draft, drafted = (ctypes.c_int32 * count)(*tokens), (ctypes.c_int32 * k)(), ctypes.c_int64()
        with self._drafting:
            self.library.check(
                self.library.functions.foreword_head_draft(
                    self._head,
                    ids,
                    features.data_ptr(),
                    count,
                    cache.length,
                    cache.pointers,
                    k,
                    least,
                    draft,
                    ctypes.byref(drafted),
                )
            )
        cache.length += count
        return draft[: drafted.value]
