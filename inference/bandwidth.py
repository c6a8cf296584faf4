"""How fast this machine's memory can be read, to tell what bounds a pass: the memory or the arithmetic."""

import os
from time import perf_counter

import torch

BUFFER = 128 << 20  # bytes: far more than a processor's cache holds
ENOUGH_S = 0.15


def measured_bandwidth(device: torch.device) -> float | None:
    """Bytes a second of reading `device`'s memory in a row; None where there is no room to measure.

    By torch's own sum with all its threads: on processors a careful kernel reads up to half as fast again.
    """
    try:
        data = torch.ones(BUFFER // 4, dtype=torch.float32, device=device)
    except (MemoryError, RuntimeError):  # torch says either
        return None
    threads = torch.get_num_threads()
    torch.set_num_threads(max(threads, os.cpu_count() or 1))
    try:
        fastest, began = float("inf"), perf_counter()
        while fastest == float("inf") or perf_counter() - began < ENOUGH_S:
            started = perf_counter()
            data.sum().item()  # a graphics card is done only now
            fastest = min(fastest, perf_counter() - started)
    finally:
        torch.set_num_threads(threads)
    return BUFFER / fastest
