"""How fast this machine's memory can be read, to tell what bounds a pass: the memory or the arithmetic."""

import logging
import os
import platform
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

import torch

from inference.manager.files import read_json, write_json

log = logging.getLogger(__name__)

BUFFER = 128 << 20  # bytes: far more than a processor's cache holds
STRETCHES, STRETCH_S, PAUSE_S = 5, 0.05, 0.02
KEPT = 5  # measurements of the same machine; then it is known


def measured_bandwidth(device: torch.device) -> float | None:
    """Bytes a second of reading `device`'s memory in a row; None where there is no room to measure.

    By torch's own sum with all its threads: on processors a careful kernel reads up to half as fast again. The median
    of several stretches, each told by its fastest pass: other work in between makes some of them slow.
    """
    try:
        data = torch.ones(BUFFER // 4, dtype=torch.float32, device=device)
    except (MemoryError, RuntimeError):  # torch says either
        return None
    threads = torch.get_num_threads()
    torch.set_num_threads(max(threads, os.cpu_count() or 1))
    stretches = []
    try:
        for _ in range(STRETCHES):
            sleep(PAUSE_S)
            stretches.append(_fastest(data))
    finally:
        torch.set_num_threads(threads)
    return BUFFER / median(stretches)


def _fastest(data: torch.Tensor) -> float:
    """Seconds of the fastest pass over `data` in a stretch of time."""
    fastest, began = float("inf"), perf_counter()
    while fastest == float("inf") or perf_counter() - began < STRETCH_S:
        started = perf_counter()
        data.sum().item()  # a graphics card is done only now
        fastest = min(fastest, perf_counter() - started)
    return fastest


def usual_bandwidth(note: Path) -> float | None:
    """Of the processor's memory: the median of what was measured on this machine so far, which `note` keeps, so that
    the same question has the same answer tomorrow. None where it cannot be measured."""
    machine = f"{platform.node()} {platform.machine()} {os.cpu_count()}"
    figures = _kept(note, machine)
    if len(figures) < KEPT and (measured := measured_bandwidth(torch.device("cpu"))) is not None:
        figures.append(measured)
        try:
            note.parent.mkdir(parents=True, exist_ok=True)
            write_json(note, {"machine": machine, "bytes_per_second": figures})
        except OSError as error:
            log.warning("the memory's speed is not kept: %s", error)
    return median(figures) if figures else None


def _kept(note: Path, machine: str) -> list[float]:
    try:
        found = read_json(note)
        figures = found["bytes_per_second"] if found["machine"] == machine else []
        return [float(figure) for figure in figures if float(figure) > 0]
    except (OSError, ValueError, TypeError, KeyError):
        return []
