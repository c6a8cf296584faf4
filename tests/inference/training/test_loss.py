"""The loss against plain torch, and acceptance counted by hand."""

import torch
from torch.nn import functional

from inference.training.loss import acceptance, aimed, cross_entropy


def test_the_loss_and_its_gradient_are_those_of_plain_cross_entropy() -> None:
    torch.manual_seed(1)
    x = torch.randn(1500, 8, requires_grad=True)  # more rows than are computed at once
    output = torch.randn(40, 8)
    ids, share = torch.stack([torch.randperm(40)[:3] for _ in range(1500)]), torch.rand(1500, 3)
    dense = torch.zeros(1500, 40).scatter_add(1, ids, share)
    wanted = -(dense * functional.log_softmax(x @ output.T, -1)).sum()
    (slope,) = torch.autograd.grad(wanted, x)
    loss, best = cross_entropy(x, output, ids, share)
    (got,) = torch.autograd.grad(loss * 2, x)
    assert torch.isclose(loss, wanted, rtol=1e-5)
    assert torch.allclose(got, 2 * slope, atol=1e-4)
    assert torch.equal(best, (x @ output.T).argmax(-1))


def test_what_cannot_be_proposed_is_not_aimed_at() -> None:
    places = torch.tensor([-1, 0, -1, 1])
    top = torch.tensor([[3, 0], [0, 2], [1, 3], [1, 3]])
    share = torch.tensor([[0.75, 0.25], [0.5, 0.5], [0.5, 0.5], [0.0, 0.0]])
    ids, weights = aimed(top, share, places, 2.0)
    assert weights.tolist() == [[1.0, 0.0], [0.0, 0.0], [0.5, 0.5], [0.0, 0.0]]
    assert ids.tolist() == [[1, 0], [0, 0], [0, 1], [0, 1]]


def test_sharpness_moves_weight_to_the_likeliest() -> None:
    top, share = torch.tensor([[0, 1]]), torch.tensor([[0.75, 0.25]])
    _, weights = aimed(top, share, torch.tensor([0, 1]), 2.0)
    assert torch.allclose(weights, torch.tensor([[0.9, 0.1]]))


def test_a_drafted_token_counts_only_when_all_before_it_held() -> None:
    first = torch.tensor([[True, False, True, True]])
    second = torch.tensor([[False, True, True, False]])
    begun = torch.tensor([[True, True, True, True]])
    # Drafts begin at 0, 1, 2, 3; their second tokens stand at 1, 2, 3. Those of 0 and 2 are looked at: one holds.
    assert acceptance(torch.stack([first, second]), begun) == [(3, 4), (1, 2)]


def test_steps_beyond_the_text_are_not_counted() -> None:
    hits = torch.ones(3, 1, 2, dtype=torch.bool)
    assert acceptance(hits, torch.ones(1, 2, dtype=torch.bool)) == [(2, 2), (1, 1), (0, 0)]
