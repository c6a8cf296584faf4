"""Starts Foreword again, in a process of its own: for training and whatever else must not share the window's memory.

    with child_process.start(["train-draft", "--json"]) as process:
        for line in process.stdout: ...

A built program has no Python to call: there the program itself is started again, with other arguments. `app.__main__`
reads them in both cases.
"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def frozen() -> bool:
    """Whether this is the built program, which carries its own Python and has no pip."""
    return bool(getattr(sys, "frozen", False))


def command(arguments: Sequence[str]) -> list[str]:
    """What starts Foreword with these arguments. -P: a folder called app in the working folder is not ours."""
    own = [sys.executable] if frozen() else [sys.executable, "-P", "-m", "app"]
    return [*own, *arguments]


def variables() -> dict[str, str]:
    """This process's, and where the sources are, for a checkout that is not installed. Output comes unbuffered."""
    values = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    if not frozen():
        others = [path for path in values.get("PYTHONPATH", "").split(os.pathsep) if path and path != str(ROOT)]
        values["PYTHONPATH"] = os.pathsep.join([str(ROOT), *others])
    return values


def start(arguments: Sequence[str], extra: Mapping[str, str] | None = None) -> "subprocess.Popen[str]":
    """Foreword with these arguments and, on top of ours, these variables: no window, nothing to read, output as text.

    What goes wrong is told among its output: stderr and stdout are one stream. Raises OSError.
    """
    return subprocess.Popen(
        command(arguments),
        env=variables() | dict(extra or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows would open a terminal
    )
