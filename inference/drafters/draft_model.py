"""A smaller model with the target's vocabulary writes ahead."""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from inference.common_prefix import common_prefix
from inference.drafters.drafter import Draft
from inference.models.causal_model import Cache, CausalModel
from inference.sampling import Sampler, Weights, draw, stacked

CHUNK = 256  # tokens that are taken in at once
SHORTEST_WINDOW, LONGEST_WINDOW = 32, 512  # tokens that are read in a hurry


class ModelDrafter:
    """Drafts with `model`. Committed tokens queue until the next proposal and are then taken in together.

    After `catch_up` it may know only the end of the text, from `_start` on, which makes it a worse draft and no more.
    vocabulary_size is the target's width of a row; forbidden tokens mean something else to this model. read_s: seconds
    it takes to read a token, many at a time; 0 when that is not known.
    """

    def __init__(
        self,
        model: CausalModel,
        name: str,
        vocabulary_size: int,
        forbidden: Iterable[int] = (),
        read_s: float = 0.0,
    ) -> None:
        self.name = name
        self._model = model
        self._width = vocabulary_size
        self._forbidden = torch.tensor(sorted(t for t in forbidden if t < vocabulary_size), dtype=torch.long)
        self._read_s = read_s
        self._cache: Cache = model.new_cache()
        self._text: list[int] = []
        self._start = 0  # where in the text the cache begins
        self._ahead: tuple[int, ...] = ()  # drafted tokens that the cache holds beyond the text

    @property
    def length(self) -> int:
        return len(self._text)

    @property
    def nbytes(self) -> int:
        return self._cache.nbytes

    @property
    def behind(self) -> int:
        """Tokens of the text that it has not read."""
        return max(0, len(self._text) - self._start - self._cache.length)

    def source(self) -> str | None:
        """There is only one. (`Foresight`)"""
        return "model"

    def copy(self, length: int) -> "ModelDrafter":
        other = ModelDrafter(self._model, self.name, self._width, self._forbidden.tolist(), self._read_s)
        other._start = self._start if length > self._start else 0
        held = min(length - self._start, self._cache.length)
        if held > 0:
            other._cache = self._cache.copy(held)
        other._text = self._text[:length]
        return other

    def commit(self, tokens: Sequence[int]) -> None:
        self._truncate(len(self._text) + common_prefix(self._ahead, tokens))
        # A padded row of the target may have none here. What the draft reads in its place only makes a worse draft.
        self._text.extend(token if token < self._model.vocabulary_size else 0 for token in tokens)

    def rewind(self, length: int) -> None:
        if length <= self._start:
            self._start = 0
            self._cache.truncate(0)
            self._ahead = ()
        else:
            self._truncate(length)
        del self._text[length:]

    def catch_up(self, seconds: float) -> None:
        """Read what is queued, or as much of its end as that time allows."""
        window = int(seconds / self._read_s) if self._read_s else SHORTEST_WINDOW
        window = min(max(window, SHORTEST_WINDOW), LONGEST_WINDOW)
        if self.behind > window:
            self._cache.truncate(0)
            self._start, self._ahead = len(self._text) - window, ()
        while (pending := self._pending()) and self.behind > 1:
            self._model.forward(pending[: self.behind - 1], self._cache)

    def propose(self, k: int, sampler: Sampler) -> Draft:
        k = min(k, self._model.context_length - (len(self._text) - self._start))
        if k < 1 or not self._text:
            return Draft()
        logits = self._take_in()
        tokens: list[int] = []
        rows: list[Weights] = []
        while True:
            distribution = sampler.distribution(self._fitted(logits), tokens)
            if distribution.probabilities is None:
                tokens.append(distribution.tokens[0])
            else:
                rows.append(distribution.probabilities[0])
                tokens.append(draw(rows[-1], sampler.generator))
            if len(tokens) == k:
                break
            logits = self._model.forward(tokens[-1:], self._cache)
            self._ahead = tuple(tokens)
        return Draft(tuple(tokens), stacked(rows) if rows else None)

    def _pending(self) -> list[int]:
        """The next tokens to be read."""
        start = self._start + self._cache.length
        return self._text[start : start + CHUNK]

    def _take_in(self) -> Tensor:
        """Read what is queued; at least the last token, whose logits are the first proposal. [1, vocabulary]"""
        if not self.behind:
            self._truncate(len(self._text) - 1)
        logits = torch.empty(0)
        while pending := self._pending():
            logits = self._model.forward(pending, self._cache)
        return logits

    def _truncate(self, length: int) -> None:
        """Of the text; at least what it starts with."""
        held = max(0, length - self._start)
        if self._cache.length > held:
            self._cache.truncate(held)
        self._ahead = ()

    def _fitted(self, logits: Tensor) -> Tensor:
        """The draft's row in the target's width: padded rows of either are no tokens."""
        if logits.shape[-1] == self._width and not len(self._forbidden):
            return logits
        fitted = logits.new_full((logits.shape[0], self._width), -torch.inf)
        width = min(self._width, logits.shape[-1])
        fitted[:, :width] = logits[:, :width]
        fitted[:, self._forbidden] = -torch.inf
        return fitted
