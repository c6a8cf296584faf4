"""How large the person wants text: what the system says, taken for the whole interface before Qt starts.

Everything in the window is measured in pixels of one size, so larger text is a larger interface: nothing is cut off,
and what does not fit is laid out as in a smaller window. Where the system says it by the resolution of its fonts
(QT_FONT_DPI, or Xft.dpi under X11), Qt follows by itself; the rest is done here.
"""

import logging
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager

from app.desktop import gnome_setting, is_kde, kde_setting

log = logging.getLogger(__name__)

USUAL_DPI, USUAL_POINTS = 96, 10  # of fonts; the size of KDE's font as it comes
SMALLEST, LARGEST = 0.8, 2.0  # beyond that no dialog fits on a usual screen
SCALE, WAYLAND_DPI = "QT_SCALE_FACTOR", "QT_WAYLAND_FORCE_DPI"


@contextmanager
def following_text_scale(environment: MutableMapping[str, str]) -> Iterator[None]:
    """An application that is made meanwhile draws everything so much larger. What it starts finds out for itself."""
    wanted = wanted_variables(environment)
    before = {name: environment.get(name) for name in wanted}
    environment.update(wanted)
    for name, value in wanted.items():
        log.info("the interface is as large as the system's text: %s=%s", name, value)
    try:
        yield
    finally:
        for name, old in before.items():
            del environment[name]
            if old is not None:
                environment[name] = old


def wanted_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """What Qt is to be told, by the name of the variable."""
    if sys.platform == "win32":
        return _scaled(environment, _of_windows())
    if sys.platform == "darwin":  # where there is no such setting for programs
        return {}
    if is_kde(environment):
        return _scaled(environment, _of_kde(environment))
    factor = _bounded(_of_gnome())  # under X11 it is in Xft.dpi already, which Wayland does not have
    unsaid = not environment.get(WAYLAND_DPI)
    return {WAYLAND_DPI: f"{USUAL_DPI * factor:.0f}"} if unsaid and abs(factor - 1.0) >= 0.01 else {}


def _scaled(environment: Mapping[str, str], factor: float) -> dict[str, str]:
    factor, before = _bounded(factor), _number(environment.get(SCALE, "")) or 1.0
    return {SCALE: f"{before * factor:g}"} if abs(factor - 1.0) >= 0.01 else {}


def _bounded(factor: float) -> float:
    return min(LARGEST, max(SMALLEST, factor))


def _of_gnome() -> float:
    """Also of the desktops that share its settings."""
    return _number(gnome_setting("text-scaling-factor")) or 1.0


def _of_kde(environment: Mapping[str, str]) -> float:
    """By the size of the font that is chosen there."""
    parts = kde_setting(environment, "General", "font").split(",")
    return (_number(parts[1]) if len(parts) > 1 else 0.0) / USUAL_POINTS or 1.0


def _of_windows() -> float:
    """Settings, Accessibility, Text size: 100 to 225 %."""
    if sys.platform == "win32":
        import winreg

        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, r"Software\Microsoft\Accessibility") as key:
                return float(winreg.QueryValueEx(key, "TextScaleFactor")[0]) / 100
        except OSError:  # never changed
            return 1.0
    return 1.0


def _number(text: str) -> float:
    """0.0 where it is none that makes sense."""
    try:
        value = float(text.strip())
    except ValueError:
        return 0.0
    return value if 0.0 < value < 1000.0 else 0.0
