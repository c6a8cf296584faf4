"""4-bit groups and the packed torch products."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from inference.models.fused.int4 import GROUP, fitting_group, pad_columns, quantize
from inference.models.fused.linear import DENSE_ROWS, linear
from inference.settings import INT4_GROUPS


@given(st.integers(0, 2**32 - 1), st.floats(1e-6, 1e6), st.floats(-10, 10), st.sampled_from(INT4_GROUPS))
@settings(max_examples=30, deadline=None)
def test_error_is_below_that_of_plain_rounding(seed: int, size: float, shift: float, group: int) -> None:
    weight = size * (torch.randn(4, 256, generator=torch.Generator().manual_seed(seed)) + shift)
    blocks = weight.view(-1, group)
    low, span = blocks.amin(-1, keepdim=True), blocks.amax(-1, keepdim=True) - blocks.amin(-1, keepdim=True)
    rounded = ((blocks - low) / span * 15).round() / 15 * span + low
    error = (quantize(weight, group).dense().view(-1, group) - blocks).square().sum(-1)
    plain = (rounded - blocks).square().sum(-1)
    assert bool((error <= plain * 1.001 + (1e-5 * size * (1 + abs(shift))) ** 2).all())


@pytest.mark.parametrize("value", [0.0, 1.5, -3e4])
def test_a_constant_group_comes_back(value: float) -> None:
    weight = torch.full((2, GROUP), value)
    torch.testing.assert_close(quantize(weight).dense(), weight)


def test_what_had_four_bits_comes_back() -> None:
    generator = torch.Generator().manual_seed(1)
    codes = torch.randint(0, 16, (8, 4, GROUP), generator=generator).float()
    codes[..., 0], codes[..., 1] = 0, 15
    weight = (codes * 0.037 - 0.2).view(8, -1)
    torch.testing.assert_close(quantize(weight).dense(), weight, atol=1e-5, rtol=0)


@pytest.mark.parametrize(
    ("precision", "group"),
    [("float32", 32), ("bfloat16", 32), ("int8", 32), *(("int4", group) for group in INT4_GROUPS)],
)
@pytest.mark.parametrize(("outputs", "inputs"), [(48, 48), (33, 40), (300, 96), (960, 576)])
def test_products(precision: str, group: int, outputs: int, inputs: int) -> None:
    """Parts with and without a bias; sizes that no kernel likes; and no row that knows of its neighbours."""
    generator = torch.Generator().manual_seed(outputs)
    parts = [torch.randn(outputs, inputs, generator=generator) for _ in range(2)]
    bias = torch.randn(outputs, generator=generator)
    matrix = linear(parts, [bias, None], precision, torch.device("cpu"), int4_group=group)
    x = torch.randn(24, inputs, generator=generator)
    y = matrix(x)
    weight = torch.cat(parts)
    if precision == "int4":
        weight = quantize(pad_columns(weight), fitting_group(group, inputs)).dense()[:, :inputs]
    expected = x @ weight.T + torch.cat((bias, torch.zeros(outputs)))
    tolerance = {"float32": 1e-5, "bfloat16": 0.01, "int8": 0.02, "int4": 0.015}[precision]
    assert float((y - expected).norm() / expected.norm()) < tolerance
    step = matrix.row_multiple
    assert step in (1, DENSE_ROWS)
    assert torch.equal(torch.cat([matrix(x[start : start + step]) for start in range(0, 24, step)]), y)


def test_larger_groups_take_less_memory() -> None:
    weight = torch.randn(64, 256, generator=torch.Generator().manual_seed(1))
    packed = [linear([weight], [None], "int4", torch.device("cpu"), int4_group=group) for group in INT4_GROUPS]
    assert [8 * matrix.nbytes / weight.numel() for matrix in packed] == [5, 4.5, 4.25]
    assert [fitting_group(128, inputs) for inputs in (256, 576, 96, 40)] == [128, 64, 32, 32]
