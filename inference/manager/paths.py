"""Where Foreword keeps things on this system. FOREWORD_HOME puts everything under one folder instead."""

import os
from pathlib import Path

import platformdirs

_NAME = "Foreword"


def _home() -> Path | None:
    home = os.environ.get("FOREWORD_HOME", "").strip()
    return Path(home).expanduser().absolute() if home else None


def data_folder() -> Path:
    """Conversations and models: what a person would miss."""
    home = _home()
    return home / "data" if home else platformdirs.user_data_path(_NAME, appauthor=False)


def models_folder() -> Path:
    return data_folder() / "models"


def config_folder() -> Path:
    home = _home()
    return home / "config" if home else platformdirs.user_config_path(_NAME, appauthor=False)


def cache_folder() -> Path:
    """What can be made again."""
    home = _home()
    return home / "cache" if home else platformdirs.user_cache_path(_NAME, appauthor=False)


def log_folder() -> Path:
    home = _home()
    return home / "log" if home else platformdirs.user_log_path(_NAME, appauthor=False)
