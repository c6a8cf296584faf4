"""A smaller model with the target's vocabulary writes ahead."""

from collections.abc import Iterable, Sequence
from functools import partial
from math import prod

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from inference.common_prefix import common_prefix
from inference.device import same_device
from inference.drafters.background import Background, Job, Stopped
from inference.drafters.drafter import Draft
from inference.models.causal_model import Cache, CausalModel, Movable
from inference.sampling import Sampler, Weights, draw, stacked

CHUNK = 256  # tokens that are taken in at once
SHORTEST_WINDOW, LONGEST_WINDOW = 32, 512  # tokens that are read in a hurry
LEAST_CHANCE = 0.4  # that all of a greedy draft stands: below it another token costs more than it brings


class ModelDrafter:
    """Drafts with `model`. Committed tokens queue until the next proposal and are then taken in together.

    After `catch_up` it may know only the end of the text, from `_start` on, which makes it a worse draft and no more.
    vocabulary_size is the target's width of a row; forbidden tokens mean something else to this model. read_s: seconds
    it takes to read a token, many at a time; 0 when that is not known. least_chance: a greedy draft ends once the
    model gives all of it together less; what is drafted while the target verifies costs nothing and never ends so.

    background: where it drafts on while the target verifies, on another device than the target's: as if all it proposed
    were accepted and the target's next token were its own guess. Where that is so, the next draft is there already, or
    a part of it; else it is forgotten, and the cache is cut to what is right.
    """

    def __init__(
        self,
        model: CausalModel,
        name: str,
        vocabulary_size: int,
        forbidden: Iterable[int] = (),
        read_s: float = 0.0,
        *,
        background: Background | None = None,
        least_chance: float = 0.0,
    ) -> None:
        self.name = name
        self._model = model
        self._width = vocabulary_size
        self._forbidden = torch.tensor(sorted(t for t in forbidden if t < vocabulary_size), dtype=torch.long)
        self._forbidden = self._forbidden.to(model.device)
        self._read_s = read_s
        self._background = background
        self._least_chance = least_chance
        self._cache: Cache = model.new_cache()
        self._text: list[int] = []
        self._start = 0  # where in the text the cache begins
        self._drafted: list[int] = []  # what follows the text; the cache holds all of it but the last
        self._rows: list[Weights] = []  # the distributions they were drawn from, if they were
        self._chances: list[float] = []  # how sure it is of each, where it was not drawn
        self._asked_by: Sampler | None = None  # for whom that was drafted
        self._sampler: Sampler | None = None  # with which
        self._proposed = 0  # of what was drafted
        self.ready = 0  # of the last proposal, what was there before it was asked for (`DraftsAhead`)
        self._job: Job | None = None
        self._failure: BaseException | None = None  # of drafting on

    @property
    def length(self) -> int:
        return len(self._text)

    @property
    def nbytes(self) -> int:
        return self._cache.nbytes

    @property
    def card_bytes(self) -> int:
        """See `Movable`."""
        return self._cache.card_bytes if isinstance(self._cache, Movable) else 0

    def park(self) -> None:
        self._settle()
        if isinstance(self._cache, Movable):
            self._cache.park()

    @property
    def behind(self) -> int:
        """Tokens of the text that it has not read."""
        return max(0, len(self._text) - self._start - self._cache.length)

    def source(self) -> str | None:
        """There is only one. (`Sourced`)"""
        return "model"

    def copy(self, length: int) -> "ModelDrafter":
        self._settle()
        other = ModelDrafter(
            self._model,
            self.name,
            self._width,
            self._forbidden.tolist(),
            self._read_s,
            background=self._background,
            least_chance=self._least_chance,
        )
        other._start = self._start if length > self._start else 0
        held = min(length - self._start, self._cache.length)
        if held > 0:
            other._cache = self._cache.copy(held)
        other._text = self._text[:length]
        return other

    def commit(self, tokens: Sequence[int]) -> None:
        self._settle()
        common = common_prefix(self._drafted, tokens)
        if common == len(tokens):  # what was drafted beyond them may come true as well
            del self._drafted[:common], self._rows[:common], self._chances[:common]
        else:
            self._truncate(len(self._text) + common)
        # A padded row of the target may have none here. What the draft reads in its place only makes a worse draft.
        self._text.extend(token if token < self._model.vocabulary_size else 0 for token in tokens)

    def rewind(self, length: int) -> None:
        self._settle()
        if length <= self._start:
            self._start = 0
            self._cache.truncate(0)
            self._forget()
        else:
            self._truncate(length)
        del self._text[length:]

    def catch_up(self, seconds: float) -> None:
        """Read what is queued, or as much of its end as that time allows."""
        self._settle()
        window = int(seconds / self._read_s) if self._read_s else SHORTEST_WINDOW
        window = min(max(window, SHORTEST_WINDOW), LONGEST_WINDOW)
        if self.behind > window:
            self._cache.truncate(0)
            self._start = len(self._text) - window
            self._forget()
        while (pending := self._pending()) and self.behind > 1:
            self._model.forward(pending[: self.behind - 1], self._cache)

    def propose(self, k: int, sampler: Sampler) -> Draft:
        self._settle()
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        k = min(k, self._room)
        if k < 1 or not self._text:
            return Draft()
        self._serve(sampler)
        self.ready, self._proposed = min(k, len(self._drafted)), k
        self._draft(k, least_chance=self._least_chance)
        return Draft(tuple(self._drafted[:k]), stacked(self._rows[:k]) if self._rows else None)

    def go_on(self) -> None:
        """Draft the next proposal while the target judges this one. (`DraftsAhead`)"""
        if self._background is not None and self._job is None:
            self._job = self._background.start(partial(self._draft, min(2 * self._proposed + 1, self._room)))

    def rest(self) -> None:
        """Forget what was drafted, and for whom. (`DraftsAhead`)"""
        self._settle()
        self._truncate(len(self._text))
        self._asked_by = self._sampler = self._failure = None

    @property
    def _room(self) -> int:
        """Tokens that could be drafted."""
        return self._model.context_length - (len(self._text) - self._start)

    def _serve(self, sampler: Sampler) -> None:
        """What was drafted for another reply was drawn otherwise."""
        if sampler is self._asked_by:
            return
        self._truncate(len(self._text))
        self._asked_by = self._sampler = sampler
        if self._background is not None or not same_device(self._model.device, sampler.device):
            self._sampler = sampler.twin(self._model.device)

    def _draft(self, count: int, stopped: Stopped = lambda: False, *, least_chance: float = 0.0) -> None:
        """Until so many tokens follow the text, or the last of them hardly stands. What is drawn is never cut short by
        what it is: that would be another distribution."""
        sampler = self._sampler
        assert sampler is not None
        while len(self._drafted) < count and prod(self._chances) >= least_chance and not stopped():
            last = self._drafted[-1:]
            logits = self._model.forward(last, self._cache) if last else self._take_in()
            logits = self._fitted(logits)
            distribution = sampler.distribution(logits, self._drafted)
            if distribution.probabilities is None:
                self._drafted.append(distribution.tokens[0])
                self._chances.append(chance_of(logits, distribution.tokens[0]))
            else:
                self._rows.append(distribution.probabilities[0])
                self._drafted.append(draw(self._rows[-1], sampler.generator))

    def _settle(self) -> None:
        """Nobody drafts on."""
        if self._job is not None:
            job, self._job = self._job, None
            self._failure = job.end()

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
        self._forget()

    def _forget(self) -> None:
        self._drafted.clear()
        self._rows.clear()
        self._chances.clear()

    def _fitted(self, logits: Tensor) -> Tensor:
        """The draft's row in the target's width: padded rows of either are no tokens."""
        if logits.shape[-1] == self._width and not len(self._forbidden):
            return logits
        fitted = logits.new_full((logits.shape[0], self._width), -torch.inf)
        width = min(self._width, logits.shape[-1])
        fitted[:, :width] = logits[:, :width]
        fitted[:, self._forbidden] = -torch.inf
        return fitted


def chance_of(logits: Tensor, token: int) -> float:
    """How sure a row of logits [1, vocabulary] is of a token; 1 where they are on a card, since asking takes as long as
    drafting."""
    if logits.device.type != "cpu":
        return 1.0
    row: NDArray[np.float32] = logits[0].numpy()
    return float(1.0 / np.exp(row - row[token]).sum())
