"""The prompts of the benchmark: those in `assets/bench`, or a person's own file of the same form.

One JSON object a line: {"task": "code", "language": "en", "prompt": "..."}. A shipped line may also name a "text": a
file beside it that the prompt is about, cut or repeated to the length that a protocol asks for.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from inference.errors import UserError

if TYPE_CHECKING:
    from inference.tokenizer import Tokenizer

SAMPLE = "reading-prose-zh.txt"
LEGIBLE = 1.2  # tokens a character: above it, a vocabulary spells Chinese byte by byte and its model hardly knows it


@dataclass(frozen=True)
class Prompt:
    """language "" : not said. text: what the prompt is about, to be cut to length; "" when the prompt stands alone."""

    task: str
    prompt: str
    language: str = ""
    text: str = ""


def shipped_text(name: str) -> str:
    return resources.files("assets").joinpath("bench", name).read_text(encoding="utf-8")


def shipped(name: str) -> list[Prompt]:
    """The prompts of a file in assets/bench."""
    return [
        replace(prompt, text=prompt.text and shipped_text(prompt.text))
        for prompt in _parsed(shipped_text(name).splitlines(), name)
    ]


def read(path: Path) -> list[Prompt]:
    """A person's file. Raises UserError with the line that is wrong."""
    try:
        lines = path.expanduser().read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise UserError(f"The prompts in {path} cannot be read: {reason}.", "Check where the file is.") from error
    prompts = [replace(prompt, text="") for prompt in _parsed(lines, path.name)]
    if not prompts:
        raise UserError(f"There are no prompts in {path}.", 'Write lines like {"task": "code", "prompt": "..."}.')
    return prompts


def _parsed(lines: Iterable[str], name: str) -> Iterable[Prompt]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            values = json.loads(line)
        except ValueError:
            values = None
        if not isinstance(values, dict) or not isinstance(values.get("prompt"), str) or not values["prompt"].strip():
            raise UserError(
                f"Line {number} of {name} is not a prompt.", 'Write it like {"task": "code", "prompt": "..."}.'
            )
        yield Prompt(
            task=str(values.get("task", "prompts")),
            prompt=values["prompt"],
            language=str(values.get("language", "")),
            text=str(values.get("text", "")),
        )


def reads_chinese(tokenizer: "Tokenizer") -> bool:
    """Whether a model with this vocabulary can be expected to."""
    text = shipped_text(SAMPLE)
    return len(tokenizer.encode(text)) < LEGIBLE * len(text)


def in_languages(prompts: Sequence[Prompt], languages: Sequence[str]) -> list[Prompt]:
    """Those in one of the languages, and those that do not say."""
    return [prompt for prompt in prompts if not prompt.language or prompt.language in languages]


def first_of_each(prompts: Sequence[Prompt], limit: int | None) -> list[Prompt]:
    """At most `limit` prompts of each task and language, in order."""
    taken: dict[tuple[str, str], int] = {}
    result = []
    for prompt in prompts:
        key = (prompt.task, prompt.language)
        taken[key] = taken.get(key, 0) + 1
        if limit is None or taken[key] <= limit:
            result.append(prompt)
    return result
