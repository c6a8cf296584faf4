"""The kernels fuzzed against plain arithmetic by the C++ tester: as shipped, sanitized, and on another processor."""

import shutil
from pathlib import Path

import pytest

from inference.native import build
from tests.inference.native.tester import build_tester, build_tester_of, run_emulated, run_tester

pytestmark = pytest.mark.timeout(900)  # compiled three times over, beside the other tests
ROUNDS = 8
compiler = build.find_compiler()


@pytest.fixture(scope="module")
def native_digest(tmp_path_factory: pytest.TempPathFactory) -> str:
    assert compiler is not None, "the tests of the kernels need g++ or clang++"
    tester = build_tester_of(build.build(), tmp_path_factory.mktemp("plain"), compiler)
    instruction_sets, digest = run_tester([str(tester)], ROUNDS)
    assert "scalar" in instruction_sets
    return digest


def test_kernels_agree_with_plain_arithmetic_and_with_each_other(native_digest: str) -> None:
    assert len(native_digest) == 16


@pytest.mark.parametrize("sanitizer", ["address,undefined", "thread"])
def test_kernels_under_sanitizers(sanitizer: str, tmp_path: Path, native_digest: str) -> None:
    assert compiler is not None
    flags = ("-g1", "-O1", f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all")
    tester = build_tester(tmp_path, compiler, build.architecture(), flags)
    _, digest = run_tester([str(tester)], ROUNDS)
    assert digest == native_digest


def test_neon_kernels_give_the_same_bits(tmp_path: Path, native_digest: str) -> None:
    """Cross-compiled and emulated, where the tools for it are there; on an ARM machine the tests above are this one."""
    cross, emulator = shutil.which("aarch64-linux-gnu-g++"), shutil.which("qemu-aarch64")
    if cross is None or emulator is None:
        return
    tester = build_tester(tmp_path, cross, "aarch64", ("-static", "-O1"))
    instruction_sets, digest = run_emulated(emulator, tester, ROUNDS)
    assert instruction_sets.split() == ["neon", "scalar"]
    assert digest == native_digest
