"""N-gram lookup: what followed the last time these words stood here? No model, no cost to speak of.

Prompt lookup decoding (Saxena 2023) with an index in place of a scan. Where the conversation itself has no match as
long, past texts may (`HistoryIndex`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from inference.common_prefix import common_prefix
from inference.drafters.drafter import Draft

if TYPE_CHECKING:
    from inference.drafters.history_index import HistoryIndex
    from inference.sampling import Sampler

ORDERS = (8, 5, 3, 2)  # longest match first; a single token says too little
SOURCES = {order: f"match of {order}" for order in ORDERS}
HISTORY_ORDERS = (12, 8, 5, 3)  # what a match in another text must have to be as strong as one of ORDERS here
HISTORY_SOURCES = {order: f"history of {order}" for order in HISTORY_ORDERS}
MOST = 16  # tokens that are looked up at once


class NgramDrafter:
    """Point drafts from the conversation itself, or from past ones.

    Every n-gram remembers where it was followed by something. A match in `history` is taken where it is stronger.
    """

    name = "n-gram"

    def __init__(self, history: "HistoryIndex | None" = None) -> None:
        self.history = history
        self._text: list[int] = []
        self._followers: dict[tuple[int, ...], list[int]] = {}  # n-gram -> positions right behind it, ascending
        self._found: tuple[int, int, tuple[int, ...]] | None = None  # what `_look` found, until the text changes
        self._drafted: tuple[int, ...] = ()  # from the history, and not judged yet

    @property
    def length(self) -> int:
        return len(self._text)

    def copy(self, length: int) -> "NgramDrafter":
        other = NgramDrafter(self.history)
        other.commit(self._text[:length])
        return other

    def commit(self, tokens: Sequence[int]) -> None:
        self._found = None
        if self._drafted and self.history is not None:
            self.history.proposed += len(self._drafted)
            self.history.accepted += common_prefix(self._drafted, tokens)
            self._drafted = ()
        for token in tokens:
            for key in self._suffixes():
                self._followers.setdefault(key, []).append(len(self._text))
            self._text.append(token)

    def rewind(self, length: int) -> None:
        self._found, self._drafted = None, ()
        while len(self._text) > length:
            self._text.pop()
            for key in self._suffixes():
                positions = self._followers[key]
                positions.pop()
                if not positions:
                    del self._followers[key]

    @property
    def behind(self) -> int:
        """Nothing is ever left to be read. (`Sourced`)"""
        return 0

    def source(self) -> str | None:
        """How long the match is, and where, which says much about how far a copy will be right."""
        order, past, _ = self._look()
        if past:
            return HISTORY_SOURCES[past]
        return SOURCES[order] if order else None

    def propose(self, k: int, sampler: "Sampler") -> Draft:
        order, past, tokens = self._look()
        if past:
            self._drafted = tokens[:k]
            return Draft(self._drafted, past=True)
        return Draft(self._continuation(self._followers[tuple(self._text[-order:])][-1], k)) if order else Draft()

    def match(self) -> int:
        """How strong the match is: one of ORDERS, the longest in this text or its equal in another; 0 without any."""
        return self._look()[0]

    def _look(self) -> tuple[int, int, tuple[int, ...]]:
        """Strength as one of ORDERS, and for a match in another text one of HISTORY_ORDERS and what followed there."""
        if self._found is None:
            own = self._own_match()
            self._found = own, 0, ()
            if self.history is not None and own < ORDERS[0]:
                found = self.history.find(self._text, MOST)
                past = next((n for n in HISTORY_ORDERS if n <= found.length), 0) if found.tokens else 0
                strength = ORDERS[HISTORY_ORDERS.index(past)] if past else 0
                if strength > own:
                    self._found = strength, past, found.tokens
        return self._found

    def _own_match(self) -> int:
        """Tokens of the longest match in this text, one of ORDERS; 0 without any."""
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
