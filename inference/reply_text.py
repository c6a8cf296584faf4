"""A reply's text as it grows: tokens become whole characters, end tokens and stop strings end it."""

from inference.decode import Committed
from inference.detokenizer import Detokenizer
from inference.events import FinishReason, Origin, Piece
from inference.stop_strings import StopStrings


class ReplyText:
    """Takes the committed tokens of each round and says how many of them stand, and what may be shown.

    Tokens become text when somebody asks for it, many at a time; only stop strings must be looked for token by token.
    """

    def __init__(
        self, detokenizer: Detokenizer, stops: StopStrings | None, end_tokens: frozenset[int], max_tokens: int
    ) -> None:
        self._detokenizer = detokenizer
        self._stops = stops
        self._end_tokens = end_tokens
        self._room = max_tokens
        self.rounds = 0  # that have been cut
        self._unread: list[tuple[int, Origin, int]] = []  # token, origin, round
        self._ends: list[int] = []  # characters decoded after each token, where stop strings are looked for
        self._shown = 0  # characters shown
        self._pieces: list[Piece] = []
        self.finish_reason: FinishReason | None = None

    def cut(self, committed: Committed) -> int:
        """See `inference.decode.Cut`."""
        self.rounds += 1
        for i, token in enumerate(committed.tokens):
            if token in self._end_tokens:
                self.finish("end")
                return i + 1
            self._unread.append((token, committed.origins[i], self.rounds))
            if self._stops is not None:
                self._read()
                if self._stops.stopped:
                    self.finish_reason = "stop_string"
                    return i + 1 - self._hidden()
            self._room -= 1
            if self._room == 0:
                self.finish("length")
                return i + 1
        return len(committed.tokens)

    def take(self) -> tuple[Piece, ...]:
        """What may be shown since the last call."""
        self._read()
        pieces, self._pieces = tuple(self._pieces), []
        return pieces

    def finish(self, reason: FinishReason) -> None:
        """Nothing follows: what was held back in case a character or a stop string became whole is shown now."""
        self.finish_reason = reason
        self._read()
        self._show(self._detokenizer.flush(), "plain", self.rounds)
        if self._stops is not None:
            self._pieces.extend(self._stops.flush()[0])

    def _read(self) -> None:
        """Turn what is unread into pieces."""
        for token, origin, number in self._unread:
            self._show(self._detokenizer.push(token), origin, number)
        self._unread.clear()

    def _show(self, text: str, origin: Origin, number: int) -> None:
        """Text that one token completed, unless a stop string forbids or may yet forbid it."""
        if self._stops is None:
            if text:
                self._pieces.append(Piece(text, origin, number))
            return
        self._ends.append((self._ends[-1] if self._ends else 0) + len(text))
        pieces, _ = self._stops.push([Piece(text, origin, number)])
        self._shown += sum(len(piece.text) for piece in pieces)
        self._pieces.extend(pieces)

    def _hidden(self) -> int:
        """Tokens at the end of which some text must not be shown."""
        hidden = 0
        while hidden < len(self._ends) and self._ends[-1 - hidden] > self._shown:
            hidden += 1
        return hidden
