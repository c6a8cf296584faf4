"""Which build of torch this machine needs, and where to ask for it, in order.

For Linux the general package index has only the CUDA build (several GB); the CPU build is on torch's own index, unless
pip is told of a closer place. For Windows it is the other way round. For macOS there is one build.
docs/decisions/001-environment.md has the reasons.
"""

import os
import re
import runpy
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from words import tr

VERSION = "2.13.0"
DEFAULT_CUDA, LEGACY_CUDA = (
    (13, 0),
    (12, 6),
)  # what this version of torch is built for; the first is the general index's
LEAST_DRIVER = (12, 0)  # of the legacy build: within one major version an older driver will do
LEAST_CAPABILITY = (7, 5)  # CUDA 13 has left the cards before Turing
MEGABYTE, GIGABYTE = 10**6, 10**9
ADDRESSES = Path(__file__).resolve().parent.parent / "inference" / "manager" / "addresses.py"
ELSEWHERE = (
    "/usr/bin/nvidia-smi",
    "/usr/lib/wsl/lib/nvidia-smi",
    "C:/Windows/System32/nvidia-smi.exe",
)


@dataclass(frozen=True)
class Card:
    """What the driver says."""

    name: str
    capability: tuple[int, int]
    driver_cuda: tuple[int, int]  # the newest CUDA that the driver runs


@dataclass(frozen=True)
class Attempt:
    requirement: str
    options: tuple[str, ...] = ()
    warning: str = ""


@dataclass(frozen=True)
class TorchBuild:
    name: str  # as it is kept in the state
    description: str
    fetches_bytes: int  # of the network, with all the packages beside it
    needs_bytes: int  # disk for the whole environment
    attempts: tuple[Attempt, ...]


def amount(size: int) -> str:
    """380 MB, 3.2 GB."""
    return f"{size / GIGABYTE:.1f} GB" if size >= GIGABYTE else f"{size / MEGABYTE:.0f} MB"


def choose(cards: tuple[Card, ...], platform: str = sys.platform) -> TorchBuild:
    """The build for this system and these cards."""
    kind = _kind(cards) if platform != "darwin" else "cpu"
    plain = Attempt(_but_no_other(kind))
    tagged = f"torch=={VERSION}+{kind}"
    elsewhere = Attempt(tagged, ("--index-url", f"{_index()}/{kind}"))
    if platform == "darwin" or (platform == "win32" and kind == "cpu"):
        attempts: tuple[Attempt, ...] = (plain,)
    elif kind == "cpu":
        warning = tr("No CPU build was found: taking the CUDA build, which is several GB. Ctrl+C stops it.")
        attempts = (Attempt(tagged), elsewhere, Attempt(f"torch=={VERSION}", warning=warning))
    elif kind == _tag(DEFAULT_CUDA) and platform != "win32":
        attempts = (plain,)
    else:
        attempts = (Attempt(tagged), elsewhere)
    if kind != "cpu":
        description = tr("CUDA build for the {card}, about 3 GB").format(card=cards[0].name)
        return TorchBuild(f"{VERSION} {kind}", description, 3_200 * MEGABYTE, 10 * GIGABYTE, attempts)
    description = tr("CPU build, about 200 MB")
    if cards and platform != "darwin":
        text = tr("; the driver of the {card} is too old, please bring it up to date")
        description += text.format(card=cards[0].name)
    return TorchBuild(f"{VERSION} cpu", description, 380 * MEGABYTE, 3 * GIGABYTE, attempts)


def name_of(version: str) -> str:
    """Of the build that calls itself so (2.13.0+cu130), as it is kept in the state."""
    number, _, kind = version.partition("+")
    return f"{number} {kind or 'cpu'}"


def find_cards() -> tuple[Card, ...]:
    """The NVIDIA cards that the driver can use; none without a driver."""
    tool = find_nvidia_smi()
    if tool is None:
        return ()
    query = _ask(tool, "--query-gpu=name,compute_cap", "--format=csv,noheader")
    driver = re.search(r"CUDA Version:\s*(\d+)\.(\d+)", _ask(tool))
    newest = (int(driver[1]), int(driver[2])) if driver else DEFAULT_CUDA
    found = re.findall(r"^(.+?),\s*(\d+)\.(\d+)\s*$", query, re.MULTILINE)
    return tuple(Card(name, (int(major), int(minor)), newest) for name, major, minor in found)


def find_nvidia_smi() -> str | None:
    """Only looks whether the tool is there. A start from the desktop may have a shorter PATH than a terminal's."""
    return shutil.which("nvidia-smi") or next((path for path in ELSEWHERE if os.access(path, os.X_OK)), None)


def _kind(cards: tuple[Card, ...]) -> str:
    if not cards or min(card.driver_cuda for card in cards) < LEAST_DRIVER:
        return "cpu"
    old = any(card.capability < LEAST_CAPABILITY or card.driver_cuda < DEFAULT_CUDA for card in cards)
    return _tag(LEGACY_CUDA if old else DEFAULT_CUDA)


def _but_no_other(kind: str) -> str:
    """What the general index calls torch, whatever it is built for; pip takes any other build for the same, be it here
    already or in a closer place."""
    others = [tag for tag in ("cpu", *map(_tag, (DEFAULT_CUDA, LEGACY_CUDA))) if tag != kind]
    return ",".join([f"torch=={VERSION}", *(f"!={VERSION}+{tag}" for tag in others)])


def _tag(cuda: tuple[int, int]) -> str:
    return "cu{}{}".format(*cuda)


def _index() -> str:
    """From the one file that names hosts, read without importing the package around it."""
    address: str = runpy.run_path(str(ADDRESSES))["torch_index"]()
    return address


def _ask(tool: str, *options: str) -> str:
    try:
        return subprocess.run([tool, *options], capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):  # a tool without a working driver
        return ""
