"""The trained heads on this machine: those that came with Foreword, and those that were trained here."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import assets
from inference.errors import UserError
from inference.heads.card import Card
from inference.heads.fingerprint import TargetIdentity, target_fingerprint
from inference.heads.package import CARD, package_name, read_card, refusal
from inference.heads.shape import HeadShape
from inference.manager.paths import DRAFTS, data_folder
from inference.models.fused.architecture import Architecture

log = logging.getLogger(__name__)

T = TypeVar("T")
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
    fit = [(entry.card, entry) for entry in entries(target, where) if entry.reason is None and entry.card is not None]
    return [entry for _, entry in _one_for_each_task(fit)]


def shapes_for(model: Path, where: Iterable[Path] | None = None) -> tuple[HeadShape, ...]:
    """Of the heads that `fitting` will find for the model in this folder, of which only its norms are read here: the
    vocabulary goes with the weights."""
    cards = [card for folder in shelved(where) if (card := _card(folder)) is not None]
    architecture = Architecture.read(model)

    def fits(card: Card, fingerprint: str) -> bool:
        identity = TargetIdentity(model.name, fingerprint, card.target.vocabulary_fingerprint, architecture)
        return refusal(card, identity) is None

    near = [card for card in cards if fits(card, card.target.fingerprint)]  # of the same sizes
    if not near:
        return ()
    try:
        fingerprint = target_fingerprint(model)
    except (UserError, OSError, ValueError) as error:  # loading it says so
        log.info("no head is looked for: %s", error)
        return ()
    return tuple(
        shape for _, shape in _one_for_each_task((card, card.shape) for card in near if fits(card, fingerprint))
    )


def _one_for_each_task(fit: Iterable[tuple[Card, T]]) -> list[tuple[Card, T]]:
    """The first."""
    chosen: dict[str, tuple[Card, T]] = {}
    for card, it in fit:
        chosen.setdefault(card.task, (card, it))
    return [chosen[task] for task in ("code", "prose", "any") if task in chosen]


def _card(folder: Path) -> Card | None:
    try:
        return read_card(folder)
    except UserError:
        return None


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
