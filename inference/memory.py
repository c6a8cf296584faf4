"""Memory that runs out, and giving it back for real, not only to Python's and torch's own allocators."""

import ctypes
import sys

import torch

from inference.garbage import collect

OUT_OF_MEMORY = (MemoryError, RuntimeError)  # what may mean it: `out_of_memory` says whether it does
# torch has a class of its own for graphics cards only; on the processor it is a RuntimeError with these words.
SAYINGS = ("can't allocate memory", "not enough memory", "out of memory", "CUBLAS_STATUS_ALLOC_FAILED")


def out_of_memory(error: BaseException) -> bool:
    """Whether `error` means that there was no memory: Python's, numpy's and the native kernels' MemoryError, torch's
    OutOfMemoryError, and the RuntimeError of its allocator on the processor."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return isinstance(error, RuntimeError) and any(words in str(error) for words in SAYINGS)


def free_memory(device: torch.device) -> int:
    """Bytes that could still be had on `device`."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    import psutil

    return int(psutil.virtual_memory().available)


def release_memory() -> None:
    """Collect cycles, empty torch's caches, and hand free pages of the C heap back to the system."""
    collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc only
        if trim is not None:
            trim(0)
