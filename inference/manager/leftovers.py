"""What a move of the models left in the old folder when it was cut short while it deleted the originals there.

A note of what is about to be deleted is kept until that is done, so that the next start can finish it.
"""

import logging
import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from inference.manager.files import read_json, write_json
from inference.manager.paths import config_folder, models_folder

log = logging.getLogger(__name__)

_CHUNK = 1 << 20


def remember(folder: Path, names: Sequence[str]) -> None:
    """Before the originals in `folder` are deleted. Raises OSError."""
    _note().parent.mkdir(parents=True, exist_ok=True)
    write_json(_note(), {"folder": str(folder), "names": list(names)})


def forget() -> None:
    _note().unlink(missing_ok=True)


def clear(cancel: threading.Event) -> Path | None:
    """Delete what the present folder of models holds too, byte for byte. The old folder, said once, if some is left."""
    try:
        values = read_json(_note())
        folder, names = Path(values["folder"]), [Path(name).name for name in values["names"]]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not folder.is_dir():  # perhaps on a disk that is not there just now
        return None
    if not models_folder().resolve().is_relative_to(folder.resolve()):
        for name in names:
            _clear_one(folder / name, models_folder() / name, cancel)
        if cancel.is_set():
            return None
    else:  # the move has not come to that, or models have moved back
        names = []
    forget()
    return folder if any(os.path.lexists(folder / name) for name in names) else None


def parts(entry: Path) -> Iterator[Path]:
    """A model's folder with all that is in it, or a file; of a link only itself."""
    yield entry
    if not entry.is_symlink():
        yield from sorted(entry.rglob("*"))


def delete(entry: Path) -> None:
    """Raises OSError."""
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry)
    else:
        entry.unlink(missing_ok=True)


def _clear_one(entry: Path, twin: Path, cancel: threading.Event) -> None:
    try:
        if os.path.lexists(entry) and all(_same(part, twin / part.relative_to(entry), cancel) for part in parts(entry)):
            delete(entry)
            log.info("cleared away after moving models: %s", entry)
    except OSError as error:
        log.warning("%s could not be cleared away: %s", entry, error)


def _same(original: Path, twin: Path, cancel: threading.Event) -> bool:
    """Itself there, that is: a link to the original is no copy of it."""
    if original.is_symlink() or twin.is_symlink():
        return original.is_symlink() and twin.is_symlink() and original.readlink() == twin.readlink()
    if original.is_dir():
        return twin.is_dir()
    if not twin.is_file() or original.stat().st_size != twin.stat().st_size:
        return False
    with original.open("rb") as one, twin.open("rb") as other:
        while not cancel.is_set():
            chunk = one.read(_CHUNK)
            if chunk != other.read(_CHUNK):
                return False
            if not chunk:
                return True
    return False


def _note() -> Path:
    return config_folder() / "models-left.json"
