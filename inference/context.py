"""What a full context leaves out: the oldest turns, a quarter of the context at a time."""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate

from inference.errors import UserError
from inference.messages import Message

Render = Callable[[Sequence[Message]], list[int]]
REPLY_SHARE = 4  # a quarter of the context is kept free for the reply, if it may be that long


def room_for_prompt(context_length: int, max_tokens: int) -> int:
    """Tokens a prompt may have in a context of this many, when the reply may have `max_tokens`."""
    return context_length - min(max_tokens, context_length // REPLY_SHARE)


def fit(render: Render, messages: Sequence[Message], budget: int) -> tuple[list[Message], list[int], int]:
    """The messages to keep, their prompt's tokens (at most `budget`), and how many messages were left out.

    System messages and the last turn always stay; a turn is a question with its answer, so what is kept begins with a
    question. Raises UserError when system prompt and last question alone are too long.

    Turns are dropped in steps, so that one prompt after another begins with the same tokens and the cache is of use:
    when a conversation is `excess` tokens too long, the oldest turns go that hold at least `excess` rounded up to
    quarters of the budget. Right after a step about three quarters are full, and the same turns stay out until the
    rest is full too, because where the bound lies in the conversation does not depend on what comes later. So nothing
    need be remembered between calls. Only where a step would leave nothing but the last turn, as few turns are dropped
    as fit.
    """
    starts = _turns(messages)
    rendered: dict[int, list[int]] = {}

    def kept(dropped: int) -> list[Message]:
        start = starts[dropped] if starts else 0
        return [message for at, message in enumerate(messages) if at >= start or message.role == "system"]

    def length(dropped: int) -> int:
        if dropped not in rendered:
            rendered[dropped] = render(kept(dropped))
        return len(rendered[dropped])

    def fewest(limit: int) -> int:
        """How many turns must go for at most `limit` tokens; all but the last when that is not enough.

        Characters foretell tokens well, so the search starts where they say and seldom renders more than twice.
        """
        wanted = limit * characters[0] // max(length(0), 1)
        low = high = bisect_left(range(last), -wanted, key=lambda dropped: -characters[dropped])
        stride = 1
        while high < last and length(high) > limit:
            low, high, stride = high + 1, min(high + stride, last), 2 * stride
        while low > 0 and length(low - 1) <= limit:
            low, high, stride = max(low - 1 - stride, 0), low - 1, 2 * stride
        return bisect_left(range(last), -limit, low, high, key=lambda dropped: -length(dropped))

    last = max(len(starts) - 1, 0)
    ends = [0, *accumulate(len(message.content) for message in messages)]
    characters = [ends[-1] - ends[start] for start in starts] or [0]  # of what is kept, by turns dropped
    dropped = 0
    excess = length(0) - budget
    if excess > 0:
        step = max(budget // 4, 1)
        dropped = fewest(length(0) - math.ceil(excess / step) * step)
        if dropped == last:
            dropped = fewest(budget)
    # Templates need not grow with every turn; the bound must hold all the same.
    while length(dropped) > budget and dropped < last:
        dropped += 1
    if length(dropped) > budget:
        raise UserError(
            f"This question takes {length(dropped):,} tokens, and only {max(budget, 0):,} have room.",
            "Shorten it, allow a shorter reply, or load the model with a longer context.",
        )
    result = kept(dropped)
    return result, rendered[dropped], len(messages) - len(result)


def _turns(messages: Sequence[Message]) -> list[int]:
    """Where each turn begins: at every question, and at an answer that has none before it."""
    spoken = [at for at, message in enumerate(messages) if message.role != "system"]
    return [at for at in spoken if at == spoken[0] or messages[at].role == "user"]
