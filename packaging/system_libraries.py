"""The libraries of the system that Qt's own packages do not bring, on Linux, and the line that installs them."""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from words import tr


@dataclass(frozen=True)
class Manager:
    """A package manager of a distribution."""

    program: str
    install: str
    chinese_font: str


MANAGERS = (
    Manager("apt-get", "apt-get install", "fonts-noto-cjk"),
    Manager("dnf", "dnf install", "google-noto-sans-cjk-fonts"),
    Manager("pacman", "pacman -S", "noto-fonts-cjk"),
)
# library: (package for apt, dnf, pacman). What each of Qt's own libraries and plugins is linked to.
Libraries = dict[str, tuple[str, str, str]]
DRAWING: Libraries = {
    "libGL.so.1": ("libgl1", "libglvnd-glx", "libglvnd"),
    "libEGL.so.1": ("libegl1", "libglvnd-egl", "libglvnd"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    "libX11.so.6": ("libx11-6", "libX11", "libx11"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig", "fontconfig"),
    "libfreetype.so.6": ("libfreetype6", "freetype", "freetype2"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs", "dbus"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2", "glib2"),
    "libgthread-2.0.so.0": ("libglib2.0-0", "glib2", "glib2"),
    "libzstd.so.1": ("libzstd1", "libzstd", "zstd"),
    "libz.so.1": ("zlib1g", "zlib", "zlib"),
}
X11: Libraries = {
    "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb", "libx11"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    "libxcb-util.so.1": ("libxcb-util1", "xcb-util", "xcb-util"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil", "xcb-util-renderutil"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb", "libxcb"),
    "libxcb-render.so.0": ("libxcb-render0", "libxcb", "libxcb"),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb", "libxcb"),
    "libxcb-shm.so.0": ("libxcb-shm0", "libxcb", "libxcb"),
    "libxcb-sync.so.1": ("libxcb-sync1", "libxcb", "libxcb"),
    "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb", "libxcb"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb", "libxcb"),
}
WAYLAND: Libraries = {
    "libwayland-client.so.0": ("libwayland-client0", "libwayland-client", "wayland"),
    "libwayland-cursor.so.0": ("libwayland-cursor0", "libwayland-cursor", "wayland"),
}


def screen() -> str:
    """ "wayland", "x11", or "" where a window could not be shown. On other systems there is always one: "own"."""
    if sys.platform != "linux":
        return "own"
    if os.environ.get("WAYLAND_DISPLAY"):
        return "wayland"
    return "x11" if os.environ.get("DISPLAY") else ""


def wanted(screen: str) -> Libraries:
    """What a kind of screen needs; without one, drawing is all."""
    if screen == "own":
        return {}
    return DRAWING | {"": {}, "x11": X11, "wayland": WAYLAND}[screen]


def missing(libraries: Iterable[str], load: Callable[[str], object] = ctypes.CDLL) -> list[str]:
    """Those that the system's loader does not find."""
    absent = []
    for name in libraries:
        try:
            load(name)
        except OSError:
            absent.append(name)
    return absent


def remedy(absent: Iterable[str], libraries: Libraries, which: Callable[[str], object] = shutil.which) -> str:
    """The one line that brings them, for the distribution's package manager; "" when it is none that is known."""
    for column, manager in enumerate(MANAGERS):
        if which(manager.program):
            packages = sorted({libraries[name][column] for name in absent})
            return f"{_root()}{manager.install} {' '.join(packages)}"
    return ""


def chinese_font_hint() -> str:
    """What to install so that Chinese is shown; "" where a font for it is there."""
    if sys.platform != "linux":
        return ""
    try:
        fonts = subprocess.run(
            ["fc-list", ":lang=zh", "family"], capture_output=True, text=True, timeout=20, check=True
        )
        if fonts.stdout.strip():
            return ""
    except (OSError, subprocess.SubprocessError):  # a system without the tool has hardly any fonts
        pass
    for manager in MANAGERS:
        if shutil.which(manager.program):
            command = f"{_root()}{manager.install} {manager.chinese_font}"
            return tr("To see Chinese text: {command}").format(command=command)
    return tr("To see Chinese text, install a font that has it, such as Noto Sans CJK.")


def _root() -> str:
    return "" if os.geteuid() == 0 else "sudo "
