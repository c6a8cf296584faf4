"""What the built program's own libraries ask of the system they come to (Linux)."""

import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

# The system's part, and the packages of Debian that have it. Everything else lies beside the program.
SYSTEM = {
    "libc6": r"lib(c|m|dl|rt|pthread|resolv|util)\.so\.\d|ld-linux-.*",
    "libgl1": r"lib(GL|GLX|GLdispatch)\.so\.\d",
    "libegl1": r"libEGL\.so\.1",
    "libxcb1": r"libxcb\.so\.1",
    "libwayland-client0": r"libwayland-client\.so\.0",
    "libwayland-cursor0": r"libwayland-cursor\.so\.0",
    "libwayland-egl1": r"libwayland-egl\.so\.1",
    "libstdc++6": r"libstdc\+\+\.so\.6|libgcc_s\.so\.1",
}
_GLIBC = re.compile(rb"GLIBC_2\.(\d+)\b")


class LibraryError(Exception):
    """The program would not find a library where it comes to."""


def libraries(folder: Path) -> list[Path]:
    """Every shared library in it, and the program."""
    found = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return [path for path in found if re.search(r"\.so(\.[\w.]+)?$", path.name) or path == folder / "foreword"]


def outside(folder: Path) -> dict[str, str]:
    """Library: where the loader finds it, "" where it does not; of those that do not lie in `folder`."""
    inner = folder / "_internal"
    places = os.pathsep.join(map(str, (inner, inner / "torch" / "lib")))
    command = ["ldd", *map(str, libraries(folder))]
    said = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "LD_LIBRARY_PATH": places}
    ).stdout
    found = re.findall(r"^\s+(\S+) => (/.*?|not found)(?: \(0x\w+\))?$", said, re.MULTILINE)
    return {
        name: "" if path == "not found" else path
        for name, path in found
        if path == "not found" or not Path(path).is_relative_to(folder)
    }


def packages(names: Iterable[str]) -> list[str]:
    """Debian's packages for these libraries. Raises LibraryError for one that the system may not have."""
    needed = set()
    for name in names:
        package = next((package for package, pattern in SYSTEM.items() if re.fullmatch(pattern, name)), None)
        if package is None:
            raise LibraryError(f"{name} neither lies beside the program nor belongs to every system")
        needed.add(package)
    return sorted(needed)


def least_glibc(folder: Path) -> str:
    """The oldest C library that has every symbol in use: 2.36."""
    minors = {int(minor) for path in libraries(folder) for minor in _GLIBC.findall(path.read_bytes())}
    return f"2.{max(minors)}"
