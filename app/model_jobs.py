"""What the page of models wants from the disk and from the hub, as jobs for errands."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.errands import Errand
from inference.events import LoadProgress
from inference.manager.families import paired
from inference.manager.hub_search import HubModel, HubSearch
from inference.manager.spec import Spec
from inference.manager.store import Store
from inference.plan.machine import Machine


@dataclass(frozen=True)
class Listed:
    """disk: identifier -> bytes. machine: what is free now, where that was asked. paired: identifiers of what has a
    draft here."""

    here: tuple[Spec, ...] = ()
    disk: dict[str, int] = field(default_factory=dict)
    machine: Machine | None = None
    paired: frozenset[str] = frozenset()


def look(page: bool, found: Sequence[HubModel], cancel: threading.Event) -> Iterator[Listed]:
    """page: whether it is shown, and wants to know more."""
    store = Store()
    here = tuple(store.specs())
    disk = {spec.identifier: store.disk_use(spec) for spec in here}
    yield Listed(here, disk, Machine.here(), paired(here, found)) if page else Listed(here, disk)


def take_in(path: Path, cancel: threading.Event) -> Iterator[LoadProgress | Spec]:
    yield (yield from Store().open(path, cancel))


def take_over(spec: Spec, cancel: threading.Event) -> Iterator[LoadProgress | Spec]:
    yield (yield from Store().take_over(spec, cancel))


def delete(spec: Spec, before: Errand | None, cancel: threading.Event) -> Iterator[None]:
    """before: a download of it that was told to end."""
    if before is not None:
        before.join()
    Store().delete(spec)
    yield None


def search(text: str, most: int, cancel: threading.Event) -> Iterator[list[HubModel]]:
    yield HubSearch().find(text, cancel, most_parameters=most)
