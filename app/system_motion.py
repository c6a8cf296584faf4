"""Whether the person asked their system for less motion. Qt knows it under Windows in part and under Linux not at all.

To ask takes some milliseconds, and longer where the desktop does not answer: not for the thread of the window.
"""

import sys
from collections.abc import Mapping

from app.desktop import answer, gnome_setting, kde_setting, portal_setting

CLIENT_AREA_ANIMATION = 0x1042  # Windows' name for Settings, Accessibility, Animation effects


def system_reduces_motion(environment: Mapping[str, str]) -> bool:
    if sys.platform == "win32":
        return _of_windows()
    if sys.platform == "darwin":  # System Settings, Accessibility, Display
        return answer(["defaults", "read", "com.apple.universalaccess", "reduceMotion"]) == "1"
    return (
        gnome_setting("enable-animations") == "false"
        or kde_setting(environment, "KDE", "AnimationDurationFactor").strip() in ("0", "0.0")
        or "uint32 1" in portal_setting("org.freedesktop.appearance", "reduced-motion")
    )


def _of_windows() -> bool:
    if sys.platform == "win32":
        import ctypes

        animated = ctypes.c_int(1)
        ctypes.windll.user32.SystemParametersInfoW(CLIENT_AREA_ANIMATION, 0, ctypes.byref(animated), 0)
        return not animated.value
    return False
