"""Which models on this machine could draft for another, and why the rest could not. Reads files, loads nothing."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from inference.manager.files import read_json
from inference.manager.spec import Spec
from inference.vocabulary import compare

LARGEST_SHARE = 0.5  # of the target's weights: a larger draft costs more than it saves


_State = tuple[Path, int, int]  # a file, its size, and when it was modified


@dataclass(frozen=True)
class Candidate:
    """reason: why it cannot draft, one sentence; "" if it can, as far as its files tell. aligned: with another
    vocabulary, so that it could draft by its text all the same (`LoadSettings.align`)."""

    spec: Spec
    reason: str = ""
    aligned: bool = False


@dataclass(frozen=True)
class _Tokens:
    """ids: token -> id, added ones included."""

    ids: Mapping[str, int]
    added: frozenset[str]


def candidates(target: Spec, others: Sequence[Spec]) -> list[Candidate]:
    """The usable ones first: those that the catalogue names for the target, then the smaller ones."""
    found = [_candidate(target, spec) for spec in others if spec.identifier != target.identifier]
    listed = {identifier: place for place, identifier in enumerate(target.drafts)}

    def order(candidate: Candidate) -> tuple[bool, bool, int, int]:
        spec = candidate.spec
        return bool(candidate.reason), not candidate.aligned, listed.get(spec.identifier, len(listed)), spec.parameters

    return sorted(found, key=order)


def _candidate(target: Spec, draft: Spec) -> Candidate:
    if target.folder is None or draft.folder is None:
        return Candidate(draft, "It is not on this machine.")
    if target.parameters and draft.parameters > LARGEST_SHARE * target.parameters:
        return Candidate(draft, "It is too large to save time.")
    ours, theirs = _state(target.folder), _state(draft.folder)
    reason = _difference(ours, theirs) if ours is not None and theirs is not None else None
    return Candidate(draft) if reason is None else Candidate(draft, f"Its vocabulary is another one. {reason}", True)


def _state(folder: Path) -> _State | None:
    """None where there is no tokenizer.json."""
    path = folder / "tokenizer.json"
    try:
        status = path.stat()
    except OSError:
        return None
    return path, status.st_size, status.st_mtime_ns


@functools.lru_cache(maxsize=256)
def _difference(target: _State, draft: _State) -> str | None:
    """Why one cannot draft for the other; None where it can, or where one cannot be read (loading will say so).

    Of files in these states, so that those that changed are looked at again.
    """
    ours, theirs = _read(*target), _read(*draft)
    return None if ours is None or theirs is None else compare(ours.ids, theirs.ids, ours.added, theirs.added).reason


@functools.lru_cache(maxsize=16)
def _read(path: Path, size: int, modified: int) -> _Tokens | None:
    """From tokenizer.json; None where it cannot be read. size, modified: see `_difference`."""
    try:
        content = read_json(path)
        ids = _ids(content["model"]["vocab"])
        added = {str(token["content"]): int(token["id"]) for token in content.get("added_tokens") or []}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return _Tokens(MappingProxyType(ids | added), frozenset(added))


def _ids(vocabulary: Any) -> dict[str, int]:
    """A map already, or a list of [token, score] in the order of the ids."""
    if isinstance(vocabulary, dict):
        return {str(token): int(index) for token, index in vocabulary.items()}
    return {str(token): index for index, (token, _) in enumerate(vocabulary)}
