"""What the person's desktop was told: GNOME and those that share its settings, KDE, and any through its portal."""

import subprocess
from collections.abc import Mapping, Sequence
from configparser import ConfigParser, Error
from pathlib import Path

ASK_S = 2.0  # the system's settings answer within milliseconds, or not at all


def answer(question: Sequence[str]) -> str:
    """What a program of the system says; "" where there is none, or it fails."""
    try:
        return subprocess.run(question, capture_output=True, text=True, timeout=ASK_S, check=True).stdout.strip()
    except (OSError, UnicodeDecodeError, subprocess.SubprocessError):
        return ""


def gnome_setting(key: str) -> str:
    """As the tool writes it."""
    return answer(["gsettings", "get", "org.gnome.desktop.interface", key])


def portal_setting(namespace: str, key: str) -> str:
    """What every desktop is asked alike, where it has a portal; as the tool writes it."""
    bus = ["gdbus", "call", "--session", "--timeout", "1", "--dest", "org.freedesktop.portal.Desktop"]
    method = ["--object-path", "/org/freedesktop/portal/desktop", "--method", "org.freedesktop.portal.Settings.Read"]
    return answer([*bus, *method, namespace, key])


def is_kde(environment: Mapping[str, str]) -> bool:
    return "KDE" in environment.get("XDG_CURRENT_DESKTOP", "")


def kde_setting(environment: Mapping[str, str], section: str, key: str) -> str:
    """ "" where it was never changed."""
    folder = Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    settings = ConfigParser(interpolation=None, strict=False)
    try:
        settings.read(folder / "kdeglobals", encoding="utf-8")
    except (OSError, Error, UnicodeDecodeError):
        return ""
    return settings.get(section, key, fallback="")
