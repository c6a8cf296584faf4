"""The interface of everything that writes ahead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import torch

    from inference.sampling import Sampler


@dataclass(frozen=True)
class Draft:
    """Proposed tokens. probabilities [k, vocabulary] are the distributions they were drawn from.

    None for a point draft, whose tokens were chosen without chance (n-gram, greedy draft): a one-hot q.
    """

    tokens: tuple[int, ...] = ()
    probabilities: "torch.Tensor | None" = None

    def __len__(self) -> int:
        return len(self.tokens)


class Proposer(Protocol):
    """Proposes the tokens that follow the committed text."""

    @property
    def name(self) -> str:
        """For the log, the window and the statistics, e.g. "n-gram" or "SmolLM2-135M"."""
        ...

    def propose(self, k: int, sampler: "Sampler") -> Draft:
        """Up to k tokens that may follow the text; fewer, or none, when it has no guess."""
        ...


class Drafter(Proposer, Protocol):
    """A proposer with its own copy of the text (or a cache of it), which a session keeps in step."""

    @property
    def length(self) -> int:
        """How many tokens of the text it has been told of."""
        ...

    def commit(self, tokens: Sequence[int]) -> None:
        """These tokens now follow the text. Cheap: a model queues them until it next proposes."""
        ...

    def rewind(self, length: int) -> None:
        """Forget the text from `length` on."""
        ...

    def copy(self, length: int) -> "Drafter":
        """An independent drafter that was told the first `length` tokens of the text."""
        ...
