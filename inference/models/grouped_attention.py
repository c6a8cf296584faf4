"""Attention for grouped queries that never copies the cache.

With a mask, which every verify pass has, the library repeats keys and values once per query head of a group: at a long
context that costs more than the rest of the pass. The query heads of a group can as well stand as more rows of one
head: the same sums, in the same order, over the cache as it lies.
"""

from typing import Any

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

NAME = "grouped_sdpa"


def grouped_attention(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    *,
    scaling: float | None = None,
    **options: Any,
) -> Any:
    """query [1, heads, rows, size], key and value [1, groups, length, size], mask [1, 1, rows, length] -> what the
    library's own function gives: ([1, rows, heads, size], None)."""
    _, heads, rows, size = query.shape
    share = heads // key.shape[1]
    plain = all(options.get(name) is None for name in ("softcap", "position_bias", "s_aux"))
    if attention_mask is None or share == 1 or attention_mask.shape[:2] != (1, 1) or query.shape[0] != 1 or not plain:
        return sdpa_attention_forward(module, query, key, value, attention_mask, scaling=scaling, **options)
    stacked = query.reshape(1, key.shape[1], share * rows, size)
    mask = attention_mask.expand(1, share, rows, -1).reshape(1, 1, share * rows, -1)
    output = torch.nn.functional.scaled_dot_product_attention(stacked, key, value, attn_mask=mask, scale=scaling)
    return output.reshape(1, heads, rows, -1).transpose(1, 2).contiguous(), None


def use_grouped_attention(model: Any) -> None:
    """Switch a transformers model over, if it takes its attention function from the library's table."""
    config = model.config.get_text_config(decoder=True)
    if config._attn_implementation != "sdpa" or not getattr(model, "_supports_attention_backend", False):
        return
    AttentionInterface.register(NAME, grouped_attention)
    AttentionMaskInterface.register(NAME, sdpa_mask)
    model.set_attn_implementation(NAME)
