"""The one interface behind which every language model stands, target or draft."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import torch


class Cache(Protocol):
    """Keys and values (or recurrent states) of the first `length` tokens of one text, for one model."""

    @property
    def length(self) -> int: ...

    @property
    def nbytes(self) -> int: ...

    def truncate(self, new_length: int) -> int:
        """Forget everything from `new_length` on and return the length that remains.

        A cache that can roll back exactly returns `new_length`. One that cannot (a window slid past it, a recurrent
        state has no checkpoint there) goes back to the nearest point it can restore, at worst 0, and returns that:
        the caller reads the missing tokens again. Never silently wrong.
        """
        ...

    def copy(self, length: int) -> "Cache":
        """An independent cache of the first `length` tokens it holds (or fewer, as `truncate` would leave)."""
        ...


@runtime_checkable
class Lasting(Protocol):
    """A cache whose first `length` tokens a pass leaves as they are even when it breaks off for want of memory."""

    lasting: bool


@runtime_checkable
class Movable(Protocol):
    """A cache that can wait in the computer's memory while its text is not continued. The next pass brings it back."""

    @property
    def card_bytes(self) -> int:
        """Of `nbytes`, what lies on a card."""
        ...

    def park(self) -> None:
        """Move to the computer's memory, exactly. Raises as torch does where that has no room, and stays usable."""
        ...


class CausalModel(Protocol):
    """A causal language model. `forward` is the only hot function."""

    @property
    def vocabulary_size(self) -> int:
        """Width of a row of logits. May be padded beyond the tokenizer's vocabulary."""
        ...

    @property
    def context_length(self) -> int:
        """Most tokens a cache may hold."""
        ...

    @property
    def nbytes(self) -> int:
        """Bytes of weights held in memory."""
        ...

    @property
    def device(self) -> "torch.device": ...

    @property
    def own_threads(self) -> bool:
        """Whether it computes with threads of its own, which torch's would only get in the way of."""
        ...

    @property
    def description(self) -> str:
        """For the log and the window, e.g. "transformers adapter, float32" or "fused, int4"."""
        ...

    def new_cache(self) -> Cache:
        """An empty cache. It grows as needed up to `context_length`."""
        ...

    def forward(self, tokens: Sequence[int], cache: Cache, rows: int = 1) -> "torch.Tensor":
        """Append `tokens` to `cache` and return the logits of the last `rows` of them, float32 [rows, vocabulary_size].

        1 <= rows <= len(tokens); row i holds the distribution of the token after tokens[len(tokens) - rows + i].
        The result may be overwritten by the next forward of the same model.
        """
        ...


@runtime_checkable
class CacheFormats(Protocol):
    """A model whose new caches may hold keys and values at fewer bits."""

    cache_bits: int  # of the caches made from now on, one of `cache_formats`

    @property
    def cache_formats(self) -> tuple[int, ...]:
        """What it can do, falling: (16, 8, 4, 2)."""
        ...


@runtime_checkable
class FeatureModel(CausalModel, Protocol):
    """A model that shows what its layers leave behind: the residual stream, which a trained head reads.

    It costs nothing while nothing is observed.
    """

    def observe(self, depths: Sequence[int]) -> None:
        """From now on every forward keeps what its rows leave behind right after these layers; () for none.

        Layers by index. The transformers adapter knows one place more, behind the last: what the output layer reads.
        """
        ...

    def features(self) -> "torch.Tensor":
        """Of every row of the last forward, float32 [rows, depths, hidden]. It may be kept, and stays as it is."""
        ...
