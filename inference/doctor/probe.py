"""Asks a process of its own about a library: whatever happens to it there, a crash included, the doctor goes on."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE_S = 90.0
_ROOT = Path(__file__).resolve().parents[2]
_LOCK = threading.Lock()
_RUNNING: "set[subprocess.Popen[str]]" = set()


class ProbeError(Exception):
    """The library could not be asked. The text is the last line of what it said. late: it may only have been slow."""

    def __init__(self, text: str, late: bool = False) -> None:
        super().__init__(text)
        self.late = late


def probe(name: str, patience_s: float = PATIENCE_S, module: str = "inference.doctor") -> dict[str, Any]:
    """The answer of `probes.PROBES[name]`, as `module` knows it. Raises ProbeError."""
    start = [sys.executable, "doctor"] if getattr(sys, "frozen", False) else [sys.executable, "-P", "-m", module]
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH", ""), str(_ROOT)]))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    try:
        process = subprocess.Popen(
            [*start, "--probe", name],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env=environment,
        )
    except OSError as error:
        raise ProbeError(str(error)) from error
    with process, _running(process):
        try:
            said, complained = process.communicate(timeout=patience_s)
        except subprocess.TimeoutExpired:
            process.kill()
            raise ProbeError(f"no answer within {patience_s:.0f} s", late=True) from None
    return _answer(process.returncode, said, complained)


def give_up() -> None:
    """End every probe that runs."""
    with _LOCK:
        for process in _RUNNING:
            process.kill()


@contextmanager
def _running(process: "subprocess.Popen[str]") -> Iterator[None]:
    with _LOCK:
        _RUNNING.add(process)
    try:
        yield
    finally:
        with _LOCK:
            _RUNNING.discard(process)


def _answer(status: int, said: str, complained: str) -> dict[str, Any]:
    lines = said.strip().splitlines()
    if status < 0:
        raise ProbeError(f"the process crashed (signal {-status})")
    try:
        answer = json.loads(lines[-1]) if lines else None
    except ValueError:
        answer = None
    if status == 0 and isinstance(answer, dict):
        return answer
    words = [line for line in (complained.strip() or said.strip()).splitlines() if line.strip()]
    raise ProbeError(words[-1].strip() if words else f"it ended with status {status}")
