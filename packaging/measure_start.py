#!/usr/bin/env python3
"""How long it takes from the start of the program to its visible window, on a screen of its own.

    python3 packaging/measure_start.py [--starts 5] COMMAND ...

COMMAND is the built program (/opt/foreword/foreword), or a Python with `-m app`. The home is new; the first start fills
the caches, Python's among them, and does not count. Needs Xvfb, openbox and xdotool.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import monotonic, sleep

import smoke_test

LIMIT_S, POLL_S = 180.0, 0.01
VISIBLE = ("xdotool", "search", "--onlyvisible", "--class", "foreword")


def start(command: Sequence[str], variables: dict[str, str]) -> float:
    """Seconds until the window is there; then the program is asked to end. Raises TrialError."""
    began = monotonic()
    process = subprocess.Popen(
        command, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    with smoke_test.ended(process):
        while not subprocess.run(VISIBLE, capture_output=True, env=variables, check=False).stdout.strip():
            if monotonic() - began > LIMIT_S or process.poll() is not None:
                raise smoke_test.TrialError("No window came.")
            sleep(POLL_S)
        seconds = monotonic() - began
        process.send_signal(signal.SIGTERM)
        process.wait(LIMIT_S)
        return seconds


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args(arguments)
    if not asked.command:
        parser.error("which program?")
    with tempfile.TemporaryDirectory(prefix="foreword-") as home, smoke_test.display() as screen:
        variables = {
            **os.environ,
            "FOREWORD_HOME": str(Path(home) / "家 home"),
            "DISPLAY": screen,
            "PYTHONDONTWRITEBYTECODE": "",  # where it is set every start would compile the source anew
            "PYTHONPYCACHEPREFIX": str(Path(home) / "bytecode"),
        }
        try:
            seconds = [start(asked.command, variables) for _ in range(asked.starts + 1)][1:]
        except smoke_test.TrialError as failure:
            print(failure, file=sys.stderr)
            return 1
    print(f"window after {', '.join(f'{each:.2f}' for each in seconds)} s; median {median(seconds):.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
