"""Products of float matrices as Python calls them."""

import pytest
import torch

from inference.native.float_matrix import FloatMatrix
from inference.native.library import Library


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_the_product_is_torchs(library: Library, dtype: torch.dtype) -> None:
    weight, bias, x = torch.randn(37, 70).to(dtype), torch.randn(37), torch.randn(11, 70)
    expected = x @ weight.float().T + bias
    assert torch.allclose(library.float_matmul(FloatMatrix(weight, bias), x), expected, rtol=1e-5, atol=1e-5)
    assert torch.allclose(library.float_matmul(FloatMatrix(weight), x), expected - bias, rtol=1e-5, atol=1e-5)


def test_the_weights_are_read_where_they_stand(library: Library) -> None:
    weight = torch.ones(3, 5)
    matrix = FloatMatrix(weight)
    weight[1] = 2.0
    assert library.float_matmul(matrix, torch.ones(1, 5)).tolist() == [[5.0, 10.0, 5.0]]


def test_what_does_not_fit_is_refused(library: Library) -> None:
    with pytest.raises(ValueError, match="no kernel"):
        FloatMatrix(torch.ones(3, 5, dtype=torch.float64))
    with pytest.raises(ValueError, match="no kernel"):
        FloatMatrix(torch.ones(5, 3).T)
    with pytest.raises(ValueError, match="bias"):
        FloatMatrix(torch.ones(3, 5), torch.ones(4))
    with pytest.raises(ValueError, match="rows of 4"):
        library.float_matmul(FloatMatrix(torch.ones(3, 5)), torch.ones(2, 4))
