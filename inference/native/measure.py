"""How fast the kernels are here: microseconds by rows for two matrices, beside torch's own int4 kernel.

    python -m inference.native.measure [--threads N] [--repeats N]

The smallest of many repeats: other programs can only add. GB/s counts the weights.
"""

import argparse
import sys
import time
from collections.abc import Callable

import torch

from inference.native.library import Library, load
from inference.native.weights import Format, PackedMatrix, aligned_bytes

MATRICES = ((8960, 1536), (3072, 576))
ROWS = (1, 2, 4, 6, 8, 16, 64, 256)


def fastest(work: Callable[[], object], repeats: int) -> float:
    """Seconds of the fastest of `repeats`."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def random_copies(kind: Format, outputs: int, inputs: int) -> list[PackedMatrix]:
    """Enough copies that they do not stay in the processor's cache between two products."""
    nbytes = kind.nbytes(outputs, inputs)
    copies = []
    for _ in range(max(2, (96 << 20) // nbytes)):
        data = torch.from_numpy(aligned_bytes(nbytes)).random_(1, 60)  # as halves: small and finite
        copies.append(PackedMatrix(data, outputs, inputs, kind))
    return copies


def torch_int4(rows: int, outputs: int, inputs: int, repeats: int) -> float:
    q = torch.randint(0, 16, (outputs, inputs), dtype=torch.int32)
    packed = torch.ops.aten._convert_weight_to_int4pack_for_cpu(q, 2)
    scales = torch.ones(inputs // 32, outputs, 2, dtype=torch.bfloat16)
    x = torch.randn(rows, inputs, dtype=torch.bfloat16)
    return fastest(lambda: torch.ops.aten._weight_int4pack_mm_for_cpu(x, packed, 32, scales), repeats)


def measure(library: Library, repeats: int) -> None:
    print(f"{library.instruction_set}, {library.threads} threads; microseconds (GB/s) by rows")
    print(" " * 22 + "".join(f"{rows:>14}" for rows in ROWS))
    for outputs, inputs in MATRICES:
        for kind in Format:
            if not kind.takes(inputs):
                continue
            matrices = random_copies(kind, outputs, inputs)
            line = f"{outputs} x {inputs} {kind.name.lower()}".ljust(22)
            for rows in ROWS:
                groups = library.quantize(torch.randn(rows, inputs))
                out = torch.empty(rows, outputs)
                seconds = min(
                    fastest(lambda m=matrix, g=groups, o=out: library.matmul(m, g, o), 1)  # type: ignore[misc]
                    for matrix in matrices * max(1, repeats // len(matrices))
                )
                line += f"{seconds * 1e6:>8.0f} ({matrices[0].nbytes / seconds / 1e9:>3.0f})"
            print(line)
        line = f"{outputs} x {inputs} torch".ljust(22)
        print(
            line + "".join(f"{torch_int4(rows, outputs, inputs, repeats // 4) * 1e6:>8.0f}      " for rows in ROWS[:6])
        )


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure Foreword's CPU kernels.")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--repeats", type=int, default=60)
    arguments = parser.parse_args()
    library = load()
    if library is None:
        print("no native kernels on this machine")
        return 1
    library.threads = arguments.threads or library.threads
    torch.set_num_threads(library.threads)
    measure(library, arguments.repeats)
    return 0


if __name__ == "__main__":
    sys.exit(main())
