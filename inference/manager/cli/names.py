"""The names by which models are called on the command line.

A model of our own is called by its identifier, a folder elsewhere by its own name, with as much of its path in front as
tells it from the others.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from inference.manager.cli.errors import NoSuchModelError
from inference.manager.spec import Spec


def names_of(specs: Sequence[Spec]) -> dict[str, str]:
    """identifier -> the name that `list` shows."""
    elsewhere = [spec for spec in specs if spec.folder is not None and spec.identifier == str(spec.folder)]
    names = {spec.identifier: spec.identifier for spec in specs}
    names |= {spec.identifier: _end(spec, 1) for spec in elsewhere}
    for depth in range(2, 1 + max((len(Path(spec.identifier).parts) for spec in elsewhere), default=0)):
        counts = Counter(name.casefold() for name in names.values())
        names |= {s.identifier: _end(s, depth) for s in elsewhere if counts[names[s.identifier].casefold()] > 1}
    return names


def _end(spec: Spec, parts: int) -> str:
    """Of a folder's path."""
    return Path(*Path(spec.identifier).parts[-parts:]).as_posix()


def exactly(name: str, specs: Sequence[Spec]) -> Spec | None:
    """The model of this name or identifier."""
    shown = names_of(specs)
    found = [spec for spec in specs if spec.identifier == name]
    found += [spec for spec in specs if _same(name, shown[spec.identifier])]
    return found[0] if found else None


def beginning(name: str, specs: Sequence[Spec]) -> Spec | None:
    """The only model whose name begins so. Raises NoSuchModelError where there are several."""
    shown = names_of(specs)
    found = [spec for spec in specs if name and _begins((shown[spec.identifier], spec.name), name)]
    if len(found) > 1:
        several = ", ".join(shown[spec.identifier] for spec in found)
        raise NoSuchModelError(f"{name} could be {several}.", "Write more of the name.")
    return found[0] if found else None


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _begins(names: Iterable[str], with_: str) -> bool:
    return any(name.casefold().startswith(with_.casefold()) for name in names)
