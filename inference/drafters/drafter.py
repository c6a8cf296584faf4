"""The interface of everything that writes ahead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import torch

    from inference.sampling import Sampler, Weights


@dataclass(frozen=True)
class Draft:
    """Proposed tokens. probabilities [k, vocabulary] are the distributions they were drawn from.

    None for a point draft, whose tokens were chosen without chance (n-gram, greedy draft): a one-hot q.
    past: copied from another text than the one that is written.
    """

    tokens: tuple[int, ...] = ()
    probabilities: "Weights | None" = None
    past: bool = False

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


@runtime_checkable
class CatchesUp(Protocol):
    """A proposer that may have much to read before it can propose."""

    def catch_up(self, seconds: float) -> None:
        """Be ready for the next proposal within about so many seconds; what cannot be read by then is left out."""
        ...


@runtime_checkable
class DraftsAhead(Protocol):
    """A proposer that may draft on while the target judges its proposal."""

    @property
    def ready(self) -> int:
        """Tokens of the last proposal that were there before it was asked for."""
        ...

    def go_on(self) -> None:
        """The proposal is about to be judged: draft on as if it were accepted, where that costs the target nothing.

        Whatever is asked of the proposer next comes after it.
        """
        ...

    def rest(self) -> None:
        """There are no more rounds: nothing goes on, and what was not proposed is forgotten."""
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


@runtime_checkable
class FeatureReader(Protocol):
    """A drafter that reads what the target's layers leave behind; the session hands it over after every pass."""

    @property
    def depths(self) -> tuple[int, ...]:
        """The layers whose output it reads, as `FeatureModel.observe` takes them."""
        ...

    def observe(self, position: int, features: "torch.Tensor") -> None:
        """float32 [rows, depths, hidden] of the text's positions from `position` on, as the target has just read them.

        Rows behind the text are a draft's: the next commit says which of them stand. They may be kept, and stay as they
        are.
        """
        ...
