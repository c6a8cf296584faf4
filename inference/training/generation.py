"""The step in which the target writes replies into shards, and goes on where an earlier run stopped."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest

from inference.errors import UserError
from inference.training.control import Clock, Control, Progress
from inference.training.prompts import TrainingPrompt
from inference.training.shards import SHARD, Reply, Shards
from inference.training.writer import Writer


def in_turn(streams: Sequence[Iterable[TrainingPrompt]]) -> Iterator[tuple[int, TrainingPrompt]]:
    """Numbered prompts: one of each stream after another, so that however few are asked, all tasks are among them."""
    prompts = chain.from_iterable(zip_longest(*streams))
    return enumerate(prompt for prompt in prompts if prompt is not None)


def tokens_written(shards: Shards) -> int:
    return sum(reply.written for reply in shards.all_replies())


def write_replies(
    shards: Shards,
    writer: Writer,
    prompts: Iterator[tuple[int, TrainingPrompt]],
    wanted: int | None,
    control: Control,
) -> int:
    """Until `wanted` tokens are written, prompts not counted (None: until all is answered). Returns the tokens.

    Raises CancelledError (the shards that are whole stay), UserError when there are no prompts at all.
    """
    known = {reply.index: reply.written for reply in shards.all_replies()}
    done, asked = sum(known.values()), bool(known)
    clock = Clock(done, wanted or 0)
    batch: list[Reply] = []
    replies = writer.write((index, prompt) for index, prompt in prompts if index not in known)
    try:
        while (wanted is None or done < wanted) and (reply := next(replies, None)) is not None:
            asked = True
            done += reply.written
            batch.append(reply)
            if len(batch) == SHARD:
                shards.add(batch)
                batch = []
            clock.waited(control.breathe())
            if wanted is not None:
                figures = {"tokens_per_second": round(clock.pace(done), 1)}
                control.say(Progress("replies", min(done, wanted), wanted, clock.left_s(done), figures=figures))
    finally:
        replies.close()
        if batch:
            shards.add(batch)
    if not asked:
        raise UserError("There is nothing to ask the model.", "Give a file with prompts, or take the built-in ones.")
    return done
