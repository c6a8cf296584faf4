"""After a switch of torch what only the build before needed goes: with tiny wheels, a real environment, a real pip."""

import os
import subprocess
import zipfile
from collections.abc import Iterable
from pathlib import Path

import launch
import preparation
import pytest
import torch_build
from console import TorchStaysError
from environment import Environment
from torch_build import Card

from tests.packaging.listening import prepare

CARD = Card("NVIDIA GeForce RTX 4090", (8, 9), (13, 0))
LARGE = 3_000_000
# The real one warns too, and whatever comes last was taken for its version.
TORCH = """
import atexit, sys
__version__ = "{version}"
atexit.register(lambda: print("UserWarning: the driver is old", file=sys.stderr))
"""
WARES: dict[tuple[str, str], list[str]] = {  # what each requires
    ("torch", f"{torch_build.VERSION}+cu130"): [
        *("filelock", "Cuda_Toolkit[cublas]==13.0.3", "nvidia-cudnn-cu13>=9; python_version>'3'"),
        *("triton (>=3)", "nvidia-shared", "asked"),
    ],
    ("torch", f"{torch_build.VERSION}+cpu"): ["filelock"],
    ("filelock", "3"): [],
    ("cuda_toolkit", "13.0.3"): ['nvidia-cublas; extra == "cublas"'],
    ("nvidia_cublas", "13"): [],
    ("nvidia_cudnn_cu13", "9.20"): ["nvidia-cublas"],
    ("triton", "3.7"): [],
    ("nvidia_shared", "1"): [],
    ("asked", "1"): [],
    ("qasync", "1"): ["nvidia.shared"],
}
LEFT = {"cuda_toolkit", "nvidia_cublas", "nvidia_cudnn_cu13", "triton"}


@pytest.fixture
def real_place(tmp_path: Path, checkout: Path, wheels: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """Whose pip finds the tiny wheels and nothing else."""
    for name, value in {"NO_INDEX": "1", "FIND_LINKS": str(wheels), "CONFIG_FILE": os.devnull}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    monkeypatch.setenv(preparation.FREED, "")
    monkeypatch.setattr(torch_build, "find_cards", lambda: (CARD,))
    monkeypatch.setattr(Environment, "editable", False)
    usage = preparation.shutil.disk_usage(tmp_path)
    monkeypatch.setattr(preparation.shutil, "disk_usage", lambda folder: usage._replace(free=20 * 10**9))
    return Environment(tmp_path / "环境 environment", checkout, accelerated=True)


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    for (name, version), requires in WARES.items():
        module = TORCH.format(version=version) if name == "torch" else ""
        write_wheel(folder, name, version, requires, {f"{name}/__init__.py": module.encode()})
    return folder


def write_wheel(folder: Path, name: str, version: str, requires: Iterable[str], files: dict[str, bytes]) -> None:
    info = f"{name}-{version}.dist-info"
    extra = ["Provides-Extra: cublas"] if name == "cuda_toolkit" else []
    metadata = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *extra]
    metadata += [f"Requires-Dist: {one}" for one in requires]
    contents = files | {
        f"{name}/data.bin": bytes(LARGE if name == "nvidia_cublas" else 10),
        f"{info}/METADATA": "\n".join(metadata).encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in [*contents, f"{info}/RECORD"])
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, content in contents.items():
            wheel.writestr(path, content)
        wheel.writestr(f"{info}/RECORD", record)


def installed(place: Environment) -> set[str]:
    (packages,) = place.folder.glob("lib/python*/site-packages")
    return {path.name.partition("-")[0] for path in packages.glob("*.dist-info")} - {"pip", "setuptools"}


def test_what_only_the_torch_before_needed_goes(
    real_place: Environment, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = real_place
    prepare(place)
    everything, state = {name for name, _ in WARES}, place.state
    assert installed(place) == everything and state.torch.endswith("cu130")
    subprocess.run([place.python, "-m", "pip", "install", "--quiet", "--force-reinstall", "asked"], check=True)

    wheel = wheels / f"torch-{torch_build.VERSION}+cpu-py3-none-any.whl"
    away = wheel.rename(wheel.with_suffix(".away"))
    launch.choose_torch(place, ["--cpu"])
    with pytest.raises(TorchStaysError, match="as it is here, for the graphics card"):
        prepare(place)
    assert installed(place) == everything and place.state == state, "where the switch fails all stays"
    away.rename(wheel)

    def kill(self: object) -> None:
        raise KeyboardInterrupt

    launch.choose_torch(place, ["--cpu"])
    with monkeypatch.context() as patch:
        patch.setattr(preparation._Preparation, "_remove_leftovers", kill)
        with pytest.raises(KeyboardInterrupt):
            prepare(place)
    assert place.state.torch.endswith("cpu") and installed(place) == everything and not place.ready()
    assert "3 MB of disk are free again" in prepare(place), "also at the start after a kill"
    assert installed(place) == everything - LEFT and place.ready() and not place.state.brought
    assert int(os.environ[preparation.FREED]) >= LARGE
    assert prepare(place) == ""
