"""What one run of one arm gave."""

from dataclasses import dataclass

from inference.statistics import ReplyStatistics


@dataclass(frozen=True)
class Run:
    """tok_s counts decoding alone, prefill_tok_s reading alone; None: not known.

    prompt and reply in tokens, the end token included; empty when a peer does not say. forward_s: seconds of decoding
    that the models computed. memory in bytes: what the arm holds while it runs, apart from Python and its libraries.
    """

    tok_s: float
    prefill_tok_s: float | None = None
    first_token_s: float | None = None
    prompt: tuple[int, ...] = ()
    reply: tuple[int, ...] = ()
    proposed: int = 0
    accepted: int = 0
    statistics: ReplyStatistics | None = None
    forward_s: float | None = None
    memory: int | None = None


@dataclass(frozen=True)
class Sample:
    """A run with its place in the measurement. case: index among all cases; None when a peer sums up a whole group."""

    arm: str
    group: str
    case: int | None
    number: int  # of the pass, from 0
    run: Run
