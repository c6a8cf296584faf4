"""From shards of replies to the tensors a head is trained on."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from inference.tasks import Task
from inference.training.shards import TOP, Reply, Shards

TOGETHER = 6  # shards in memory at once, their replies mixed


@dataclass(frozen=True)
class Batch:
    """Entries of a head (see `inference.heads.head`): entry s has token s and the target's features of position s - 1.

    tokens [batch, time]; features bfloat16 [batch, time, depths, hidden]; top, share [batch, time, TOP]: what the
    target says after token s. The first entry stands at position 1. Beyond a text's end all is zero.
    """

    tokens: Tensor
    features: Tensor
    top: Tensor
    share: Tensor

    @property
    def learned(self) -> int:
        """Entries that have something to learn."""
        return int((self.share[..., 0] > 0).sum())


def batch_of(replies: Sequence[Reply]) -> Batch:
    """replies with what was observed of them."""
    time = max(len(reply.tokens) for reply in replies) - 1
    seen = replies[0].observed
    assert seen is not None
    shape = (len(replies), time)
    tokens = torch.zeros(shape, dtype=torch.long)
    features = torch.zeros(*shape, *seen.features.shape[1:], dtype=torch.bfloat16)
    top, share = torch.zeros(*shape, TOP, dtype=torch.long), torch.zeros(*shape, TOP)
    for row, reply in enumerate(replies):
        seen, length = reply.observed, len(reply.tokens) - 1
        assert seen is not None
        tokens[row, :length] = torch.tensor(reply.tokens[1:])
        features[row, :length] = seen.features[:-1]
        top[row, :length] = seen.top[1:].long()
        share[row, :length] = seen.share[1:].float()
    return Batch(tokens, features, top, share)


def once(shards: Shards, task: Task | None, batch_tokens: int, seed: str) -> Iterator[Batch]:
    """Every reply of a task (None: of all) once, in a random order; texts of like length share a batch."""
    chance = random.Random(seed)
    numbers = [number for number in shards.numbers if shards.has_observed(number)]
    chance.shuffle(numbers)
    for start in range(0, len(numbers), TOGETHER):
        replies = [
            reply
            for number in numbers[start : start + TOGETHER]
            for reply in shards.replies(number, observed=True)
            if task in (None, reply.task) and len(reply.tokens) > 2
        ]
        replies.sort(key=lambda reply: (len(reply.tokens), reply.index))
        groups: list[list[Reply]] = [[]]
        held = 0
        for reply in replies:
            if held >= batch_tokens:
                groups.append([])
                held = 0
            groups[-1].append(reply)
            held += reply.written
        chance.shuffle(groups)
        yield from (batch_of(group) for group in groups if group)


def endless(shards: Shards, task: Task | None, batch_tokens: int, seed: str) -> Iterator[Batch]:
    """Over and over, in another order each time, with what was added meanwhile. ValueError if nothing is there."""
    turn = 0
    while True:
        empty = True
        for batch in once(shards, task, batch_tokens, f"{seed}/{turn}"):
            empty = False
            yield batch
        if empty:
            raise ValueError("there are no replies to train on")
        turn += 1
