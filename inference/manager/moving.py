"""Moves every model to another folder, for instance on a larger disk."""

import shutil
import threading
from collections.abc import Generator
from pathlib import Path

from inference.errors import UserError
from inference.events import LoadProgress
from inference.manager.download import DownloadCancelled
from inference.manager.files import explained, folder_size, require_space
from inference.manager.paths import keep_models_in, models_folder

_COPYING = ".copying"


def move_models(target: Path, cancel: threading.Event) -> Generator[LoadProgress, None, None]:
    """Copy what is in the folder of models, then keep models in `target`, then delete the originals.

    Cut short at any moment it leaves every model whole in one of the two folders, and can be begun again.
    Raises UserError and DownloadCancelled.
    """
    source = models_folder()
    target = target.expanduser().absolute()
    if target == source:
        return
    if source in target.parents or target in source.parents:
        raise UserError(f"Models cannot be moved from {source} into {target}.", "Choose a folder beside it.")
    entries = sorted(source.iterdir()) if source.is_dir() else []
    sizes = {entry: folder_size(entry) if entry.is_dir() else entry.stat().st_size for entry in entries}
    with explained(target):
        target.mkdir(parents=True, exist_ok=True)
        require_space(target, sum(size for entry, size in sizes.items() if not (target / entry.name).exists()))
        done, total = 0, sum(sizes.values())
        for entry in entries:
            yield LoadProgress("move", done, total, entry.name)
            _copy(entry, target, cancel)
            done += sizes[entry]
    keep_models_in(target)
    with explained(source):
        for entry in entries:
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def _copy(entry: Path, target: Path, cancel: threading.Event) -> None:
    """Whole or not at all. (Not `copytree`: it gathers errors, and goes on when the disk is full.)"""
    place = target / entry.name
    if place.exists():
        return
    half = target / f"{entry.name}{_COPYING}"
    if half.is_dir():
        shutil.rmtree(half)
    for original in (entry, *sorted(entry.rglob("*"))):
        twin = half / original.relative_to(entry)
        if cancel.is_set():
            raise DownloadCancelled
        if original.is_dir() and not original.is_symlink():
            twin.mkdir()
        else:
            shutil.copy2(original, twin, follow_symlinks=False)
    half.replace(place)
