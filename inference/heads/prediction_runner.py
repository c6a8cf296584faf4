"""Runs a checkpoint's own multi-token prediction layer behind the interface of a trained head.

DeepSeek-V3 (arXiv 2412.19437, section 2.2): x = W [norm_e(E[token]); norm_h(h)], one decoder layer like the target's
own, a norm, and the target's output layer. h is what the target's output layer read at the position before, and at the
next places of a draft what this layer put out itself: one layer drafts any number of tokens.

The library (transformers' `MtpModel`) reads the tensors and makes the layer; the loop, the cache and the way back from
a draft that fell are ours. Its own loop drafts one token a layer and cannot be driven from outside.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from inference.models.causal_model import Cache
from inference.models.transformers_cache import TransformersCache
from inference.settings import MAX_DRAFT_LENGTH


class PredictionRunner:
    """See `inference.heads.runner.HeadRunner`. layers: transformers' MtpModel; depth: of the target's last state."""

    def __init__(self, layers: Any, depth: int, context_length: int, nbytes: int) -> None:
        self.depths: tuple[int, ...] = (depth,)
        self.capacity = self.reach = context_length + MAX_DRAFT_LENGTH
        self.nbytes = nbytes
        self._layers = layers
        self._like: Tensor = layers.layers[0].eh_proj.weight  # where and in what type it computes

    def new_cache(self) -> TransformersCache:
        return TransformersCache(self._layers.config, self.capacity)

    @torch.inference_mode()
    def draft(self, tokens: Sequence[int], features: Tensor, cache: Cache, k: int, least: float = 0.0) -> list[int]:
        """features float32 [n, 1, hidden]; else as `HeadRunner.draft`. What a draft put into the cache is taken out."""
        if not isinstance(cache, TransformersCache):
            raise TypeError(f"a {type(cache).__name__} is not a prediction layer's cache")
        h = self._step(tokens, features[None, :, 0].to(self._like), cache)
        kept = cache.length
        draft: list[int] = []
        chance = 1.0
        while len(draft) < k:
            if draft:
                h = self._step(draft[-1:], h, cache)
            h = h[:, -1:]
            share, best = self._layers._project_to_logits(h)[0, 0].float().softmax(-1).max(-1)
            chance *= float(share)
            if chance < least:
                break
            draft.append(int(best))
        cache.truncate(kept)
        return draft

    def _step(self, tokens: Sequence[int], h: Tensor, cache: TransformersCache) -> Tensor:
        """Append entries; h [1, n, hidden] of the positions before their tokens -> what the layer puts out, likewise.

        Positions count from the cache's first entry: rotary attention sees differences alone.
        """
        count, device = len(tokens), self._like.device
        positions = torch.arange(cache.length, cache.length + count, device=device)[None]
        cache.begin(count)
        finished = False
        try:
            ids = torch.tensor([tokens], device=device)
            output: Tensor = self._layers.forward_layer(0, h, positions, cache, input_ids=ids)
            finished = True
        finally:
            if finished:
                cache.finish(count)
            else:
                cache.abandon()
        return output
