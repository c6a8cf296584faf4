"""What memory there is: RAM, and that of graphics cards."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

NVIDIA_SMI_S = 10
# A start from the desktop may have a shorter PATH than a terminal's.
ELSEWHERE = ("/usr/bin/nvidia-smi", "/usr/lib/wsl/lib/nvidia-smi", "C:/Windows/System32/nvidia-smi.exe")


@dataclass(frozen=True)
class Card:
    """Bytes. free: what neither other programs nor the desktop use; what this process holds counts as free."""

    name: str
    total: int
    free: int


@dataclass(frozen=True)
class Machine:
    """Bytes. ram_free: what the system could give to this process, what it holds already included.

    native: whether the native kernels run here.
    """

    ram_total: int
    ram_free: int
    cards: tuple[Card, ...] = ()
    native: bool = True

    @classmethod
    def here(cls) -> "Machine":
        """May take some seconds: asks the driver, and loads the kernels. Not for a window's thread."""
        import psutil

        from inference.native.library import load

        memory = psutil.virtual_memory()
        own = psutil.Process().memory_info().rss
        free = min(memory.total, memory.available + own)
        return cls(memory.total, free, find_cards(), load() is not None)


def find_cards() -> tuple[Card, ...]:
    """The CUDA cards that torch can use; without torch, those that the driver names."""
    torch = sys.modules.get("torch")
    if torch is not None and not getattr(torch.__spec__, "_initializing", False):  # else another thread imports it now
        if not torch.cuda.is_available():
            return ()
        found = []
        for index in range(torch.cuda.device_count()):
            free, total = torch.cuda.mem_get_info(index)
            name = torch.cuda.get_device_name(index)
            found.append(Card(name, total, free + torch.cuda.memory_reserved(index)))
        return tuple(found)
    return driver_cards()


def driver_cards() -> tuple[Card, ...]:
    """What the driver's own tool says, torch or no torch; none without a driver that works."""
    cards = []
    for line in _ask_driver("name,memory.total,memory.free"):
        name, *figures = line.rsplit(", ", 2)
        if len(figures) == 2 and all(figure.strip().isdigit() for figure in figures):
            cards.append(Card(name, int(figures[0]) << 20, int(figures[1]) << 20))
    return tuple(cards)


def driver_version() -> str:
    """ "" without a driver."""
    return next(iter(_ask_driver("driver_version")), "").strip()


def driver_tool() -> str | None:
    """The driver's own tool; None without a driver."""
    return shutil.which("nvidia-smi") or next((path for path in ELSEWHERE if os.access(path, os.X_OK)), None)


def _ask_driver(fields: str) -> list[str]:
    tool = driver_tool()
    if tool is None:
        return []
    query = [tool, f"--query-gpu={fields}", "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(query, capture_output=True, text=True, timeout=NVIDIA_SMI_S, check=True)
    except (OSError, subprocess.SubprocessError):  # a tool without a working driver
        return []
    return done.stdout.splitlines()
