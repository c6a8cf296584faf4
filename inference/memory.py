"""Giving memory back for real, not only to Python's and torch's own allocators."""

import ctypes
import sys

import torch

from inference.garbage import collect


def release_memory() -> None:
    """Collect cycles, empty torch's caches, and hand free pages of the C heap back to the system."""
    collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc only
        if trim is not None:
            trim(0)
