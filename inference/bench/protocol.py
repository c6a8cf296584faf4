"""What the benchmark asks: which prompts, how long, how hot. A protocol becomes a list of cases for one model."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING

from inference.bench import prompts as prompt_files
from inference.bench.prompts import Prompt
from inference.errors import UserError

if TYPE_CHECKING:
    from inference.tokenizer import Tokenizer

SPARE = 8  # tokens left between a prompt with its reply and the end of the context
CLOSE = 0.9  # a length that the context cuts by less than this still counts as that length
SWEPT_LENGTHS = tuple(range(1, 9))


@dataclass(frozen=True)
class Case:
    """One prompt under fixed conditions. Figures are summed up, and arms compared, within a group."""

    group: str
    prompt: str
    tokens: int  # of the reply, at most
    temperature: float = 0.0

    @property
    def greedy(self) -> bool:
        return self.temperature == 0.0


@dataclass(frozen=True)
class Protocol:
    """lengths: of the prompt in tokens, filled up with a text; none: prompts as they are.

    limit: how many prompts of each task, where all would take too long.
    """

    name: str
    description: str
    file: str
    tokens: int
    lengths: tuple[int, ...] = ()
    temperatures: tuple[float, ...] = (0.0,)
    limit: int | None = None


PROTOCOLS = {
    protocol.name: protocol
    for protocol in (
        Protocol("short", "20 short questions, half of them about code, 128 tokens each", "prompts.jsonl", 128),
        Protocol("long", "1,000 tokens to read, 200 to write", "reading.jsonl", 200, lengths=(1000,)),
        Protocol(
            "context",
            "speed over the length of the context: 0.5K, 2K, 8K",
            "reading.jsonl",
            128,
            lengths=(512, 2048, 8192),
            limit=1,
        ),
        Protocol(
            "sweep",
            "every drafting arm at K = 1 to 8, all arms at five temperatures",
            "prompts.jsonl",
            128,
            temperatures=(0.0, 0.3, 0.7, 1.0, 1.5),
            limit=2,
        ),
        Protocol("repeat", "repeat a text with one change: where n-gram drafts shine", "repeat.jsonl", 256),
        Protocol("random", "go on with random words: where no draft can win", "random.jsonl", 128),
        Protocol("check", "no clock: are replies with speculation the same as without?", "prompts.jsonl", 128),
    )
}


def cases(protocol: Protocol, prompts: Sequence[Prompt], tokenizer: "Tokenizer", context_length: int) -> list[Case]:
    """The cases of a protocol in their order. context_length: of the model, 0 when not known.

    A length that does not fit the context is cut to it, or left out when it would be far from what it says. Raises
    UserError when nothing is left.
    """
    room = context_length - protocol.tokens - SPARE if context_length else max((0, *protocol.lengths))
    lengths = [min(length, room) for length in protocol.lengths if CLOSE * length <= room]
    if protocol.lengths and not lengths:
        raise UserError(
            f"The model's context of {context_length:,} tokens is too short for this protocol.",
            "Choose the protocol short.",
        )
    result = []
    for temperature in protocol.temperatures:
        for prompt in prompts:
            for length in lengths if prompt.text else [0]:
                name = [prompt.task, *([prompt.language] if prompt.language not in ("", "en") else [])]
                if length and len(protocol.lengths) > 1:
                    name.append(_kilo(length))
                if temperature or len(protocol.temperatures) > 1:
                    name.append(f"T={temperature:g}")
                text = lengthened(prompt, length, tokenizer) if length else prompt.prompt
                result.append(Case(" ".join(name), text, protocol.tokens, temperature))
    return result


def lengthened(prompt: Prompt, length: int, tokenizer: "Tokenizer") -> str:
    """The prompt with so much of its text that the rendered question has about `length` tokens.

    A text that is too short starts again from its beginning.
    """
    from inference.chat_template import render
    from inference.messages import Message

    question = f"{prompt.prompt}\n\n"
    room = length - len(render(tokenizer, [Message("user", question)]))
    if room < 1:
        raise UserError(f"A prompt of {length} tokens has no room for a text.", "Choose the protocol short.")
    whole = tokenizer.encode(prompt.text, special=False)
    return question + tokenizer.decode(list(islice(cycle(whole), room))).strip("\ufffd")


def chosen_prompts(
    protocol: Protocol, own: Sequence[Prompt] | None, languages: Sequence[str], limit: int | None
) -> list[Prompt]:
    """The person's prompts, or the protocol's in the languages of the model."""
    if own is not None:
        return prompt_files.first_of_each(own, limit)
    shipped = prompt_files.in_languages(prompt_files.shipped(protocol.file), languages)
    return prompt_files.first_of_each(shipped, limit or protocol.limit)


def _kilo(length: int) -> str:
    """512 -> "0.5K", 8056 -> "8K"."""
    return f"{round(length / 1024, 1):g}K" if length < 1024 else f"{round(length / 1024)}K"
