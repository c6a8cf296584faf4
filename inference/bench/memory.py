"""The process's own memory, and its peak since a moment of one's choice."""

import sys
from pathlib import Path

import psutil


def resident() -> int:
    """Bytes of this process in physical memory."""
    return int(psutil.Process().memory_info().rss)


class Peak:
    """`Peak()` starts, `bytes` is the most since then where the system can tell (Linux), else what is resident now."""

    def __init__(self) -> None:
        self._exact = sys.platform == "linux" and _reset()

    @property
    def bytes(self) -> int:
        return (self._exact and _high_water()) or resident()


def _reset() -> bool:
    """proc(5): 5 written to clear_refs sets the high-water mark to the present resident size."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:  # some containers forbid it
        return False
    return True


def _high_water() -> int:
    """VmHWM, 0 when it is not given."""
    for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0
