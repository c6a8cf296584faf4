"""The trained heads on this machine: those that came with Foreword, and those that were trained here."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import assets
from inference.errors import UserError
from inference.heads.card import Card
from inference.heads.fingerprint import TargetIdentity
from inference.heads.package import CARD, package_name, read_card, refusal
from inference.manager.paths import DRAFTS, data_folder

log = logging.getLogger(__name__)

DEEPEST = 3  # folders below a place in which heads are looked for


@dataclass(frozen=True)
class ShelfEntry:
    """One package. card: None where it cannot be read. reason: why it cannot draft for the target; None when it can."""

    folder: Path
    card: Card | None
    reason: str | None

    @property
    def name(self) -> str:
        return package_name(self.folder)


def places() -> tuple[Path, ...]:
    """Where packages lie: those trained here first."""
    return trained_folder(), Path(assets.__file__).parent / "drafts"


def trained_folder() -> Path:
    return data_folder() / DRAFTS


def shelved(where: Iterable[Path] | None = None) -> list[Path]:
    """The folders of all packages."""
    return [folder for place in where or places() for folder in _packages(place, DEEPEST)]


def entries(target: TargetIdentity, where: Iterable[Path] | None = None) -> list[ShelfEntry]:
    """All packages, those that fit `target` first. Cards are read, weights are not: milliseconds."""
    return sorted((_entry(folder, target) for folder in shelved(where)), key=lambda entry: entry.reason is not None)


def fitting(target: TargetIdentity, where: Iterable[Path] | None = None) -> list[ShelfEntry]:
    """Of those that fit: for each task the first, trained here before shipped. A head for any task goes last."""
    chosen: dict[str, ShelfEntry] = {}
    for entry in entries(target, where):
        if entry.reason is None and entry.card is not None:
            chosen.setdefault(entry.card.task, entry)
    return [chosen[task] for task in ("code", "prose", "any") if task in chosen]


def _entry(folder: Path, target: TargetIdentity) -> ShelfEntry:
    try:
        card = read_card(folder)
    except UserError as error:
        log.info("%s", error)
        return ShelfEntry(folder, None, error.message)
    return ShelfEntry(folder, card, refusal(card, target))


def _packages(place: Path, deepest: int) -> Iterator[Path]:
    try:
        folders = sorted(path for path in place.iterdir() if path.is_dir() and not path.name.startswith("."))
    except OSError:
        return
    for folder in folders:
        if (folder / CARD).is_file():
            yield folder
        elif deepest > 1:
            yield from _packages(folder, deepest - 1)
