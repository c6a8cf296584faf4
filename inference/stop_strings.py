"""Stop strings: a reply ends before the first of them, wherever the borders between tokens lie."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from inference.events import Piece


class StopStrings:
    """Lets pieces of text through, holds back what may be the beginning of a stop string, and ends at one.

    The stop string that begins earliest wins, so what is shown depends only on the text and never on how it was cut:
    when a stop string is complete while one that began before it may still become so, that is waited for.
    """

    def __init__(self, stops: Iterable[str]) -> None:
        self._stops = tuple(dict.fromkeys(stops))
        if not all(self._stops):
            raise ValueError("a stop string must not be empty")
        self._held: list[Piece] = []
        self._stopped = False

    @property
    def held(self) -> int:
        """Characters that are held back now."""
        return sum(len(piece.text) for piece in self._held)

    @property
    def stopped(self) -> bool:
        return self._stopped

    def push(self, pieces: Sequence[Piece]) -> tuple[list[Piece], bool]:
        """The pieces that may be shown now, and whether the reply ends here. After that nothing is shown any more."""
        if self._stopped:
            return [], True
        self._held += [piece for piece in pieces if piece.text]
        text = "".join(piece.text for piece in self._held)
        start = self._start(text)
        possible = min(self._possible(text, stop) for stop in self._stops) if self._stops else len(text)
        if start is not None and start <= possible:
            return self._end(start), True
        return self._take(possible), False

    def flush(self) -> tuple[list[Piece], bool]:
        """No more text comes: what was held back, up to a stop string if one is in it."""
        if self._stopped:
            return [], True
        start = self._start("".join(piece.text for piece in self._held))
        return (self._take(self.held), False) if start is None else (self._end(start), True)

    def _start(self, text: str) -> int | None:
        """Where the earliest complete stop string begins."""
        return min((at for stop in self._stops if (at := text.find(stop)) >= 0), default=None)

    @staticmethod
    def _possible(text: str, stop: str) -> int:
        """Where the longest ending of `text` begins that is a beginning of `stop`; the end of the text if none is."""
        longest = min(len(stop) - 1, len(text))
        return len(text) - next((n for n in range(longest, 0, -1) if text.endswith(stop[:n])), 0)

    def _end(self, start: int) -> list[Piece]:
        shown = self._take(start)
        self._held.clear()
        self._stopped = True
        return shown

    def _take(self, count: int) -> list[Piece]:
        """Remove the first `count` characters from what is held, as pieces of the same origins."""
        taken: list[Piece] = []
        while count > 0:
            piece = self._held.pop(0)
            taken.append(replace(piece, text=piece.text[:count]))
            if len(piece.text) > count:
                self._held.insert(0, replace(piece, text=piece.text[count:]))
            count -= len(piece.text)
        return taken
