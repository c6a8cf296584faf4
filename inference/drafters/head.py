"""A trained head on the target's own hidden states writes ahead (`inference.heads.head`)."""

from collections.abc import Sequence

from torch import Tensor

from inference.drafters.drafter import Draft
from inference.drafters.feature_queue import FeatureQueue
from inference.heads.runner import HeadRunner
from inference.models.causal_model import Cache
from inference.sampling import Sampler

LEAST = 0.2  # chance of a draft below which one more token costs more, in drafting and verifying, than it brings
CHUNK = 256  # features that wait at the most: a row weighs as much as a page of text


class HeadDrafter:
    """Point drafts, greedy at any temperature, as long as the head is confident.

    The entry of position s reads token s and the features of position s - 1, so the cache holds entries of the
    positions `first` to `next` - 1, and features of `next` - 1 and later wait in the queue. Where features are missing
    (the target kept that part of the text from before this drafter was there), and where more of them wait than the
    runner's reach, the cache starts anew behind the gap: positions are relative, so a head that has seen less merely
    knows less.
    """

    def __init__(self, runner: HeadRunner, name: str) -> None:
        self.name = name
        self._runner = runner
        self._text: list[int] = []
        self._cache: Cache = runner.new_cache()
        self._first = 1  # position of the first entry
        self._queue = FeatureQueue()  # from `_next` - 1 on

    @property
    def length(self) -> int:
        return len(self._text)

    @property
    def nbytes(self) -> int:
        return self._cache.nbytes

    @property
    def depths(self) -> tuple[int, ...]:
        return self._runner.depths

    @property
    def behind(self) -> int:
        """Entries that must be read before it can propose."""
        missing = min(self._queue.end, len(self._text) - 1) - self._queue.first
        return max(0, min(missing, self._runner.reach))

    def source(self) -> str | None:
        """There is only one, once the features of the token before the last are there. (`Sourced`)"""
        return "head" if self._queue.first < len(self._text) - 1 <= self._queue.end else None

    @property
    def _next(self) -> int:
        """The position whose entry comes next."""
        return self._first + self._cache.length

    def observe(self, position: int, features: Tensor) -> None:
        queue = self._queue
        if position > queue.end or not (self._cache.length or queue):  # a gap, or a beginning
            queue = self._queue = FeatureQueue(position)
            self._begin_anew()
        elif position < queue.first:  # read again
            known = queue.first - position
            if known >= len(features):
                return
            position, features = queue.first, features[known:]
        queue.append(position, features)
        if len(queue) >= CHUNK:
            self._take_in()

    def commit(self, tokens: Sequence[int]) -> None:
        self._text.extend(tokens)
        self._queue.cut(len(self._text) - 1)  # the last token has not been read, or is read again

    def rewind(self, length: int) -> None:
        del self._text[length:]
        self._queue.cut(length)
        if self._next > length:
            self._cache.truncate(max(0, length - self._first))
            self._queue = FeatureQueue(self._next - 1)

    def copy(self, length: int) -> "HeadDrafter":
        self._take_in()
        other = HeadDrafter(self._runner, self.name)
        other._text, other._first = self._text[:length], self._first
        other._cache = self._cache.copy(max(0, min(length - self._first, self._cache.length)))
        whole = other._next == self._next
        other._queue = self._queue.copy(length) if whole else FeatureQueue(other._next - 1)
        return other

    def catch_up(self, seconds: float) -> None:
        """At most `reach` entries are read: milliseconds."""
        self._take_in()

    def propose(self, k: int, sampler: Sampler) -> Draft:
        """None where the features of the token before the last are missing: after the next pass they are there."""
        k = min(k, self._runner.capacity - self._cache.length - len(self._queue))
        if k < 1 or self.source() is None:
            return Draft()
        return Draft(tuple(self._take_in(k)))

    def _take_in(self, k: int = 0) -> list[int]:
        """Read the queue, as far as the tokens that go with it are known, and draft k tokens.

        Without drafting the last entry waits, since the draft begins with what it puts out.
        """
        count = min(len(self._queue), len(self._text) - self._next) - (0 if k else 1)
        if count < 1:
            return []
        if count > self._runner.reach:
            self._queue.skip(count - self._runner.reach)
            self._begin_anew()
            count = self._runner.reach
        start = self._next
        features = self._queue.take(count)
        return self._runner.draft(self._text[start : start + count], features, self._cache, k, LEAST)

    def _begin_anew(self) -> None:
        """With the entry that the first waiting features belong to."""
        self._cache.truncate(0)
        self._first = self._queue.first + 1
