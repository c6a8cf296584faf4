"""A wheel carries the kernels where there is a compiler, and is for every platform where there is none."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPILER = """#!{python}
import pathlib, sys
pathlib.Path(sys.argv[sys.argv.index("-o") + 1]).write_text("compiled")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """As much of this project as a wheel of its kernels needs."""
    folder = tmp_path / "项目 project"
    for name in ("pyproject.toml", "README.md", "inference/__init__.py", "app/__init__.py", "assets/__init__.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    shutil.copytree(ROOT / "inference" / "native", folder / "inference" / "native", ignore=_built)
    return folder


def _built(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name in ("build", "__pycache__")]


def wheel(project: Path, compiler: str) -> Path:
    code = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    target = project.parent / "wheels"
    shutil.rmtree(target, ignore_errors=True)
    environment = os.environ | {"CXX": compiler, "PATH": str(project)}
    command = [sys.executable, "-c", code, str(target)]
    subprocess.run(command, cwd=project, env=environment, check=True, capture_output=True, timeout=120)
    (made,) = target.glob("*.whl")
    return made


def libraries(path: Path) -> list[str]:
    return [name for name in zipfile.ZipFile(path).namelist() if re.search(r"foreword-[^/]*\.(so|dll|dylib)$", name)]


def test_with_a_compiler_it_is_for_this_platform(project: Path, tmp_path: Path) -> None:
    compiler = tmp_path / "c++"
    compiler.write_text(COMPILER.format(python=sys.executable), encoding="utf-8")
    compiler.chmod(0o755)
    first = wheel(project, str(compiler))
    assert "-py3-none-" in first.name and not first.name.endswith("-any.whl")
    (library,) = libraries(first)
    assert library.startswith("inference/native/foreword-") and zipfile.ZipFile(first).read(library) == b"compiled"

    with (project / "inference" / "native" / "pool.cpp").open("a", encoding="utf-8") as source:
        source.write("// changed\n")
    (changed,) = libraries(wheel(project, str(compiler)))
    assert changed != library  # and the stale one is not there any more


def test_without_a_compiler_it_is_for_every_platform(project: Path) -> None:
    path = wheel(project, "")
    assert path.name.endswith("-py3-none-any.whl")
    assert not libraries(path) and "inference/native/pool.cpp" in zipfile.ZipFile(path).namelist()
