"""A trained head in torch, on the target's device: the reference, and what runs where native kernels do not."""

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor

from inference.heads.head import Keys
from inference.heads.package import Package
from inference.heads.runner import REACH
from inference.models.causal_model import Cache
from inference.settings import MAX_DRAFT_LENGTH


class Embedder(Protocol):
    """What of its target it needs."""

    @property
    def device(self) -> torch.device: ...
    @property
    def context_length(self) -> int: ...
    def embed(self, tokens: Sequence[int]) -> Tensor: ...


class HeadCache:
    """Keys and values of the entries of one text; see `inference.models.causal_model.Cache`."""

    def __init__(self, keys: Keys | None = None) -> None:
        self.keys = keys

    @property
    def length(self) -> int:
        return 0 if self.keys is None else self.keys.keys.shape[2]

    @property
    def nbytes(self) -> int:
        return 0 if self.keys is None else sum(tensor.nbytes for tensor in self.keys)

    def truncate(self, new_length: int) -> int:
        if not 0 <= new_length <= self.length:
            raise ValueError(f"cannot truncate {self.length} entries to {new_length}")
        self.keys = self._first(new_length)
        return new_length

    def copy(self, length: int) -> "HeadCache":
        if not 0 <= length <= self.length:
            raise ValueError(f"a cache of {self.length} entries holds no {length}")
        first = self._first(length)
        return HeadCache(None if first is None else Keys(*(tensor.clone() for tensor in first)))

    def _first(self, length: int) -> Keys | None:
        return None if self.keys is None or length == 0 else Keys(*(tensor[:, :, :length] for tensor in self.keys))


class TorchRunner:
    """See `inference.heads.runner.HeadRunner`. output: rows of the target's output layer, float32."""

    def __init__(self, package: Package, target: Embedder, output: Tensor) -> None:
        self.depths: tuple[int, ...] = package.card.shape.depths
        self.capacity = target.context_length + MAX_DRAFT_LENGTH
        self.reach = REACH
        self._target = target
        self._head = package.head().to(target.device)
        self._output = output.to(target.device)
        self._vocabulary = package.vocabulary.to(target.device)

    @property
    def nbytes(self) -> int:
        return self._output.nbytes + sum(parameter.nbytes for parameter in self._head.parameters())

    def new_cache(self) -> HeadCache:
        return HeadCache()

    def draft(self, tokens: Sequence[int], features: Tensor, cache: Cache, k: int, least: float = 0.0) -> list[int]:
        if not isinstance(cache, HeadCache):
            raise TypeError(f"a {type(cache).__name__} is not this head's cache")
        with torch.inference_mode():
            g = self._head.fused(features.to(self._target.device)[None])
            h, cache.keys = self._step(tokens, g, cache.keys)
            keys: Keys | None = cache.keys
            draft: list[int] = []
            chance = 1.0
            while len(draft) < k:
                if draft:
                    h, keys = self._step(draft[-1:], h, keys)
                h = h[:, -1:]
                share, best = self._head.logits(h[0, 0], self._output).softmax(-1).max(-1)
                chance *= float(share)
                if chance < least:
                    break
                draft.append(int(self._vocabulary[best]))
            return draft

    def _step(self, tokens: Sequence[int], g: Tensor, keys: Keys | None) -> tuple[Tensor, Keys]:
        start = 0 if keys is None else keys.keys.shape[2]
        return self._head.step(self._target.embed(tokens)[None], g, keys, start)
