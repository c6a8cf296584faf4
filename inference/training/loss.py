"""How far a head's guesses are from the target's: cross entropy over the reduced vocabulary, and agreement."""

from typing import Any

import torch
from torch import Tensor

ROWS = 1024  # whose logits are in memory at once


class _CrossEntropy(torch.autograd.Function):
    """Sum over rows of the cross entropy between `share` on `ids` and softmax(x W^T), W frozen.

    The gradient is made beside the loss, a few rows at a time: logits of 8,192 columns are neither kept nor computed
    twice (as in Liger's fused loss, arXiv 2410.10989).
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, output: Tensor, ids: Tensor, share: Tensor) -> tuple[Tensor, Tensor]:
        gradient = torch.empty_like(x)
        total = x.new_zeros((), dtype=torch.float32)
        best = torch.empty(len(x), dtype=torch.long, device=x.device)
        for start in range(0, len(x), ROWS):
            part = slice(start, start + ROWS)
            logits = (x[part].to(output.dtype) @ output.T).float()
            best[part] = logits.argmax(-1)
            whole = logits.logsumexp(-1, keepdim=True)
            total += ((whole - logits.gather(-1, ids[part])) * share[part]).sum()
            weight = share[part].sum(-1, keepdim=True)
            slope = logits.sub_(whole).exp_().mul_(weight)
            slope.scatter_add_(-1, ids[part], -share[part])
            gradient[part] = (slope.to(output.dtype) @ output).to(x.dtype)
        ctx.save_for_backward(gradient)
        ctx.mark_non_differentiable(best)
        return total, best

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[Tensor, None, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradient * gradients[0], None, None, None


def cross_entropy(x: Tensor, output: Tensor, ids: Tensor, share: Tensor) -> tuple[Tensor, Tensor]:
    """x [rows, hidden] after the head's last norm; output [vocabulary, hidden], frozen; ids [rows, k] columns and share
    [rows, k] the weight of each. Returns the sum over rows (differentiable in x) and each row's likeliest column."""
    result: tuple[Tensor, Tensor] = _CrossEntropy.apply(x, output, ids, share)  # type: ignore[no-untyped-call]
    return result


def aimed(top: Tensor, share: Tensor, places: Tensor, sharpness: float) -> tuple[Tensor, Tensor]:
    """top, share [..., k] as `Observed` has them; places [target's vocabulary]: the column of each token, -1 for none.

    Returns columns and weights [..., k]: sharpened, of the tokens that the head can propose, a row's weights adding up
    to 1 or, where none of its tokens can be proposed or nothing was seen, to 0.
    """
    columns = places[top]
    weights = share.float().pow(sharpness) * (columns >= 0)
    weights = weights / weights.sum(-1, keepdim=True).clamp_min(1e-9) * (weights.sum(-1, keepdim=True) > 0)
    return columns.clamp_min(0), weights


def acceptance(hits: Tensor, begun: Tensor) -> list[tuple[int, int]]:
    """Accepted and verified drafted tokens by their place in the draft, if one were made at every position.

    hits bool [steps, batch, time]: step j's guess at entry s is right; begun bool [batch, time]: where a draft may
    start. A draft from entry s has its tokens at entries s, s + 1, ...; one counts as verified when all before it held.
    """
    steps, _, time = hits.shape
    counts, alive = [], begun
    for j in range(steps):
        if j >= time:
            counts.append((0, 0))
            continue
        alive = alive[:, : time - j] & begun[:, j:]
        verified = int(alive.sum())
        alive = alive & hits[j][:, j:]
        counts.append((int(alive.sum()), verified))
    return counts
