"""The target writes replies: many texts in one pass where its decoder can, one after another elsewhere."""

import random
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inference.chat_template import render
from inference.common_prefix import common_prefix
from inference.messages import Message
from inference.models.fused.model import FusedModel
from inference.native.library import load as load_library
from inference.tasks import Task
from inference.tokenizer import Tokenizer
from inference.training.prompts import TrainingPrompt
from inference.training.shards import TOP, Observed, Reply

if TYPE_CHECKING:
    from torch import Tensor

    from inference.models.causal_model import Cache

ROWS = 32  # texts in one pass
CHOICES = 16  # likeliest tokens a sampled reply chooses among
ROUNDS_ALIKE = 3  # a reply that says the same so often in a row goes on like that for ever
LONGEST_ROUND = 48  # tokens


@dataclass(frozen=True)
class Manner:
    """How replies are written. Most are greedy, as the draft will be measured; some are drawn at a temperature, for
    words that greedy replies never come to."""

    most_tokens: int = 300
    sampled_share: float = 0.3
    temperature: float = 0.7
    seed: int = 1

    def temperature_of(self, index: int) -> float:
        return self.temperature if random.Random(f"{self.seed}/{index}").random() < self.sampled_share else 0.0


@dataclass
class _Text:
    """One reply on its way. next: the token that is chosen and not yet read."""

    index: int
    task: Task
    tokens: list[int]
    prompt_length: int
    cache: "Cache"
    temperature: float
    chance: random.Random
    features: "list[Tensor]" = field(default_factory=list)
    top: "list[Tensor]" = field(default_factory=list)
    share: "list[Tensor]" = field(default_factory=list)


class Writer:
    """depths: the layers whose features are kept with each token; empty: none."""

    def __init__(
        self, model: FusedModel, tokenizer: Tokenizer, manner: Manner, depths: Sequence[int] = (), rows: int = ROWS
    ) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._manner = manner
        self._ends = tokenizer.end_tokens()
        self._observing = bool(depths)
        self._rows = rows if model.writes_together else 1
        model.observe(depths)

    def write(self, prompts: Iterator[tuple[int, TrainingPrompt]]) -> Generator[Reply, None, None]:
        """Replies to numbered prompts, as they get finished. Stops between any two when it is closed."""
        free: list[_Text] = []
        running: list[_Text] = []
        while True:
            while len(running) < self._rows and (asked := next(prompts, None)) is not None:
                running.append(self._begin(*asked, free.pop() if free else None))
            if not running:
                return
            self._step(running)
            for text in [text for text in running if self._is_over(text)]:
                running.remove(text)
                free.append(text)
                yield self._finished(text)

    def _begin(self, index: int, prompt: TrainingPrompt, before: _Text | None) -> _Text:
        """before: a finished text, whose cache still holds the beginning that all prompts share."""
        import torch

        tokens = render(self._tokenizer, [Message("user", prompt.text)])
        tokens = tokens[: self._model.context_length // 2]
        chance = random.Random(f"{self._manner.seed}/{index}/words")
        temperature = self._manner.temperature_of(index)
        cache, held = (self._model.new_cache(), 0) if before is None else (before.cache, 0)
        if before is not None:
            held = cache.truncate(min(common_prefix(before.tokens[: cache.length], tokens), len(tokens) - 1))
        text = _Text(index, prompt.task, tokens, len(tokens), cache, temperature, chance)
        if before is not None and held and self._observing:
            text.features.append(torch.cat(before.features)[:held])
            text.top.append(torch.zeros(held, TOP, dtype=torch.int32))
            text.share.append(torch.zeros(held, TOP))
        logits = self._model.forward(tokens[held:], cache)
        self._choose([text], logits)
        return text

    def _step(self, texts: Sequence[_Text]) -> None:
        """One more token for each."""
        if len(texts) == 1:
            logits = self._model.forward(texts[0].tokens[-1:], texts[0].cache)
        else:
            logits = self._model.forward_texts([text.tokens[-1] for text in texts], [text.cache for text in texts])
        self._choose(texts, logits)

    def _choose(self, texts: Sequence[_Text], logits: "Tensor") -> None:
        """The next token of each text; what was seen on the way is kept."""
        import torch

        values, ids = likeliest(logits, min(CHOICES, logits.shape[-1]))
        share = values[:, :TOP].softmax(-1)
        features = self._model.features().to("cpu", torch.bfloat16) if self._observing else None
        for row, text in enumerate(texts):
            if features is not None:
                own = features if len(texts) == 1 else features[row : row + 1]
                text.features.append(own.clone())
                if len(own) > 1:  # the prompt, of which only the last token has a distribution
                    text.top.append(torch.zeros(len(own) - 1, TOP, dtype=torch.int32))
                    text.share.append(torch.zeros(len(own) - 1, TOP))
                text.top.append(ids[row : row + 1, :TOP].int())
                text.share.append(share[row : row + 1])
            choice = 0
            if text.temperature > 0:
                weights = (values[row] / text.temperature).softmax(-1).tolist()
                choice = text.chance.choices(range(len(weights)), weights)[0]
            text.tokens.append(int(ids[row, choice]))

    def _is_over(self, text: _Text) -> bool:
        written = len(text.tokens) - text.prompt_length
        most = min(self._manner.most_tokens, self._model.context_length - text.prompt_length)
        over = text.tokens[-1] in self._ends or written >= most
        return over or (written % 8 == 0 and goes_round(text.tokens[text.prompt_length :]))

    def _finished(self, text: _Text) -> Reply:
        import torch

        observed = None
        if self._observing:  # the last token was chosen and never read: nothing was seen after it
            top, share = torch.cat(text.top), torch.cat(text.share)
            last = text.features[-1][-1:]
            observed = Observed(
                torch.cat([*text.features, torch.zeros_like(last)]),
                torch.cat([top, torch.zeros_like(top[-1:])]),
                torch.cat([share, torch.zeros_like(share[-1:])]),
            )
        return Reply(text.index, text.task, tuple(text.tokens), text.prompt_length, observed)


def likeliest(logits: "Tensor", count: int) -> "tuple[Tensor, Tensor]":
    """The `count` largest logits of each row, falling, float32, and their tokens; on the CPU."""
    if logits.device.type == "cpu" and (library := load_library()) is not None:
        return library.top_k(logits.float().contiguous(), count)
    values, ids = logits.topk(count, dim=-1)
    return values.float().cpu(), ids.cpu()


def goes_round(tokens: Sequence[int]) -> bool:
    """Whether the end says the same thing `ROUNDS_ALIKE` times in a row, each time in at most LONGEST_ROUND tokens."""
    for length in range(1, LONGEST_ROUND + 1):
        rounds = max(ROUNDS_ALIKE, -(-24 // length))  # a short one is said more often before it counts
        if len(tokens) >= rounds * length:
            end = tokens[-rounds * length :]
            if end[length:] == end[:-length]:
                return True
    return False
