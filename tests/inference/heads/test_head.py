"""Steps over whole texts, as in training, are those of a draft made entry by entry."""

from dataclasses import replace

import pytest
import torch

from inference.heads.head import Keys
from inference.heads.shape import HeadShape, default_depths
from tests.inference.heads.tiny import SHAPE, random_head, tiny_architecture


@pytest.mark.parametrize("window", [0, 3])
def test_entries_one_by_one_give_what_all_at_once_give(window: int) -> None:
    head = random_head(replace(SHAPE, window=window))
    embedded, g = torch.randn(2, 1, 9, 32, generator=torch.Generator().manual_seed(1))
    whole, _ = head.step(embedded, g)
    keys: Keys | None = None
    for at in range(9):
        h, keys = head.step(embedded[:, at : at + 1], g[:, at : at + 1], keys, start=at)
        torch.testing.assert_close(h[:, 0], whole[:, at], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("window", [0, 2, 4])
def test_training_steps_are_the_steps_of_a_draft(window: int) -> None:
    """Step j at entry s: true entries to s - j + 1, then the draft's own."""
    head = random_head(replace(SHAPE, window=window))
    embedded, g = torch.randn(2, 1, 10, 32, generator=torch.Generator().manual_seed(2))
    outputs = head(embedded, g, steps=4)
    for start in range(10 - 3):
        _, keys = head.step(embedded[:, :start], g[:, :start]) if start else (None, None)
        h = g[:, start : start + 1]
        for j in range(4):
            at = start + j
            h, keys = head.step(embedded[:, at : at + 1], h, keys, start=at)
            torch.testing.assert_close(h[:, 0], outputs[j][:, at], rtol=1e-4, atol=1e-5)


def test_later_tokens_change_nothing_before_them_and_all_weights_learn() -> None:
    head = random_head().requires_grad_(True)
    embedded, g = torch.randn(2, 2, 6, 32, generator=torch.Generator().manual_seed(3))
    before = head(embedded, head.fused(torch.stack((g, g * 2, g * 3), dim=-2)), steps=3)
    changed = embedded.clone()
    changed[:, 4] += 1
    after = head(changed, head.fused(torch.stack((g, g * 2, g * 3), dim=-2)), steps=3)
    for one, other in zip(before, after, strict=True):
        assert torch.equal(one[:, :4], other[:, :4])
        assert not torch.equal(one[:, 4], other[:, 4])
    sum(head.logits(h, torch.randn(7, 32)).square().sum() for h in before).backward()
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in head.parameters())


def test_features_of_any_size_count_alike() -> None:
    head = random_head()
    features = torch.randn(5, 3, 32)
    torch.testing.assert_close(
        head.fused(features), head.fused(features * torch.tensor([1.0, 30.0, 700.0])[:, None]), rtol=1e-3, atol=1e-4
    )


def test_a_shape_comes_from_its_target() -> None:
    shape = HeadShape.for_target(tiny_architecture(), vocabulary_size=40)
    assert shape.depths == (0, 1, 2)
    assert (shape.hidden, shape.heads, shape.kv_heads, shape.head_dim) == (32, 4, 2, 16)
    assert set(random_head(shape).state_dict()) | {"vocabulary"} == set(shape.tensors)
    assert {n: tuple(t.shape) for n, t in random_head(shape).state_dict().items()} == {
        name: size for name, size in shape.tensors.items() if name != "vocabulary"
    }


@pytest.mark.parametrize(
    ("layers", "depths"), [(30, (2, 14, 29)), (28, (2, 13, 27)), (3, (0, 1, 2)), (2, (0, 0, 1)), (1, (0, 0, 0))]
)
def test_depths_of_a_target(layers: int, depths: tuple[int, int, int]) -> None:
    assert default_depths(layers) == depths


@pytest.mark.parametrize(
    "change",
    [
        {"hidden": 0},
        {"kv_heads": 3},
        {"depths": (2, 1, 0)},
        {"depths": (0, 1)},
        {"window": -1},
        {"vocabulary_size": 8193},
        {"eps": 0.0},
        {"heads": 4.0},
    ],
)
def test_sizes_that_make_no_head(change: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        replace(SHAPE, **change)
