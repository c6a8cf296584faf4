"""N-gram lookup: what followed the last time these words stood here? No model, no cost to speak of.

Prompt lookup decoding (Saxena 2023) with an index in place of a scan.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from inference.drafters.drafter import Draft

if TYPE_CHECKING:
    from inference.sampling import Sampler

ORDERS = (8, 5, 3, 2)  # longest match first; a single token says too little
SOURCES = {order: f"match of {order}" for order in ORDERS}


class NgramDrafter:
    """Point drafts from the conversation itself. Every n-gram remembers where it was followed by something."""

    name = "n-gram"

    def __init__(self) -> None:
        self._text: list[int] = []
        self._followers: dict[tuple[int, ...], list[int]] = {}  # n-gram -> positions right behind it, ascending

    @property
    def length(self) -> int:
        return len(self._text)

    def copy(self, length: int) -> "NgramDrafter":
        other = NgramDrafter()
        other.commit(self._text[:length])
        return other

    def commit(self, tokens: Sequence[int]) -> None:
        for token in tokens:
            for key in self._suffixes():
                self._followers.setdefault(key, []).append(len(self._text))
            self._text.append(token)

    def rewind(self, length: int) -> None:
        while len(self._text) > length:
            self._text.pop()
            for key in self._suffixes():
                positions = self._followers[key]
                positions.pop()
                if not positions:
                    del self._followers[key]

    @property
    def behind(self) -> int:
        """Nothing is ever left to be read. (`Foresight`)"""
        return 0

    def source(self) -> str | None:
        """How long the match is, which says much about how far a copy will be right."""
        match = self.match()
        return SOURCES[match] if match else None

    def propose(self, k: int, sampler: "Sampler") -> Draft:
        order = self.match()
        return Draft(self._continuation(self._followers[tuple(self._text[-order:])][-1], k)) if order else Draft()

    def match(self) -> int:
        """Tokens of the longest match, one of ORDERS; 0 without any."""
        text, followers = self._text, self._followers
        shortest = ORDERS[-1]
        if tuple(text[-shortest:]) not in followers:  # most often; then no longer one is there either
            return 0
        return next(n for n in ORDERS if n <= len(text) and tuple(text[-n:]) in followers)

    def _suffixes(self) -> list[tuple[int, ...]]:
        return [tuple(self._text[-n:]) for n in ORDERS if n <= len(self._text)]

    def _continuation(self, start: int, k: int) -> tuple[int, ...]:
        """k tokens from `start`; past the end of the text the draft goes on copying itself, as a repetition would."""
        copied = self._text[start : start + k]
        while len(copied) < k:
            copied.append(copied[start + len(copied) - len(self._text)])
        return tuple(copied)
