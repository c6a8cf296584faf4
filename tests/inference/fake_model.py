"""A model whose next token is a hash of all that its cache holds: any drift of the cache changes the reply."""

from collections.abc import Sequence

import torch

VOCABULARY = 64


def next_token(text: Sequence[int]) -> int:
    """What the fake model says after `text`; never 0, which tests use as the end token."""
    state = 17
    for token in text:
        state = (state * 31 + token + 7) % 1_000_003
    return 1 + state % (VOCABULARY - 1)


def continuation(text: Sequence[int], count: int) -> list[int]:
    longer = list(text)
    for _ in range(count):
        longer.append(next_token(longer))
    return longer[len(text) :]


class FakeCache:
    """Can go back only to multiples of `step`, as caches with checkpoints do."""

    def __init__(self, step: int) -> None:
        self.tokens: list[int] = []
        self._step = step

    @property
    def length(self) -> int:
        return len(self.tokens)

    @property
    def nbytes(self) -> int:
        return len(self.tokens)

    def truncate(self, new_length: int) -> int:
        if new_length < self.length:
            del self.tokens[new_length - new_length % self._step :]
        return self.length

    def copy(self, length: int) -> "FakeCache":
        assert length <= self.length, "a cache cannot copy what it does not hold"
        other = FakeCache(self._step)
        other.tokens = self.tokens.copy()
        other.truncate(length)
        return other


class FakeModel:
    """Implements CausalModel. `read` counts the tokens of all passes."""

    vocabulary_size = VOCABULARY
    nbytes = 0
    device = torch.device("cpu")
    description = "fake"
    own_threads = False

    def __init__(self, step: int = 1, context_length: int = 10_000) -> None:
        self.context_length = context_length
        self.read = 0
        self._step = step

    def new_cache(self) -> FakeCache:
        return FakeCache(self._step)

    def forward(self, tokens: Sequence[int], cache: FakeCache, rows: int = 1) -> torch.Tensor:
        assert 1 <= rows <= len(tokens)
        assert cache.length + len(tokens) <= self.context_length
        self.read += len(tokens)
        logits = torch.zeros(len(tokens), VOCABULARY)
        for row, token in zip(logits, tokens, strict=True):
            cache.tokens.append(token)
            row[next_token(cache.tokens)] = 10.0
        return logits[-rows:]
