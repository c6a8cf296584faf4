"""Names of devices: which there are, which are missing, and which are the same."""

import pytest
import torch

from inference.device import named_device, resolve_device, same_device
from inference.errors import UserError


@pytest.mark.parametrize("device", ["abacus", "cuda:99", "cuda:256", "meta", "xpu", "cpu:1"])
def test_a_device_that_is_not_there(device: str) -> None:
    with pytest.raises(UserError, match=device):
        resolve_device(device)


def test_the_automatic_device_and_the_processor() -> None:
    assert resolve_device("auto").type in ("cpu", "cuda", "mps")
    assert resolve_device("cpu") == torch.device("cpu")
    assert named_device("cuda:7") == torch.device("cuda", 7), "whether it is there is not asked"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("cpu", "cpu:0", True), ("cuda", "cuda:0", True), ("cuda:1", "cuda", False), ("cpu", "cuda", False)],
)
def test_the_same_hardware_by_two_names(one: str, other: str, same: bool) -> None:
    assert same_device(torch.device(one), torch.device(other)) == same
