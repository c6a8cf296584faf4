"""How busy a graphics card is while passes run, by what its driver says: a card that waits is bound by neither its
memory nor its arithmetic."""

import subprocess
from collections.abc import Callable
from time import perf_counter

import torch

from inference.plan.machine import driver_tool

PERIOD_S = 1.0  # the longest over which a driver averages
LONGEST_S = 5.0  # the driver's tool has to answer by then


def utilization(device: torch.device, work: Callable[[], object]) -> float | None:
    """The share of the time in which the card computed while `work` was done again and again, from 0 to 1.

    None without a card, or where nobody can say it. Takes one to two seconds.
    """
    if device.type != "cuda":
        return None
    index = torch.cuda.current_device() if device.index is None else device.index
    return asked_while(f"GPU-{torch.cuda.get_device_properties(index).uuid}", work)


def asked_while(card: str, work: Callable[[], object]) -> float | None:
    """card: the driver's name for it."""
    tool = driver_tool()
    if tool is None:
        return None
    began = perf_counter()
    while perf_counter() - began < PERIOD_S:
        work()
    query = [tool, f"--id={card}", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"]
    try:
        asked = subprocess.Popen(query, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return None
    with asked:
        while asked.poll() is None and perf_counter() - began < PERIOD_S + LONGEST_S:
            work()
        asked.kill()  # where it still has not answered
        said = asked.communicate()[0].strip()
    return min(int(said), 100) / 100 if said.isdigit() else None  # some cards say "[N/A]"
