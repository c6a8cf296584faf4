"""Compiles the kernels into one shared library that carries every instruction set of its architecture.

    python -m inference.native.build [--target DIRECTORY]

The library's name holds a hash of the sources and flags, so a stale one is never loaded. Needs g++ or clang++ and
nothing else; a program without it (and without a shipped library) runs on torch alone.
"""

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
BUILT = HERE / "build"

COMMON = (
    *("dispatch.cpp", "pool.cpp", "steps.cpp", "trunk.cpp", "model.cpp", "head.cpp", "floats.cpp"),
    *("sampling.cpp", "interface.cpp", "kernels_scalar.cpp"),
)
# No contraction: the compiler must not fuse a multiplication with an addition where the source does not.
# The last three silence what g++ 12 wrongly says about its own AVX-512 headers.
FLAGS = (
    *("-O3", "-std=c++17", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno"),
    *("-Wall", "-Wextra", "-Werror", "-Wno-unknown-warning-option", "-Wno-uninitialized", "-Wno-maybe-uninitialized"),
)
AVX2 = ("-mavx2", "-mfma", "-mf16c")
AVX512 = (*AVX2, "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx512vnni", "-mprefer-vector-width=512")
INSTRUCTION_SETS: dict[str, dict[str, tuple[str, ...]]] = {
    "x86_64": {"kernels_avx2.cpp": AVX2, "kernels_avx512vnni.cpp": AVX512},
    "aarch64": {"kernels_neon.cpp": ("-march=armv8.2-a+dotprod+fp16",)},
}


def architecture() -> str:
    """x86_64 or aarch64, whatever the system calls it; anything else as it is."""
    machine = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)


def find_compiler() -> str | None:
    chosen = os.environ.get("CXX", "")
    return next((path for name in (chosen, "g++", "clang++") if name and (path := shutil.which(name))), None)


def sources(machine: str) -> dict[str, tuple[str, ...]]:
    """Every source file of the library for `machine`, with the flags that it alone gets."""
    return dict.fromkeys(COMMON, ()) | INSTRUCTION_SETS.get(machine, {})


def library_name(machine: str | None = None) -> str:
    """File name of the library that belongs to the present sources."""
    machine = machine or architecture()
    digest = hashlib.sha256(repr((FLAGS, sources(machine))).encode())
    for path in sorted((*HERE.glob("*.h"), *HERE.glob("*.cpp"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    suffix = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    return f"foreword-{machine}-{digest.hexdigest()[:12]}{suffix}"


def compile_objects(compiler: str, directory: Path, machine: str, extra: Sequence[str] = ()) -> list[Path]:
    """One object file per source, in `directory`. Raises RuntimeError with the compiler's words."""

    def one(item: tuple[str, tuple[str, ...]]) -> Path:
        name, flags = item
        target = directory / f"{name}.o"
        run([compiler, *FLAGS, *flags, *extra, "-c", str(HERE / name), "-o", str(target)])
        return target

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, sources(machine).items()))


def run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")


def build(directory: Path = BUILT) -> Path:
    """The library for this machine and these sources, compiled if it is not there yet.

    Raises RuntimeError when there is no compiler or it refuses. Two processes may build at once: each writes a
    folder of its own and puts the finished library in place in one step.
    """
    target = directory / library_name()
    if target.exists():
        return target
    compiler = find_compiler()
    if compiler is None:
        raise RuntimeError("no C++ compiler found (g++ or clang++)")
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory, prefix="compiling-") as temporary:
        objects = compile_objects(compiler, Path(temporary), architecture())
        linked = Path(temporary) / target.name
        static = ("-static-libstdc++", "-static-libgcc", "-Wl,--exclude-libs,ALL") if sys.platform != "darwin" else ()
        run([compiler, "-shared", "-pthread", *static, *map(str, objects), "-o", str(linked)])
        linked.replace(target)
    return target


def main() -> int:
    parser = argparse.ArgumentParser(description="Compile Foreword's CPU kernels.")
    parser.add_argument("--target", type=Path, default=BUILT, help="folder for the library")
    print(build(parser.parse_args().target))
    return 0


if __name__ == "__main__":
    sys.exit(main())
