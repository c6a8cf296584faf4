"""Which drafted tokens the target takes, and what it says instead of the first it refuses.

Leviathan et al. 2023 (arXiv 2211.17192) and Chen et al. 2023 (arXiv 2302.01318): token x drafted with probability q(x)
is accepted with probability min(1, p(x) / q(x)); the first refused one is replaced by a draw from max(0, p - q), and
after a wholly accepted draft a bonus token is drawn from p. What comes out is distributed as if the target wrote it.

A point draft is the same rule with a one-hot q: x is accepted with probability p(x), else replaced by another token
in proportion to p. That is what comes of drawing from p and looking whether it is x. So the target simply speaks, and
the draft stands as far as it agrees: the reply to one seed is the same, token for token, whatever was drafted.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from inference.drafters.drafter import Draft
from inference.sampling import Sampler, Weights, draw


class Verdict(NamedTuple):
    """The first `accepted` drafted tokens stand, then comes `token`: recovered after a refusal, else a bonus."""

    accepted: int
    token: int


def verify(draft: Draft, logits: Tensor, sampler: Sampler) -> Verdict:
    """Judge k drafted tokens against the target's logits [k + 1, vocabulary]. One host synchronisation."""
    if draft.probabilities is None:
        said = sampler.say(logits, draft.tokens)
        return Verdict(len(said) - 1, said[-1])
    target = sampler.distribution(logits, draft.tokens)
    if target.rows != len(draft) + 1:
        raise ValueError(f"{len(draft)} drafted tokens need {len(draft) + 1} rows, not {target.rows}")
    if target.probabilities is None:
        raise ValueError("a draft that was drawn by chance cannot be judged at temperature 0")
    return judge(draft, draft.probabilities, target.probabilities, sampler.generator)


def judge(draft: Draft, q: Weights, p: Weights, generator: torch.Generator) -> Verdict:
    """By q [k, vocabulary], from which the k tokens were drawn, and the target's p [k + 1, vocabulary]."""
    k, q = len(draft), _alike(q, p)
    accepted = _accepted(draft, q, p, generator)
    return Verdict(accepted, draw(p[k] if accepted == k else residual(p[accepted], q[accepted]), generator))


def _accepted(draft: Draft, q: Weights, p: Weights, generator: torch.Generator) -> int:
    """How many drafted tokens stand."""
    k = len(draft)
    if isinstance(p, Tensor):
        tokens = torch.tensor(draft.tokens, device=p.device).unsqueeze(-1)  # [k, 1]
        p_token = p[:k].gather(-1, tokens).squeeze(-1)  # [k]
        q_token = torch.as_tensor(q).gather(-1, tokens).squeeze(-1)
        chance = torch.rand(k, generator=generator, device=generator.device).to(p.device)
        refused: list[bool] = (chance * q_token >= p_token).tolist()
    else:
        chances = torch.rand(k, generator=generator).tolist()
        refused = [
            chance * float(q[i, token]) >= float(p[i, token])
            for i, (token, chance) in enumerate(zip(draft.tokens, chances, strict=True))
        ]
    return refused.index(True) if True in refused else k


def residual(p: Weights, q: Weights) -> Weights:
    """max(0, p - q) of one position, not normalized; [vocabulary]."""
    rest = p - q
    rest[rest < 0] = 0.0
    # p equals q up to rounding: then a refusal has probability zero up to rounding as well, and p is the right answer.
    return rest if bool(rest.sum() > 0) else p


def _alike(q: Weights, p: Weights) -> Weights:
    """q where p is: a draft may be on another device."""
    if isinstance(p, Tensor):
        return torch.as_tensor(q, device=p.device)
    return q.numpy(force=True) if isinstance(q, Tensor) else q
