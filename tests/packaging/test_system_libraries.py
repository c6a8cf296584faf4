"""What Qt needs from the system, held against the files of Qt that are installed."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import program
import PySide6
import pytest
import system_libraries
from console import SetupError
from environment import Environment, State
from system_libraries import DRAWING, WAYLAND, X11, Libraries

QT = Path(PySide6.__file__).parent / "Qt"
USED = {
    "": ("lib/libQt6Core.so.6", "lib/libQt6Gui.so.6", "lib/libQt6Widgets.so.6", "lib/libQt6DBus.so.6",
         "lib/libQt6Svg.so.6", "plugins/platforms/libqoffscreen.so"),
    "x11": ("lib/libQt6XcbQpa.so.6", "plugins/platforms/libqxcb.so"),
    "wayland": ("lib/libQt6WaylandClient.so.6", "plugins/platforms/libqwayland.so"),
}  # fmt: skip
EVERYWHERE = re.compile(r"lib(c|m|dl|pthread|rt|stdc\+\+|gcc_s)\.so|lib(Qt6|icu)")
COME_WITH_OTHERS = {"libxcb.so.1"}  # every package of X11 needs it


def needed(path: Path) -> set[str]:
    """The names of libraries in an ELF file's table of strings."""
    names = re.findall(rb"(?<=\0)(lib[\w.+-]+\.so\.\d+)(?=\0)", path.read_bytes())
    return {name for found in names if not EVERYWHERE.match(name := found.decode())}


@pytest.mark.parametrize("screen", ["", "x11", "wayland"])
def test_everything_that_qt_links_to_is_looked_for(screen: str) -> None:
    if sys.platform != "linux":  # Qt's packages bring everything
        assert system_libraries.wanted(system_libraries.screen()) == {}
        return
    linked = set().union(*(needed(QT / name) for name in USED[screen]))
    assert linked
    assert not linked - set(system_libraries.wanted(screen)) - COME_WITH_OTHERS


def test_every_system_gets_one_line() -> None:
    everything: Libraries = DRAWING | X11 | WAYLAND

    def line(manager: str) -> str:
        text = system_libraries.remedy(["libEGL.so.1", "libxcb-cursor.so.0"], everything, {manager: manager}.get)
        return text.removeprefix("sudo ")

    assert line("apt-get") == "apt-get install libegl1 libxcb-cursor0"
    assert line("dnf") == "dnf install libglvnd-egl xcb-util-cursor"
    assert line("pacman") == "pacman -S libglvnd xcb-util-cursor"
    assert line("other") == ""


def loader(absent: set[str]) -> Callable[[str], object]:
    def load(name: str) -> object:
        if name in absent:
            raise OSError(name)
        return name

    return load


def test_only_what_the_loader_lacks_is_missing() -> None:
    assert system_libraries.missing(DRAWING, loader({"libGL.so.1"})) == ["libGL.so.1"]
    assert system_libraries.missing(DRAWING, loader(set())) == []


@pytest.mark.parametrize(
    ("variables", "screen"),
    [({}, ""), ({"DISPLAY": ":0"}, "x11"), ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "wayland")],
)
def test_the_kind_of_screen(variables: dict[str, str], screen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert system_libraries.screen() == screen


def test_the_window_is_not_opened_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Environment(tmp_path / "place", tmp_path, accelerated=False)
    place.claim()
    asked: list[str] = []

    def missing(libraries: Libraries) -> list[str]:
        asked.extend(libraries)
        return ["libxcb-cursor.so.0"] if lacking else []

    monkeypatch.setattr(system_libraries, "screen", lambda: "x11")
    monkeypatch.setattr(system_libraries, "missing", missing)
    monkeypatch.setattr(system_libraries, "remedy", lambda absent, libraries: "sudo apt-get install libxcb-cursor0")
    lacking = True
    with pytest.raises(SetupError, match=r"Please run:\n  sudo apt-get install libxcb-cursor0"):
        program.require_libraries(place, "")
    program.require_libraries(place, "bench")  # draws nothing
    lacking = False
    program.require_libraries(place, "")
    assert place.state == State(window_libraries="x11")
    asked.clear()
    program.require_libraries(place, "")  # known by now
    assert asked == []
