"""What the target is asked while a draft is trained for it: built-in questions, made from templates, or a person's own.

`assets/training/prompts-<language>.toml` holds templates and the lists that fill their {slots}. From one seed always
the same questions come, tens of thousands of different ones. One in fifty is held out: training never sees it, and
measuring asks only those. Questions of the benchmark are never among them.
"""

import functools
import hashlib
import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import islice

from inference.tasks import Task

HELD_OUT_SHARE = 50  # one question in so many
ALIKE = 0.6  # of their words two questions share before they count as the same one
PATIENCE = 1000  # questions in a row that were had before: then there are no new ones
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class TrainingPrompt:
    task: Task
    text: str

    @property
    def held_out(self) -> bool:
        """Decided by the text alone, so that no run, seed or order can mix the two up."""
        return _digest(self.text) % HELD_OUT_SHARE == 0


@dataclass(frozen=True)
class Templates:
    """templates by task; slots: what may stand for each {name}."""

    templates: Mapping[str, Sequence[str]]
    slots: Mapping[str, Sequence[str]]

    @classmethod
    @functools.cache
    def shipped(cls, language: str) -> "Templates":
        text = resources.files("assets").joinpath("training", f"prompts-{language}.toml").read_text(encoding="utf-8")
        values = tomllib.loads(text)
        return cls(values["templates"], values["slots"])

    def fill(self, template: str, chance: random.Random) -> str:
        """Each slot filled; a slot that stands twice gets two different entries where it has them."""
        used: dict[str, set[str]] = {}

        def one(match: re.Match[str]) -> str:
            name = match.group(1)
            seen = used.setdefault(name, set())
            free = [entry for entry in self.slots[name] if entry not in seen] or list(self.slots[name])
            entry = chance.choice(free)
            seen.add(entry)
            return entry

        return _SLOT.sub(one, template)


def built_in(task: Task, languages: Sequence[str], seed: int) -> Iterator[TrainingPrompt]:
    """Different questions in the languages in turn, held-out ones among them, until there are no new ones."""
    known = [_words(text) for text in _benchmark()]
    streams = [_stream(Templates.shipped(language), task, f"{seed}/{language}/{task}") for language in languages]
    seen: set[str] = set()
    missed = 0
    while missed < PATIENCE:
        for stream in streams:
            text = next(stream)
            if text in seen or any(alike(_words(text), words) for words in known):
                missed += 1
                continue
            missed = 0
            seen.add(text)
            yield TrainingPrompt(task, text)


def for_training(task: Task, languages: Sequence[str], seed: int) -> Iterator[TrainingPrompt]:
    return (prompt for prompt in built_in(task, languages, seed) if not prompt.held_out)


def for_measuring(task: Task, languages: Sequence[str], count: int, seed: int = 1) -> list[TrainingPrompt]:
    """At most `count` held-out questions."""
    return list(islice((prompt for prompt in built_in(task, languages, seed) if prompt.held_out), count))


def alike(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether two questions share so many words that an answer to one answers the other."""
    return bool(a and b) and len(a & b) >= ALIKE * min(len(a), len(b))


def _stream(templates: Templates, task: Task, seed: str) -> Iterator[str]:
    """Endless. Templates in turn in a shuffled order, so that each is asked equally often."""
    chance = random.Random(seed)
    order = list(templates.templates[task])
    while True:
        chance.shuffle(order)
        for template in order:
            yield templates.fill(template, chance)


@functools.cache
def _benchmark() -> tuple[str, ...]:
    from inference.bench.prompts import shipped

    return tuple(prompt.prompt for prompt in shipped("prompts.jsonl"))


_EVERYDAY = frozenset(
    re.findall("[a-z]+", "a an the of to and in on at by for with that who is it its what how why do write")
)


def _words(text: str) -> frozenset[str]:
    """The words that carry a question's meaning; of Chinese, pairs of characters."""
    lower = text.lower()
    latin = {word for word in re.findall(r"[a-z]+", lower) if word not in _EVERYDAY}
    han = re.findall(r"[\u4e00-\u9fff]+", lower)
    return frozenset(latin | {run[i : i + 2] for run in han for i in range(len(run) - 1)})


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
