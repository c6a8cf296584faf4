"""Models that bring Python code of their own, which the person has allowed to run.

Allowed is the code of one folder as it was then: another file, or another line in one, is asked for again.
"""

import hashlib
import logging
import os
from pathlib import Path

from inference.manager.files import explained, read_json, write_json
from inference.manager.paths import config_folder

log = logging.getLogger(__name__)

ALLOW = "Allow the model's own code only if you trust where it comes from, or choose another model."


def code_files(folder: Path) -> list[str]:
    """Their names in the folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py") if path.is_file())


def is_trusted(folder: Path) -> bool:
    known = _read().get(os.path.realpath(folder))
    try:
        return known is not None and known == _digest(folder)
    except OSError as error:
        log.warning("the code of %s cannot be read: %s", folder.name, error)
        return False


def trust(folder: Path) -> None:
    """Its code as it is now. Raises UserError where that cannot be read or kept."""
    with explained(folder):
        digest = _digest(folder)
    note = _note()
    with explained(note):
        note.parent.mkdir(parents=True, exist_ok=True)
        write_json(note, _read() | {os.path.realpath(folder): digest})


def _digest(folder: Path) -> str:
    state = hashlib.sha256()
    for name in code_files(folder):
        content = (folder / name).read_bytes()
        state.update(f"{name}\n{len(content)}\n".encode() + content)
    return state.hexdigest()


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
