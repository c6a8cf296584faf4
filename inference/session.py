"""The text of one chat as the models hold it: tokens, the target's cache, and the drafters that follow along."""

from collections.abc import Sequence
from typing import TypeVar

from torch import Tensor

from inference.common_prefix import common_prefix
from inference.drafters.drafter import Drafter, FeatureReader
from inference.models.causal_model import Cache, CausalModel, FeatureModel, Lasting, Movable

D = TypeVar("D", bound=Drafter)
LONGEST_GAP = 16  # tokens a cache that cannot roll back exactly may lag behind before they are read by themselves


class Session:
    """Invariant between calls: the cache holds a prefix of `tokens`, and every drafter was told all of `tokens`."""

    def __init__(self, model: CausalModel, cache: Cache | None = None) -> None:
        self._model = model
        self._shown = model if isinstance(model, FeatureModel) else None
        self._depths: tuple[int, ...] = ()  # of the target's features, what drafters read
        self._readers: list[tuple[FeatureReader, list[int] | None]] = []  # these, and which of the depths; None: all
        self._cache = cache or model.new_cache()
        self.most = model.context_length  # tokens that the text may have
        self.tokens: list[int] = []
        self.drafters: dict[str, Drafter] = {}

    @property
    def nbytes(self) -> int:
        return self._cache.nbytes + sum(getattr(drafter, "nbytes", 0) for drafter in self.drafters.values())

    @property
    def card_bytes(self) -> int:
        """Of `nbytes`, what lies on a card and could wait in the computer's memory."""
        return sum(one.card_bytes for one in self._movable)

    def park(self) -> None:
        """Have it wait in the computer's memory. What is read next brings it back, exactly."""
        for one in self._movable:
            if one.card_bytes:
                one.park()

    @property
    def _movable(self) -> list[Movable]:
        return [one for one in (self._cache, *self.drafters.values()) if isinstance(one, Movable)]

    @property
    def room(self) -> int:
        """Tokens that may still be added."""
        return self.most - len(self.tokens)

    def copy(self, length: int) -> "Session":
        """An independent session about the first `length` tokens, for a chat that goes on differently."""
        other = Session(self._model, self._cache.copy(min(length, self._cache.length)))
        other.tokens = self.tokens[:length]
        for kind, drafter in self.drafters.items():
            other._join(kind, drafter.copy(length))
        return other

    def add_drafter(self, kind: str, drafter: D) -> D:
        drafter.commit(self.tokens)
        self._join(kind, drafter)
        return drafter

    def drop_drafter(self, kind: str) -> None:
        self.drafters.pop(kind, None)
        self._find_readers()

    def _join(self, kind: str, drafter: Drafter) -> None:
        self.drafters[kind] = drafter
        self._find_readers()

    def _find_readers(self) -> None:
        readers = [drafter for drafter in self.drafters.values() if isinstance(drafter, FeatureReader)]
        depths = self._depths = tuple(sorted({depth for reader in readers for depth in reader.depths}))
        self._readers = [
            (reader, None if reader.depths == depths else [depths.index(depth) for depth in reader.depths])
            for reader in readers
        ]

    def mend(self, *, renew: bool = False) -> None:
        """After something broke off for want of memory: what it may have left half done is forgotten.

        The text stays. Drafters go and can be added again; a cache that a broken pass may have harmed, and with `renew`
        any, is replaced by an empty one, which the next pass fills.
        """
        self.drafters.clear()
        self._find_readers()
        if renew or not isinstance(self._cache, Lasting):
            self._cache = self._model.new_cache()
        elif self._cache.length > len(self.tokens):
            self._cache.truncate(len(self.tokens))

    @property
    def missing(self) -> int:
        """Tokens that the cache lacks."""
        return len(self.tokens) - self._cache.length

    def rewind(self, length: int) -> None:
        """Forget the text from `length` on."""
        if self._cache.length > length:
            self._cache.truncate(length)
        for drafter in self.drafters.values():
            drafter.rewind(length)
        del self.tokens[length:]

    def begin(self, prompt: Sequence[int]) -> int:
        """The text is now `prompt`. Returns how many of its tokens need not be read again (never all of them)."""
        shared = common_prefix(self.tokens, prompt)
        self.rewind(shared)
        if self._readers and self._cache.length == shared > 0:
            self._cache.truncate(shared - 1)  # features of the last token that stays go with the first that is new
        fresh = prompt[len(self.tokens) :]
        self.tokens.extend(fresh)
        for drafter in self.drafters.values():
            drafter.commit(fresh)
        self._leave_the_last()
        return self._cache.length

    def read(self, most: int) -> int:
        """Prefill: read up to `most` tokens that the cache lacks, but never the last. Returns what the cache holds."""
        start = self._cache.length
        if chunk := self.tokens[start : min(start + most, len(self.tokens) - 1)]:
            self._pass(chunk, 1)
        return self._cache.length

    def forward(self, draft: Sequence[int]) -> Tensor:
        """One pass over what the cache lacks and the draft; logits [len(draft) + 1, vocabulary]."""
        if len(self.tokens) - self._cache.length > LONGEST_GAP:
            self.read(len(self.tokens))
        self._leave_the_last()
        pending = self.tokens[self._cache.length :]
        return self._pass([*pending, *draft], len(draft) + 1)

    def _pass(self, tokens: Sequence[int], rows: int) -> Tensor:
        """One pass of the target, and what its layers leave behind for the drafters that read that."""
        start = self._cache.length
        if self._shown is not None:
            self._shown.observe(self._depths)
        logits = self._model.forward(tokens, self._cache, rows=rows)
        if self._shown is not None and self._readers:
            features = self._shown.features()
            for reader, columns in self._readers:
                reader.observe(start, features if columns is None else features[:, columns])
        return logits

    def _leave_the_last(self) -> None:
        """The last token's logits are what the next pass is for, so the cache must not hold it yet."""
        if self._cache.length >= len(self.tokens):
            self._cache.truncate(len(self.tokens) - 1)

    def commit(self, tokens: Sequence[int], accepted: int) -> None:
        """After a pass: `tokens` follow the text, the first `accepted` of them were in the pass."""
        valid = len(self.tokens) + min(accepted, len(tokens))
        if self._cache.length > valid:
            self._cache.truncate(valid)
        self.tokens.extend(tokens)
        for drafter in self.drafters.values():
            drafter.commit(tokens)
