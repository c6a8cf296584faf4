"""Another build of torch, for the graphics card or for the processor. The launcher installs it, once the window is
closed; a built program has none, and without a card there is nothing to choose."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from inference import child_process
from inference.doctor.finding import Finding

Build = Literal["cpu", "cuda"]
MADE = "foreword.json"  # what the launcher leaves in an environment of its own
FREED = "_FOREWORD_FREED"  # the variable in which it says how many bytes only the other build needed


def other_build(findings: Sequence[Finding]) -> Build | None:
    """That can be had instead of the one that was found."""
    facts = {finding.name: dict(finding.facts) for finding in findings}
    if launcher() is None or not facts.get("cards"):
        return None
    build = facts.get("torch", {}).get("build", "")
    if build == "CPU":
        return "cuda"
    return "cpu" if build.startswith("CUDA") else None


def launcher() -> Path | None:
    path = child_process.ROOT / "packaging" / "launch.py"
    return path if not child_process.frozen() and path.is_file() and Path(sys.prefix, MADE).is_file() else None


def command(build: Build) -> list[str]:
    """Shows how far it is in a window of its own, and starts Foreword afterwards."""
    python = getattr(sys, "_base_executable", "") or sys.executable  # not the environment's, which is changed
    return [python, str(launcher()), "--icon", "setup", f"--{build}"]


def freed() -> int:
    """Bytes of disk, by the switch that Foreword was just started after; once."""
    told = os.environ.pop(FREED, "")
    return int(told) if told.isdecimal() else 0
