"""Which weight format is fastest on this processor: measured on a matrix of the model's own shape, and remembered.

The fastest for one row is not the fastest for five, so a format is judged by a plain round and one that drafts four.
"""

import logging
import os
import platform
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

import torch

from inference.manager.files import read_json, write_json
from inference.models.fused.linear import linear
from inference.native.library import Library
from inference.native.weights import pack_int8
from inference.settings import Precision

log = logging.getLogger(__name__)

ROWS = (1, 5)
REPEATS = 5
MOST_OUTPUTS = 4096  # rows of the matrix that is measured: enough not to fit a cache of the first two levels

Product = Callable[[torch.Tensor], object]


def fastest_format(
    candidates: Sequence[Precision], outputs: int, inputs: int, library: Library | None, memory: Path
) -> Precision:
    """The candidate whose products over ROWS take the least time.

    library: the kernels that multiply, int8 and floats alike. memory: a JSON file of earlier answers.
    """
    outputs = min(outputs, MOST_OUTPUTS)
    kernels = f"{library.instruction_set} products" if library else "torch"
    machine = f"{platform.machine()} {torch.backends.cpu.get_cpu_capability()} x{os.cpu_count()}"
    key = f"{machine}, torch {torch.__version__}, {kernels}, {outputs} x {inputs}"
    known = _remembered(memory)
    seconds = known.get(key, {})
    if not set(candidates) <= seconds.keys():
        seconds = {name: _seconds(product(name, outputs, inputs, library), inputs) for name in candidates}
        _remember(memory, known | {key: seconds})
    best = min(candidates, key=seconds.__getitem__)
    log.info("weight format %s: %s", best, ", ".join(f"{n} {seconds[n] * 1e6:.0f} us" for n in candidates))
    return best


def product(precision: str, outputs: int, inputs: int, library: Library | None) -> Product:
    """x [rows, inputs] -> x W^T with a random W, as the decoder computes it in this format."""
    weight = torch.randn(outputs, inputs) * 0.02
    if library is not None and precision == "int8":
        matrix = pack_int8(weight)
        return lambda x: library.matmul(matrix, library.quantize(x))
    return linear([weight], [None], precision, torch.device("cpu"), library)


def _seconds(times: Product, inputs: int) -> float:
    total = 0.0
    for rows in ROWS:
        x = torch.randn(rows, inputs)
        times(x)
        best = float("inf")
        for _ in range(REPEATS):
            start = perf_counter()
            times(x)
            best = min(best, perf_counter() - start)
        total += best
    return total


def _remembered(memory: Path) -> dict[str, dict[str, float]]:
    try:
        value = read_json(memory)
    except (OSError, ValueError):
        return {}  # never measured, or damaged: measured again
    return value if isinstance(value, dict) else {}


def _remember(memory: Path, answers: dict[str, dict[str, float]]) -> None:
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        write_json(memory, answers)
    except OSError as error:
        log.info("what was measured cannot be kept: %s", error)
