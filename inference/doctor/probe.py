"""Asks a process of its own about a library: whatever happens to it there, a crash included, the doctor goes on."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

PATIENCE_S = 90.0
_ROOT = Path(__file__).resolve().parents[2]


class ProbeError(Exception):
    """The library could not be asked. The text is the last line of what it said."""


def probe(name: str, patience_s: float = PATIENCE_S, module: str = "inference.doctor") -> dict[str, Any]:
    """The answer of `probes.PROBES[name]`, as `module` knows it. Raises ProbeError."""
    start = [sys.executable, "doctor"] if getattr(sys, "frozen", False) else [sys.executable, "-m", module]
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH", ""), str(_ROOT)]))
    try:
        done = subprocess.run(
            [*start, "--probe", name],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=patience_s,
            check=False,
            env={**os.environ, "PYTHONPATH": path},
        )
    except subprocess.TimeoutExpired:
        raise ProbeError(f"no answer within {patience_s:.0f} seconds") from None
    except OSError as error:
        raise ProbeError(str(error)) from error
    lines = done.stdout.strip().splitlines()
    if done.returncode < 0:
        raise ProbeError(f"the process crashed (signal {-done.returncode})")
    try:
        answer = json.loads(lines[-1]) if lines else None
    except ValueError:
        answer = None
    if done.returncode == 0 and isinstance(answer, dict):
        return answer
    said = [line for line in (done.stderr.strip() or done.stdout.strip()).splitlines() if line.strip()]
    raise ProbeError(said[-1].strip() if said else f"it ended with status {done.returncode}")
