"""Which build of torch a machine gets, and where it is looked for."""

from dataclasses import replace
from pathlib import Path

import preparation
import pytest
import torch_build
from console import SetupError
from environment import Environment
from torch_build import Card

from tests.packaging.fake_python import FakePython
from tests.packaging.listening import installs, prepare

ROOT = Path(__file__).parents[2]
UNREACHABLE = "WARNING: Retrying: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution"
NO_SUCH = "ERROR: No matching distribution found for torch"
CARD = Card("NVIDIA GeForce RTX 4090", (8, 9), (13, 0))
TORCH = "install --retries 2 torch"


def test_without_a_network_one_sentence_and_no_other_try(python: FakePython, place: Environment) -> None:
    python.answer(TORCH, f"{UNREACHABLE}\n{NO_SUCH}", status=1)
    with pytest.raises(SetupError) as raised:
        prepare(place)
    sentence, log = str(raised.value).splitlines()
    assert "could not be reached" in sentence and "Retrying" not in sentence
    assert str(place.log) in log
    assert len(installs(python.take_calls())) == 1


def test_the_cpu_build_is_looked_for_near_then_at_torchs_own_index(
    python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOREWORD_TORCH_INDEX", "https://mirror.example/torch/")
    python.answer(TORCH, NO_SUCH, status=1)
    said = prepare(place)
    assert installs(python.take_calls())[:2] == [
        f"torch=={torch_build.VERSION}+cpu",
        f"--index-url https://mirror.example/torch/cpu torch=={torch_build.VERSION}+cpu",
    ]
    assert "several GB" not in said


@pytest.mark.parametrize("reason", [NO_SUCH, UNREACHABLE])
def test_the_large_build_is_the_last_resort_and_announced(
    reason: str, python: FakePython, place: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOREWORD_TORCH_INDEX", "https://mirror.example/torch")
    python.answer(TORCH, NO_SUCH, status=1, times=1)
    python.answer("--index-url", reason, status=1)
    said = prepare(place)
    assert installs(python.take_calls())[2] == f"torch=={torch_build.VERSION}"
    assert "several GB" in said
    assert place.ready()


NOT_CPU = f",!={torch_build.VERSION}+cpu,!={torch_build.VERSION}+cu126"  # pip would take them for the same
NOT_CUDA = f",!={torch_build.VERSION}+cu130,!={torch_build.VERSION}+cu126"


@pytest.mark.parametrize(
    ("platform", "cards", "requirements", "index"),
    [
        ("linux", (), ["+cpu", "+cpu", ""], "/cpu"),
        ("linux", (CARD,), [NOT_CPU], ""),
        ("linux", (replace(CARD, driver_cuda=(13, 2)),), [NOT_CPU], ""),
        ("linux", (replace(CARD, driver_cuda=(12, 2)),), ["+cu126", "+cu126"], "/cu126"),
        ("linux", (replace(CARD, capability=(6, 1)),), ["+cu126", "+cu126"], "/cu126"),
        ("linux", (CARD, replace(CARD, capability=(7, 0))), ["+cu126", "+cu126"], "/cu126"),
        ("linux", (replace(CARD, driver_cuda=(11, 4)),), ["+cpu", "+cpu", ""], "/cpu"),
        ("win32", (), [NOT_CUDA], ""),
        ("win32", (CARD,), ["+cu130", "+cu130"], "/cu130"),
        ("darwin", (), [NOT_CUDA], ""),
    ],
)
def test_each_machine_gets_its_build(
    platform: str, cards: tuple[Card, ...], requirements: list[str], index: str
) -> None:
    build = torch_build.choose(cards, platform)
    assert [attempt.requirement for attempt in build.attempts] == [
        f"torch=={torch_build.VERSION}{local}" for local in requirements
    ]
    indexes = [attempt.options[1] for attempt in build.attempts if attempt.options]
    assert [address[address.rindex("/") :] for address in indexes] == ([index] if index else [])


def test_a_driver_that_is_too_old_is_said() -> None:
    assert "too old" in torch_build.choose((replace(CARD, driver_cuda=(11, 4)),), "linux").description


def test_the_pinned_torch_satisfies_the_project() -> None:
    from packaging.requirements import Requirement

    project = preparation.tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [Requirement(text) for text in project["dependencies"] if text.startswith("torch")]
    assert wanted and all(requirement.specifier.contains(torch_build.VERSION) for requirement in wanted)


def test_cards_are_read_from_the_drivers_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "nvidia-smi"
    version = "| NVIDIA-SMI 580.1   Driver Version: 580.1   CUDA Version: 13.0  |"
    cards = "NVIDIA GeForce RTX 4090, 8.9\nTesla V100-PCIE-16GB, 7.0"
    tool.write_text(f"#!/bin/sh\nif [ $# = 0 ]; then echo '{version}'; else echo '{cards}'; fi\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert torch_build.find_cards() == (CARD, Card("Tesla V100-PCIE-16GB", (7, 0), (13, 0)))
    tool.write_text(
        '#!/bin/sh\necho "NVIDIA-SMI has failed because it couldn\'t communicate with the driver."\nexit 9\n'
    )
    assert torch_build.find_cards() == ()


@pytest.mark.parametrize(
    ("cards", "kept", "replaced"),
    [((CARD,), ["", "+cu130"], ["+cpu", "+cu126"]), ((), ["+cpu"], ["", "+cu130", "+cu126"])],
)
def test_another_build_of_the_same_version_is_not_taken_for_this_one(
    cards: tuple[Card, ...], kept: list[str], replaced: list[str]
) -> None:
    from packaging.requirements import Requirement

    wanted = Requirement(torch_build.choose(cards, "linux").attempts[0].requirement).specifier
    assert all(wanted.contains(f"{torch_build.VERSION}{tag}") for tag in kept)
    assert not any(wanted.contains(f"{torch_build.VERSION}{tag}") for tag in replaced)


@pytest.mark.parametrize(
    ("version", "name"),
    [("2.13.0+cpu", "2.13.0 cpu"), ("2.13.0+cu130", "2.13.0 cu130"), ("2.13.0", "2.13.0 cpu")],
)
def test_the_name_of_a_build(version: str, name: str) -> None:
    assert torch_build.name_of(version) == name
