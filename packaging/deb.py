"""Packs the built program into a .deb: one file that a double click installs, with menu entry, icons and file type.

docs/decisions has the reasons. The program lies in /opt/foreword, as the File Hierarchy Standard has it for what comes
with its own libraries; `foreword` on the PATH is a link to it.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import shared_libraries

LINUX = Path(__file__).resolve().parent / "linux"
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
CONTROL = """\
Package: foreword
Version: {version}
Architecture: {architecture}
Maintainer: The authors of Foreword
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: fonts-noto-cjk
Section: utils
Priority: optional
Description: desktop chat for language models on your own machine
 A small draft writes a few tokens ahead, the model you chat with checks them
 all in one pass, and its own words reach you sooner. Gauges beside the chat
 show how fast it is, and why. Nothing you write leaves the machine.
"""


def complete(program: Path) -> None:
    """Add to the program's folder what a person without a package manager needs: menu entry, file type."""
    share = program / "share"
    share.mkdir(exist_ok=True)
    for name in ("foreword.desktop", "foreword.xml"):
        shutil.copy2(LINUX / name, share / name)
    shutil.copy2(LINUX / "add-to-menu", program / "add-to-menu")


def lay_out(program: Path, root: Path, version: str, architecture: str) -> None:
    """The package's tree under `root`, from a completed program."""
    _link_or_copy(program, root / "opt" / "foreword")
    places = {
        "foreword.desktop": root / "usr/share/applications/foreword.desktop",
        "foreword.xml": root / "usr/share/mime/packages/foreword.xml",
    }
    for name, target in places.items():
        _put(LINUX / name, target)
    icons = program / "_internal/assets/icons"
    for size in SIZES:
        _put(icons / f"foreword-{size}.png", root / f"usr/share/icons/hicolor/{size}x{size}/apps/foreword.png")
    _put(icons / "foreword.svg", root / "usr/share/icons/hicolor/scalable/apps/foreword.svg")
    _put(program / "_internal/assets/licences/Apache-2.0.txt", root / "usr/share/doc/foreword/copyright")
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/foreword").symlink_to("/opt/foreword/foreword")
    control = root / "DEBIAN" / "control"
    control.parent.mkdir(mode=0o755)
    control.write_text(
        CONTROL.format(
            version=version,
            architecture=architecture,
            kilobytes=size_of(program) // 1024,
            depends=", ".join(depends(program)),
        ),
        encoding="utf-8",
    )


def depends(program: Path) -> list[str]:
    """What the package asks of the system. Raises LibraryError when a library is nowhere to be had."""
    found = shared_libraries.packages(shared_libraries.outside(program))
    return [f"libc6 (>= {shared_libraries.least_glibc(program)})", *(name for name in found if name != "libc6")]


def pack(program: Path, folder: Path, version: str, run: Callable[[list[str]], object]) -> Path:
    """The finished package in `folder`. `run` carries out one command."""
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    ).stdout.strip()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"foreword_{version}_{architecture}.deb"
    with tempfile.TemporaryDirectory(dir=folder, prefix=".deb-") as temporary:
        root = Path(temporary) / "root"
        root.mkdir(mode=0o755)
        lay_out(program, root, version, architecture)
        made = Path(temporary) / target.name
        run(["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", str(root), str(made)])
        made.replace(target)
    return target


def size_of(folder: Path) -> int:
    """Bytes of all files in it."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())


def _put(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _link_or_copy(source: Path, target: Path) -> None:
    """Second names for the same files where the disk can: the program is large."""

    def link(source: str, target: str) -> None:
        try:
            os.link(source, target, follow_symlinks=False)
        except OSError:
            shutil.copy2(source, target, follow_symlinks=False)

    shutil.copytree(source, target, symlinks=True, copy_function=link)
