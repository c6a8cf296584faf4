"""Where Foreword keeps things on this system. FOREWORD_HOME puts everything under one folder instead."""

import os
import tempfile
from pathlib import Path

import platformdirs

from inference.errors import UserError
from inference.manager.files import write_atomically

_NAME = "Foreword"
CHATS, BACKUPS, DRAFTS, TRAINING = "chats.sqlite", "backups", "drafts", "training"  # among the data
SETTINGS, LOG, REPORTS = "settings.toml", "foreword.log", "reports"


def _home() -> Path | None:
    home = os.environ.get("FOREWORD_HOME", "").strip()
    return Path(home).expanduser().absolute() if home else None


def data_folder() -> Path:
    """Conversations and models: what a person would miss."""
    home = _home()
    return home / "data" if home else platformdirs.user_data_path(_NAME, appauthor=False)


def models_folder() -> Path:
    """Where the person wants models to be kept, else beside the chats."""
    try:
        chosen = Path(_models_note().read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        return usual_models_folder()
    return chosen if chosen.is_absolute() else usual_models_folder()


def usual_models_folder() -> Path:
    return data_folder() / "models"


def keep_models_in(folder: Path) -> None:
    """From now on; what has been fetched stays where it is. Raises UserError when `folder` cannot be written to."""
    note = _models_note()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        note.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(note, f"{folder.absolute()}\n".encode())
    except OSError as error:
        problem = f"Models cannot be kept in {folder} ({error.strerror})."
        raise UserError(problem, "Choose a folder that can be written to.") from error


def places() -> dict[str, Path]:
    """Everything that is kept: what it is, and where."""
    data, config, logs = data_folder(), config_folder(), log_folder()
    return {
        "chats": data / CHATS,
        "backups": data / BACKUPS,
        "models": models_folder(),
        "trained drafts": data / DRAFTS,
        "training": data / TRAINING,
        "settings": config / SETTINGS,
        "cache": cache_folder(),
        "log": logs / LOG,
        "crash reports": logs / REPORTS,
    }


def _models_note() -> Path:
    return config_folder() / "models-folder.txt"


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
