"""Moves every model to another folder, for instance on a larger disk."""

import contextlib
import os
import shutil
import threading
from collections.abc import Generator
from pathlib import Path

from inference.errors import UserError
from inference.events import LoadProgress
from inference.manager import leftovers
from inference.manager.download import DownloadCancelled
from inference.manager.files import explained, folder_size, require_space
from inference.manager.paths import keep_models_in, models_folder

_COPYING, _PROBE = ".copying", ".probe"


class MovingCancelled(DownloadCancelled):
    message_text = "Moving was cancelled: the models stay where they were."


def move_models(target: Path, cancel: threading.Event) -> Generator[LoadProgress, None, None]:
    """Copy what is in the folder of models, then keep models in `target`, then delete the originals. On one disk a copy
    is a second name of the same file: it takes no time and no room.

    Cut short at any moment it leaves every model whole in one of the two folders, and can be begun again. Cancelled, or
    where the disk refuses, it takes away the copies that it made; what it had not deleted when the program was killed
    is cleared by `leftovers`.
    Raises UserError and MovingCancelled.
    """
    source = models_folder()
    target = target.expanduser().absolute()
    if target == source or (target.exists() and source.exists() and target.samefile(source)):
        return  # also by another name: what is deleted in the end would be what was kept
    if _within(target, source) or _within(source, target):
        raise UserError(f"Models cannot be moved from {source} into {target}.", "Choose a folder beside it.")
    new, made = not target.exists(), list[Path]()
    try:
        entries = yield from _copy_all(source, target, made, cancel)
        with explained(target):
            leftovers.remember(source, [entry.name for entry in entries])
        keep_models_in(target)
    except UserError:
        if models_folder() == source:
            _take_away(made, target if new else None)
        raise
    with explained(source):
        for entry in entries:
            leftovers.delete(entry)
        leftovers.forget()


def _copy_all(
    source: Path, target: Path, made: list[Path], cancel: threading.Event
) -> Generator[LoadProgress, None, list[Path]]:
    """What has been copied. made: where there was nothing before."""
    with explained(target):
        target.mkdir(parents=True, exist_ok=True)
        one_disk = _on_one_disk(source, target)
        entries = sorted(source.iterdir()) if source.is_dir() else []
        sizes = {entry: folder_size(entry) if entry.is_dir() else entry.stat().st_size for entry in entries}
        for entry, size in sizes.items():
            _check_same(entry, target / entry.name, size)
        if not one_disk:
            require_space(target, sum(size for entry, size in sizes.items() if not (target / entry.name).exists()))
        done, total = 0, sum(sizes.values())
        for entry in entries:
            yield LoadProgress("move", done, total, entry.name)
            _copy(entry, target, made, cancel)
            done += sizes[entry]
        if not one_disk and hasattr(os, "sync"):  # not on Windows
            os.sync()  # else a power cut could take copies whose originals have been deleted
    return entries


def _take_away(made: list[Path], target: Path | None) -> None:
    """target: the folder, if it is new too. What cannot be taken away stays: it does no harm."""
    for path in made:
        with contextlib.suppress(OSError):
            leftovers.delete(path)
    with contextlib.suppress(OSError):
        leftovers.forget()
        if target is not None:
            target.rmdir()


def _within(inner: Path, outer: Path) -> bool:
    """Whether `inner` is below `outer`, whatever they are called."""
    return outer.resolve() in inner.resolve().parents


def _check_same(entry: Path, place: Path, size: int) -> None:
    """What is already in place of a model must be that model, since the original is deleted in the end."""
    model = entry.is_dir() and not entry.name.startswith(".")
    if model and place.exists() and not (place.is_dir() and folder_size(place) == size):
        raise UserError(f"{place.parent} already holds another {place.name}.", "Choose another folder.")


def _on_one_disk(source: Path, target: Path) -> bool:
    """Whether a file in one folder can have a name in the other: some disks cannot do that within themselves."""
    probe, twin = source / _PROBE, target / _PROBE
    try:
        probe.touch()
        os.link(probe, twin)
    except OSError:
        return False
    finally:
        for path in (probe, twin):
            path.unlink(missing_ok=True)
    return True


def _copy(entry: Path, target: Path, made: list[Path], cancel: threading.Event) -> None:
    """Whole or not at all. (Not `copytree`: it gathers errors, and goes on when the disk is full.)"""
    place = target / entry.name
    new = not os.path.lexists(place)
    if place.exists() and (not entry.is_file() or place.samefile(entry)):  # a file may have changed since
        return
    half = target / f"{entry.name}{_COPYING}"
    leftovers.delete(half)
    made.append(half)
    for original in leftovers.parts(entry):
        twin = half / original.relative_to(entry)
        if cancel.is_set():
            raise MovingCancelled
        if original.is_dir() and not original.is_symlink():
            twin.mkdir()
        else:
            _twin(original, twin)
    half.replace(place)
    if new:
        made.append(place)


def _twin(original: Path, twin: Path) -> None:
    if not original.is_symlink():
        try:
            os.link(original, twin)
            return
        except OSError:  # on another disk
            pass
    shutil.copy2(original, twin, follow_symlinks=False)
