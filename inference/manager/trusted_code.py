"""Models that bring Python code of their own, which the person has allowed to run.

Allowed is the code of one folder as it was then: another file, or another line in one, is asked for again, and so is a
configuration that names other classes. Code that lies outside of the folder (`auto_map` of "owner/name--file.Class") is
not looked at by the person who allows, and never runs.
"""

import hashlib
import logging
import os
from pathlib import Path

from inference.manager.file_lock import in_turn
from inference.manager.files import explained, read_json, write_json
from inference.manager.paths import config_folder

log = logging.getLogger(__name__)

ALLOW = "Allow the model's own code only if you trust where it comes from, or choose another model."


def code_files(folder: Path) -> list[str]:
    """Their names in the folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py") if path.is_file())


def code_elsewhere(folder: Path) -> str:
    """The repository that the folder's configuration takes code from, "" where there is none. Raises OSError."""
    for path in _configurations(folder):
        try:
            named = read_json(path).get("auto_map")
        except (ValueError, AttributeError):
            continue  # whoever reads the model will say so
        values = list(named.values()) if isinstance(named, dict) else [named]
        for value in values:
            for name in value if isinstance(value, list) else [value]:
                if isinstance(name, str) and "--" in name:
                    return name.partition("--")[0]
    return ""


def is_trusted(folder: Path) -> bool:
    known = _read().get(os.path.realpath(folder))
    try:
        return known is not None and known == _digest(folder) and not code_elsewhere(folder)
    except OSError as error:
        log.warning("the code of %s cannot be read: %s", folder.name, error)
        return False


def trust(folder: Path) -> None:
    """Its code as it is now. Raises UserError where that cannot be read or kept."""
    with explained(folder):
        digest = _digest(folder)
    note = _note()
    with explained(note), in_turn(note.with_suffix(".lock")):
        write_json(note, _read() | {os.path.realpath(folder): digest})


def _digest(folder: Path) -> str:
    state = hashlib.sha256()
    configurations = [path.name for path in _configurations(folder)]
    for name in (*code_files(folder), *configurations):
        content = (folder / name).read_bytes()
        state.update(f"{name}\n{len(content)}\n".encode() + content)
    return state.hexdigest()


def _configurations(folder: Path) -> list[Path]:
    """Those that may name classes to be loaded."""
    return sorted(path for path in folder.glob("*config.json") if path.is_file())


def _read() -> dict[str, str]:
    try:
        values = read_json(_note())
        return {str(folder): str(digest) for folder, digest in values.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError) as error:
        log.warning("which models may run their own code cannot be read: %s", error)
        return {}


def _note() -> Path:
    return config_folder() / "trusted-code.json"
