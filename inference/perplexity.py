"""How well a model predicts a text: the measure by which weight formats are compared."""

import math
from collections.abc import Sequence

from inference.models.causal_model import CausalModel


def perplexity(model: CausalModel, tokens: Sequence[int], chunk: int = 256) -> float:
    """exp of the mean negative log-likelihood of tokens[1:], each given all before it.

    One text, one cache, no sliding: at least two tokens and at most model.context_length of them.
    """
    import torch

    if len(tokens) < 2:
        raise ValueError("a text of fewer than two tokens has no perplexity")
    cache = model.new_cache()
    total = 0.0
    for start in range(0, len(tokens) - 1, chunk):
        part = tokens[start : start + chunk]
        following = torch.tensor(tokens[start + 1 : start + 1 + chunk], device=model.device)
        logits = model.forward(part, cache, rows=len(part))[: len(following)]
        total += float(torch.nn.functional.cross_entropy(logits, following, reduction="sum"))
    return math.exp(total / (len(tokens) - 1))
