"""Which drafted tokens the target takes, and what it says instead of the first it refuses.

Leviathan et al. 2023 (arXiv 2211.17192) and Chen et al. 2023 (arXiv 2302.01318): token x drafted with probability q(x)
is accepted with probability min(1, p(x) / q(x)); the first refused one is replaced by a draw from max(0, p - q), and
after a wholly accepted draft a bonus token is drawn from p. What comes out is distributed as if the target wrote it.
A point draft is the same rule with a one-hot q.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from inference.drafters.drafter import Draft
from inference.sampling import Distribution, draw


@dataclass(frozen=True)
class Verdict:
    """The first `accepted` drafted tokens stand, then comes `token`: recovered after a refusal, else a bonus."""

    accepted: int
    token: int


def verify(draft: Draft, target: Distribution, generator: torch.Generator) -> Verdict:
    """Judge k drafted tokens against the target's k + 1 rows. One host synchronisation."""
    if target.rows != len(draft) + 1:
        raise ValueError(f"{len(draft)} drafted tokens need {len(draft) + 1} rows, not {target.rows}")
    if target.probabilities is None:
        return _verify_greedy(draft, target.tokens)
    p, q = target.probabilities, draft.probabilities
    k = len(draft)
    if k == 0:
        return Verdict(0, draw(p[0], generator))
    tokens = torch.tensor(draft.tokens, device=p.device).unsqueeze(-1)  # [k, 1]
    p_token = p[:k].gather(-1, tokens).squeeze(-1)  # [k]
    q_token = torch.ones_like(p_token) if q is None else q.gather(-1, tokens).squeeze(-1)
    chance = torch.rand(k, generator=generator, device=p.device)
    refused = (chance * q_token >= p_token).tolist()
    accepted = refused.index(True) if True in refused else k
    if accepted == k:
        return Verdict(k, draw(p[k], generator))
    return Verdict(accepted, draw(residual(p[accepted], draft, accepted), generator))


def residual(p: Tensor, draft: Draft, position: int) -> Tensor:
    """max(0, p - q), not normalized, of the refused token at `position`; [vocabulary]."""
    if draft.probabilities is not None:
        rest = (p - draft.probabilities[position]).clamp_min(0.0)
    else:
        rest = p.clone()
        rest[draft.tokens[position]] = 0.0
    # p equals q up to rounding: then a refusal has probability zero up to rounding as well, and p is the right answer.
    return rest if bool(rest.sum() > 0) else p


def _verify_greedy(draft: Draft, best: tuple[int, ...]) -> Verdict:
    """p is one-hot, so a drafted token is accepted exactly when it is the target's own."""
    accepted = 0
    while accepted < len(draft) and draft.tokens[accepted] == best[accepted]:
        accepted += 1
    return Verdict(accepted, best[accepted])
