"""How large the person wants text: what the system says, taken for the whole interface before Qt starts.

Everything in the window is measured in pixels of one size, so larger text is a larger interface: nothing is cut off,
and what does not fit is laid out as in a smaller window.
"""

import logging
import subprocess
import sys
from collections.abc import Iterator, MutableMapping
from configparser import ConfigParser, Error
from contextlib import contextmanager
from pathlib import Path

log = logging.getLogger(__name__)

USUAL_DPI, USUAL_POINTS = 96, 10  # of fonts; the size of KDE's font as it comes
SMALLEST, LARGEST = 0.8, 2.0  # beyond that no dialog fits on a usual screen
ASK_S = 2.0  # the system's settings answer within milliseconds, or not at all
QT_SCALE, QT_DPI = "QT_SCALE_FACTOR", "QT_FONT_DPI"


@contextmanager
def following_text_scale(environment: MutableMapping[str, str]) -> Iterator[None]:
    """An application that is made meanwhile draws everything so much larger. What it starts finds out for itself."""
    scale, before = text_scale(environment), environment.get(QT_SCALE)
    if abs(scale - 1.0) < 0.01:
        yield
        return
    log.info("the interface is drawn %g times as large, as the system's text is", scale)
    environment[QT_SCALE] = f"{(_number(before or '') or 1.0) * scale:g}"
    try:
        yield
    finally:
        del environment[QT_SCALE]
        if before is not None:
            environment[QT_SCALE] = before


def text_scale(environment: MutableMapping[str, str]) -> float:
    """Times as large as usual, within bounds; 1.0 where nothing says otherwise."""
    dpi = _number(environment.get(QT_DPI, ""))
    if dpi:
        scale = dpi / USUAL_DPI
    elif sys.platform == "win32":
        scale = _of_windows()
    elif sys.platform == "darwin":
        scale = 1.0  # there is no such setting for programs
    elif "KDE" in environment.get("XDG_CURRENT_DESKTOP", ""):
        scale = _of_kde(Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "kdeglobals")
    else:
        scale = _of_gnome()
    return min(LARGEST, max(SMALLEST, scale))


def _of_gnome() -> float:
    """Also of the desktops that share its settings."""
    question = ["gsettings", "get", "org.gnome.desktop.interface", "text-scaling-factor"]
    try:
        answer = subprocess.run(question, capture_output=True, text=True, timeout=ASK_S, check=True).stdout
    except (OSError, subprocess.SubprocessError):  # there is no such desktop here
        return 1.0
    return _number(answer) or 1.0


def _of_kde(file: Path) -> float:
    """By the size of the font that is chosen there."""
    settings = ConfigParser(interpolation=None, strict=False)
    try:
        settings.read(file, encoding="utf-8")
    except (OSError, Error, UnicodeDecodeError):
        return 1.0
    parts = settings.get("General", "font", fallback="").split(",")
    return (_number(parts[1]) if len(parts) > 1 else 0.0) / USUAL_POINTS or 1.0


def _of_windows() -> float:
    """Settings, Accessibility, Text size: 100 to 225 %."""
    if sys.platform != "win32":
        return 1.0
    import winreg

    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, r"Software\Microsoft\Accessibility") as key:
            return float(winreg.QueryValueEx(key, "TextScaleFactor")[0]) / 100
    except OSError:  # never changed
        return 1.0


def _number(text: str) -> float:
    """0.0 where it is none that makes sense."""
    try:
        value = float(text.strip())
    except ValueError:
        return 0.0
    return value if 0.0 < value < 1000.0 else 0.0
