"""A reply's text as it grows: tokens become whole characters, end tokens and stop strings end it."""

from inference.decode import Committed
from inference.detokenizer import Detokenizer
from inference.events import FinishReason, Piece
from inference.stop_strings import StopStrings


class ReplyText:
    """Takes the committed tokens of each round and says how many of them stand, and what may be shown."""

    def __init__(
        self, detokenizer: Detokenizer, stops: StopStrings, end_tokens: frozenset[int], max_tokens: int
    ) -> None:
        self._detokenizer = detokenizer
        self._stops = stops
        self._end_tokens = end_tokens
        self._room = max_tokens
        self._round = 0
        self._ends: list[int] = []  # characters decoded after each token
        self._shown = 0  # characters shown
        self._pieces: list[Piece] = []
        self.finish_reason: FinishReason | None = None

    def cut(self, committed: Committed) -> int:
        """See `inference.decode.Cut`."""
        self._round += 1
        for i, (token, origin) in enumerate(zip(committed.tokens, committed.origins, strict=True)):
            if token in self._end_tokens:
                self.finish("end")
                return i + 1
            text = self._detokenizer.push(token)
            self._ends.append((self._ends[-1] if self._ends else 0) + len(text))
            shown, stopped = self._stops.push([Piece(text, origin, self._round)] if text else [])
            self._show(shown)
            if stopped:
                self.finish_reason = "stop_string"
                return i + 1 - self._hidden()
            self._room -= 1
            if self._room == 0:
                self.finish("length")
                return i + 1
        return len(committed.tokens)

    def take(self) -> tuple[Piece, ...]:
        """What may be shown since the last call."""
        pieces, self._pieces = tuple(self._pieces), []
        return pieces

    def finish(self, reason: FinishReason) -> None:
        """Nothing follows: what was held back in case a character or a stop string became whole is shown now."""
        self.finish_reason = reason
        rest = self._detokenizer.flush()
        for shown, _ in (self._stops.push([Piece(rest, "plain", self._round)]), self._stops.flush()):
            self._show(shown)

    def _show(self, pieces: list[Piece]) -> None:
        self._shown += sum(len(piece.text) for piece in pieces)
        self._pieces.extend(pieces)

    def _hidden(self) -> int:
        """Tokens at the end of which some text must not be shown."""
        hidden = 0
        while hidden < len(self._ends) and self._ends[-1 - hidden] > self._shown:
            hidden += 1
        return hidden
