"""Which devices there are, by the names that settings use: auto, cpu, cuda, cuda:1, mps."""

from typing import TYPE_CHECKING

from inference.errors import UserError
from inference.settings import DEVICE

if TYPE_CHECKING:
    import torch


def named_device(device: str) -> "torch.device":
    """auto is the first graphics card there is, else the processor. UserError for what is no name of a device.

    Whether the machine has it is not looked at.
    """
    import torch

    if device == "auto":
        name = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
        return torch.device(name)
    if not DEVICE.fullmatch(device):  # torch knows more, none of which we compute on
        raise UserError(f"There is no device called {device}.", "Use auto, cpu, cuda or mps.")
    return torch.device(device)


def resolve_device(device: str) -> "torch.device":
    """As `named_device`. UserError when the machine does not have it."""
    import torch

    chosen = named_device(device)
    if chosen.type == "cuda" and not (torch.cuda.is_available() and (chosen.index or 0) < torch.cuda.device_count()):
        raise UserError(f"The graphics card {device} is not available to torch.", "Choose the device auto or cpu.")
    if chosen.type == "mps" and not torch.backends.mps.is_available():
        raise UserError("The device mps is not available to torch.", "Choose the device auto or cpu.")
    return chosen


def on_card(device: "torch.device") -> bool:
    """Whether what lies there takes another memory than the computer's own."""
    return device.type == "cuda"


def same_device(one: "torch.device", other: "torch.device") -> bool:
    """Whether both compute on the same hardware: cuda is cuda:0, and every name of the processor is the processor."""
    if one.type != other.type:
        return False
    return one.type == "cpu" or (one.index or 0) == (other.index or 0)
