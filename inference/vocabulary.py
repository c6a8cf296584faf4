"""Whether a draft can write for a target: the same tokens under the same ids."""

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

SAME_FAMILY = "Choose a smaller model of the same family."
# What else can be done about another vocabulary, and what it costs.
SECOND_CHOICE = (
    "Choose a smaller model of the same family. As a second choice this one can draft by its text: replies stay "
    "exactly the target's, but every draft is spelled twice and loses its last word, so that it gains less."
)
# Rows that only pad a vocabulary, as converted files name them: "[PAD151936]" under the id 151936.
_PADDING = re.compile(r"\[PAD(\d+)\]")


@dataclass(frozen=True)
class Compatibility:
    """reason: why the draft cannot be used, one sentence; None when it can.

    forbidden: ids that mean something else (or nothing) on one side, and which the draft must never propose.
    """

    reason: str | None = None
    forbidden: frozenset[int] = frozenset()

    @property
    def compatible(self) -> bool:
        return self.reason is None


def compare(
    target: Mapping[str, int],
    draft: Mapping[str, int],
    target_added: Collection[str] = (),
    draft_added: Collection[str] = (),
) -> Compatibility:
    """Compare two token -> id maps.

    Every ordinary token must have the same id on both sides; a difference in the added ones (`target_added`,
    `draft_added`) only forbids these ids. Padding at the end of either side is no difference.
    """
    differing = [token for token in target.keys() | draft.keys() if target.get(token) != draft.get(token)]
    mismatches: list[str] = []
    forbidden: set[int] = set()
    for token in differing:
        sides = [(target, target_added), (draft, draft_added)]
        if all(token in added or _pads(token, ids[token]) for ids, added in sides if token in ids):
            forbidden.update(ids[token] for ids, _ in sides if token in ids)
        else:
            mismatches.append(token)
    if not mismatches:
        return Compatibility(forbidden=frozenset(forbidden))
    first = min(mismatches, key=lambda token: (min(ids[token] for ids in (target, draft) if token in ids), token))
    rest = len(mismatches) - 1
    more = "" if rest == 0 else f", and {rest:,} more {'differs' if rest == 1 else 'differ'}"
    return Compatibility(reason=f"{_difference(first, target, draft)}{more}.")


def fingerprint(vocabulary: Mapping[str, int]) -> str:
    """SHA-256 of the token -> id map, whatever its order, in hexadecimal."""
    listed = json.dumps(sorted(vocabulary.items()), separators=(",", ":"))
    return hashlib.sha256(listed.encode("ascii")).hexdigest()


def _pads(token: str, index: int) -> bool:
    name = _PADDING.fullmatch(token)
    return name is not None and int(name[1]) == index


def _difference(token: str, target: Mapping[str, int], draft: Mapping[str, int]) -> str:
    name = repr(token)
    if token not in draft:
        return f"Token {name} is {target[token]} in the target and missing in the draft"
    if token not in target:
        return f"Token {name} is {draft[token]} in the draft and missing in the target"
    return f"Token {name} is {target[token]} in the target and {draft[token]} in the draft"
