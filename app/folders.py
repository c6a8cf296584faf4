"""Where Foreword keeps its files. FOREWORD_HOME, if set, holds everything instead of the system's usual places."""

import os
from pathlib import Path

from platformdirs import PlatformDirs

NAME = "foreword"


def _folder(kind: str, usual: Path) -> Path:
    home = os.environ.get("FOREWORD_HOME")
    return Path(home) / kind if home else usual


def _dirs() -> PlatformDirs:
    return PlatformDirs(NAME, appauthor=False)


def settings_folder() -> Path:
    return _folder("settings", _dirs().user_config_path)


def data_folder() -> Path:
    """Chats."""
    return _folder("data", _dirs().user_data_path)


def log_folder() -> Path:
    return _folder("log", _dirs().user_log_path)
