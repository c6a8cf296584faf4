"""The machine that was measured on, and how much else went on there meanwhile."""

import os
import platform
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import psutil

BUSY = 0.2  # of the processor in other programs' hands, above which the figures are marked


@dataclass(frozen=True)
class Machine:
    """load_average: processes that wanted to run, over the last minute, when the benchmark began."""

    system: str
    processor: str
    cores: int
    torch_threads: int
    kernel_threads: int | None  # of the native kernels; None when they are not used
    load_average: float

    @classmethod
    def here(cls, kernel_threads: int | None, load_average: float) -> "Machine":
        import torch

        return cls(
            system=f"{platform.system()} {platform.machine()}",
            processor=processor_name(),
            cores=os.cpu_count() or 1,
            torch_threads=torch.get_num_threads(),
            kernel_threads=kernel_threads,
            load_average=load_average,
        )


def load_average() -> float:
    """Over the last minute. On Windows psutil keeps count itself, from the first call on."""
    return float(psutil.getloadavg()[0])


def processor_name() -> str:
    """As the system calls it; on Linux `platform` does not know."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()


class OtherPrograms:
    """The share of the processor that other programs took since this was made."""

    def __init__(self) -> None:
        self._began = self._now()

    @property
    def share(self) -> float:
        """0 to 1; this process and the peers that it started do not count."""
        wall, busy, own = (now - then for now, then in zip(self._now(), self._began, strict=True))
        available = wall * (os.cpu_count() or 1)
        return min(max((busy - own) / available, 0.0), 1.0) if available > 0 else 0.0

    @staticmethod
    def _now() -> tuple[float, float, float]:
        """Seconds: on the wall, of all programs on all cores, of this process with the children it waited for."""
        times = psutil.cpu_times()._asdict()
        # Linux counts guests in user time already.
        idle = sum(times.get(name, 0.0) for name in ("idle", "iowait", "guest", "guest_nice"))
        own = psutil.Process().cpu_times()
        children = getattr(own, "children_user", 0.0) + getattr(own, "children_system", 0.0)
        return perf_counter(), sum(times.values()) - idle, own.user + own.system + children
