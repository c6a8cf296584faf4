"""A real (tiny) model that is made to say certain tokens at certain places, and never says others."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch

from inference.chat_template import render
from inference.engine import Engine
from inference.messages import Message
from inference.models.causal_model import Cache, CausalModel
from inference.session_pool import SessionPool


class Guided:
    """Everything is the model's own but the logits: where `script` names a token for a position, no other is possible,
    and elsewhere those of `never` are not."""

    def __init__(self, model: CausalModel, script: Mapping[int, int], never: Collection[int]) -> None:
        self._model = model
        self._script = script
        self._never = sorted(never)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def forward(self, tokens: Sequence[int], cache: Cache, rows: int = 1) -> torch.Tensor:
        first = cache.length + len(tokens) - rows + 1  # the position that the first row is about
        logits = self._model.forward(tokens, cache, rows).clone()
        logits[:, self._never] = -torch.inf
        for row in range(rows):
            token = self._script.get(first + row)
            if token is not None:
                logits[row] = -torch.inf
                logits[row, token] = 0.0
        return logits


def guide(engine: Engine, messages: Sequence[Message], *parts: str | int) -> None:
    """Make the reply to `messages` consist of `parts`: texts as they are, and so many tokens of the model's own.

    What it says by itself has no line ends, no marks of code and no end; after the last part it ends.
    """
    target = engine._host.target
    assert target is not None
    tokenizer = target.tokenizer
    position = len(render(tokenizer, messages))
    script: dict[int, int] = {}
    for part in parts:
        if isinstance(part, int):
            position += part
            continue
        for token in tokenizer.encode(part):
            script[position] = token
            position += 1
    ends = tokenizer.end_tokens()
    script[position] = min(ends)
    signs = [index for token, index in tokenizer.vocabulary.items() if not token.replace("Ġ", "").isalpha()]
    signs += [index for token, index in tokenizer.vocabulary.items() if not token.replace("Ġ", "").isascii()]
    model = getattr(target.model, "_model", target.model) if isinstance(target.model, Guided) else target.model
    guided = Guided(model, script, {*signs, *ends})
    engine._host.target = replace(target, model=guided)  # type: ignore[arg-type]
    engine._pool = SessionPool(guided)  # type: ignore[arg-type]
