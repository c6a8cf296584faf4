"""Builds the stand-alone tester of tests/native together with the kernels, for this machine or another."""

import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from inference.native import build

SOURCES = Path(__file__).parents[2] / "native"


def build_tester(directory: Path, compiler: str, machine: str, flags: Sequence[str] = ()) -> Path:
    """The tester with kernels of its own, compiled with `flags` for `machine`."""
    directory.mkdir(parents=True, exist_ok=True)
    return _link(compiler, build.compile_objects(compiler, directory, machine, flags), directory, flags)


def build_tester_of(library: Path, directory: Path, compiler: str) -> Path:
    """The tester of a finished library."""
    return _link(compiler, [library], directory, (f"-Wl,-rpath,{library.parent}",))


def _link(compiler: str, kernels: Sequence[Path], directory: Path, flags: Sequence[str]) -> Path:
    def compile_one(source: Path) -> Path:
        target = directory / f"{source.name}.o"
        options = ("-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", *flags, f"-I{build.HERE}")
        build.run([compiler, *options, "-c", str(source), "-o", str(target)])
        return target

    with ThreadPoolExecutor() as pool:
        objects = [*pool.map(compile_one, sorted(SOURCES.glob("*.cpp"))), *kernels]
    target = directory / "tester"
    build.run([compiler, *flags, "-pthread", *map(str, objects), "-o", str(target)])
    return target


def run_emulated(emulator: str, tester: Path, rounds: int) -> tuple[str, str]:
    """As `run_tester`. On a busy machine qemu now and then (2 of 30 runs) leaves all threads asleep for minutes, which
    150 runs on the processor itself, as busy, never did: such a run is begun again, twice at most."""
    for seconds in (150, 150):
        with suppress(subprocess.TimeoutExpired):
            return run_tester([emulator, str(tester)], rounds, seconds=seconds)
    return run_tester([emulator, str(tester)], rounds)


def run_tester(command: Sequence[str], rounds: int, seed: int = 1, seconds: float = 500) -> tuple[str, str]:
    """First and last line: the instruction sets, and the digest after "digest". Fails with everything it said."""
    arguments = [*command, str(rounds), str(seed)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=seconds)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-5000:]}"
    lines = done.stdout.splitlines()
    assert " 0 failures" in lines[-1]
    return lines[0], lines[-1].split("digest ")[1]
