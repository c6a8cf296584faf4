"""What some proposers can say before they propose."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Sourced(Protocol):
    """A proposer that knows beforehand what a proposal would rest on.

    Sources differ in how often they are right and in what they cost, so the draft length is chosen for each by itself:
    a long match is copied at length while the draft model, or a short match, is left alone.
    """

    @property
    def behind(self) -> int:
        """Tokens of the text that it must read before it can propose; 0 or few when it has kept up."""
        ...

    def source(self) -> str | None:
        """A name for what the next proposal comes from; None when there will be none. Costs next to nothing."""
        ...
