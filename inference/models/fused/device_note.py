"""What the log should say about the device a model is loaded on, for whoever asks why it is slow."""

import logging
import shutil
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

log = logging.getLogger(__name__)

GIB = 1 << 30


def log_device(device: "torch.device") -> None:
    log.info("device: %s", device_note(device))
    if (reason := idle_card(device)) is not None:
        log.warning("the graphics card is not used: %s", reason)


def device_note(device: "torch.device") -> str:
    """E.g. "cuda:0, NVIDIA GeForce RTX 4090, 24.0 GiB, capability 8.9, torch 2.13.0+cu130, bitsandbytes 0.50.2"."""
    import torch

    parts = [str(device)]
    if device.type == "cuda":
        card = torch.cuda.get_device_properties(device)
        parts += [card.name, f"{card.total_memory / GIB:.1f} GiB", f"capability {card.major}.{card.minor}"]
    parts += [f"torch {torch.__version__}", f"bitsandbytes {_version('bitsandbytes')}"]
    return ", ".join(parts)


def idle_card(device: "torch.device") -> str | None:
    """Why the processor does the work though an NVIDIA driver is installed; None where nothing is wrong."""
    import torch

    if device.type != "cpu" or torch.cuda.is_available() or shutil.which("nvidia-smi") is None:
        return None
    if torch.version.cuda is None:
        return (
            f"torch {torch.__version__} is a build for processors only: install one for CUDA to use the graphics card"
        )
    return f"torch for CUDA {torch.version.cuda} cannot use the graphics card: its driver may be too old for it"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
