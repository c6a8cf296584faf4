"""Reads replies again for what training needs of them and the disk no longer, or not yet, has."""

from collections.abc import Sequence

from inference.models.fused.model import FusedModel
from inference.training.control import Clock, Control, Progress
from inference.training.shards import TOP, Observed, Reply, Shards
from inference.training.writer import likeliest

ROWS = 64  # rows of logits at once: at a vocabulary of 150,000 they take 40 MB


def observe_missing(shards: Shards, model: FusedModel, depths: Sequence[int], control: Control) -> None:
    """Raises CancelledError; finished shards stay."""
    missing = [number for number in shards.numbers if not shards.has_observed(number)]
    if not missing:
        return
    model.observe(depths)
    clock = Clock(0, len(missing))
    for done, number in enumerate(missing, 1):
        seen = []
        for reply in shards.replies(number):
            seen.append(observed(model, reply))
            clock.waited(control.breathe())
        shards.add_observed(number, seen)
        control.say(Progress("features", done, len(missing), clock.left_s(done)))


def observed(model: FusedModel, reply: Reply) -> Observed:
    """What was seen when the target wrote this reply: one prefill of the prompt, the rest in wide passes."""
    import torch

    cache = model.new_cache()
    first = reply.prompt_length
    features, top, share = [], [torch.zeros(first - 1, TOP, dtype=torch.int32)], [torch.zeros(first - 1, TOP)]
    tokens = reply.tokens[:-1]
    starts = [0, *range(first, len(tokens), ROWS)]
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        rows = 1 if start == 0 else end - start
        values, ids = likeliest(model.forward(tokens[start:end], cache, rows), TOP)
        features.append(model.features().to("cpu", torch.bfloat16).clone())
        top.append(ids.int())
        share.append(values.softmax(-1))
    end_of = torch.zeros_like(features[-1][-1:])
    return Observed(
        torch.cat([*features, end_of]),
        torch.cat([*top, torch.zeros(1, TOP, dtype=torch.int32)]),
        torch.cat([*share, torch.zeros(1, TOP)]),
    )
