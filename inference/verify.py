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
from inference.sampling import Distribution, Weights, draw


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
    p, k = target.probabilities, len(draft)
    if k == 0:
        return Verdict(0, draw(p[0], generator))
    accepted = _accepted(draft, p, generator)
    if accepted == k:
        return Verdict(k, draw(p[k], generator))
    return Verdict(accepted, draw(residual(p[accepted], draft, accepted), generator))


def _accepted(draft: Draft, p: Weights, generator: torch.Generator) -> int:
    """How many drafted tokens stand, by p [k + 1, vocabulary]."""
    k, q = len(draft), None if draft.probabilities is None else _alike(draft.probabilities, p)
    if isinstance(p, Tensor):
        tokens = torch.tensor(draft.tokens, device=p.device).unsqueeze(-1)  # [k, 1]
        p_token = p[:k].gather(-1, tokens).squeeze(-1)  # [k]
        q_token = torch.ones_like(p_token) if q is None else torch.as_tensor(q).gather(-1, tokens).squeeze(-1)
        chance = torch.rand(k, generator=generator, device=p.device)
        refused: list[bool] = (chance * q_token >= p_token).tolist()
    else:
        chances = torch.rand(k, generator=generator).tolist()
        refused = [
            chance * (1.0 if q is None else float(q[i, token])) >= float(p[i, token])
            for i, (token, chance) in enumerate(zip(draft.tokens, chances, strict=True))
        ]
    return refused.index(True) if True in refused else k


def residual(p: Weights, draft: Draft, position: int) -> Weights:
    """max(0, p - q), not normalized, of the refused token at `position`; [vocabulary]."""
    if draft.probabilities is not None:
        rest = p - _alike(draft.probabilities[position], p)
        rest[rest < 0] = 0.0
    else:
        rest = p * 1
        rest[draft.tokens[position]] = 0.0
    # p equals q up to rounding: then a refusal has probability zero up to rounding as well, and p is the right answer.
    return rest if bool(rest.sum() > 0) else p


def _alike(q: Weights, p: Weights) -> Weights:
    """q where p is: a draft may be on another device."""
    if isinstance(p, Tensor):
        return torch.as_tensor(q, device=p.device)
    return q.numpy(force=True) if isinstance(q, Tensor) else q


def _verify_greedy(draft: Draft, best: tuple[int, ...]) -> Verdict:
    """p is one-hot, so a drafted token is accepted exactly when it is the target's own."""
    accepted = 0
    while accepted < len(draft) and draft.tokens[accepted] == best[accepted]:
        accepted += 1
    return Verdict(accepted, best[accepted])
