"""What the launcher says, in Chinese where the system speaks it. The program's own texts are not installed yet."""

import json
import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

CHINESE = Path(__file__).resolve().with_name("words.zh.json")


def tr(text: str) -> str:
    """`text` in the system's language. Names and numbers are filled in afterwards."""
    return _table().get(text, text)


def mark(text: str) -> str:
    """`text` as it is, to be passed through `tr` where it is said."""
    return text


@cache
def _table() -> dict[str, str]:
    return chinese() if is_chinese(os.environ, _told_by_windows()) else {}


def chinese() -> dict[str, str]:
    """English text: its Chinese."""
    table: dict[str, str] = json.loads(CHINESE.read_text(encoding="utf-8"))
    return table


def is_chinese(variables: Mapping[str, str], told: str = "") -> bool:
    """Whether the variables of a locale (POSIX: the first that is set counts; GNU: LANGUAGE goes first) are Chinese."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((variables[name] for name in names if variables.get(name)), told)
    if locale.partition(".")[0] not in ("", "C", "POSIX"):  # without a locale LANGUAGE is not asked
        locale = variables.get("LANGUAGE") or locale
    return locale.lower().startswith("zh")


def _told_by_windows() -> str:
    if sys.platform == "win32":
        import ctypes

        return "zh" if ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 4 else "en"  # LANG_CHINESE
    return ""
