"""What can be said to `foreword train-draft`."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from inference.errors import UserError
from inference.tasks import TASKS, Task
from inference.training.recipe import Recipe

EXAMPLE = "Write --help to see what there is."
HELP = """
steps, each of which goes on where an earlier run stopped:
  replies   the model itself answers thousands of questions, many at once
  train     a small head learns to foresee its words: first for all tasks, then for each by itself
  measure   how many of its guesses the model accepts, on questions that training never saw
  package   a folder for each task, which the program offers as a draft for this model and no other

A file of prompts has one JSON object a line: {"task": "code", "prompt": "..."}; without a task, the words decide.
Your chats are read only with --include-my-chats, and then only your own questions in them.
With --from and another --seed, finished drafts learn from other replies what they do not know yet.

exit codes: 0 trained, 2 bad input or a model that cannot be trained for, 130 stopped (the next run goes on from there).
"""


@dataclass(frozen=True)
class Options:
    """Raises UserError when made of what makes no sense."""

    model: str = ""
    tasks: tuple[Task, ...] = TASKS
    language: str = "auto"
    start: Path | None = None
    prompts: Path | None = None
    only_these: bool = False
    include_my_chats: bool = False
    reply_tokens: int = 1_000_000
    train_tokens: int = 4_000_000
    task_tokens: int | None = None
    longest_reply: int = 300
    seed: int = 1
    memory_gb: float | None = None
    device: str = "auto"
    threads: int | None = None
    work: Path | None = None
    output: Path | None = None
    keep_features: bool = False
    busy: Path | None = None
    estimate: bool = False
    json: bool = False

    def __post_init__(self) -> None:
        for name, least in (
            ("reply_tokens", 1),
            ("train_tokens", 1),
            ("task_tokens", 1),
            ("longest_reply", 8),
            ("threads", 1),
        ):
            value = getattr(self, name)
            if value is not None and value < least:
                raise UserError(f"--{name.replace('_', '-')} must be at least {least}, not {value}.", EXAMPLE)
        if self.memory_gb is not None and not self.memory_gb > 0:
            raise UserError("--memory is a number of gigabytes above 0.", EXAMPLE)
        if self.start is not None and self.task_tokens is not None:
            raise UserError("With --from, every task trains by itself: --train-tokens are shared out.", EXAMPLE)
        if self.task_tokens is not None and self.task_tokens * len(self.tasks) > self.train_tokens:
            raise UserError("--task-tokens, for every task, are more than --train-tokens.", EXAMPLE)
        if self.only_these and self.prompts is None and not self.include_my_chats:
            raise UserError("--only-these leaves no prompts.", "Name a file with --prompts.")

    @property
    def recipe(self) -> Recipe:
        recipe = Recipe(tokens=self.train_tokens, seed=self.seed)
        if self.task_tokens is None:
            return recipe
        return replace(recipe, own_share=self.task_tokens * len(self.tasks) / self.train_tokens)


class _Parser(argparse.ArgumentParser):
    """Raises what it does not understand in place of ending the program."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message[:1].upper()}{message[1:]}.", EXAMPLE)


def read(arguments: Sequence[str]) -> Options:
    """Raises UserError; --help ends the program."""
    v = vars(_parser().parse_args(arguments))
    tasks = tuple(dict.fromkeys(part.strip() for part in v.pop("tasks").split(",") if part.strip()))
    if not tasks or any(task not in TASKS for task in tasks):
        raise UserError(f"--tasks are {' and '.join(TASKS)}.", EXAMPLE)
    return Options(tasks=tasks, memory_gb=v.pop("memory"), **v)


def _parser() -> _Parser:
    parser = _Parser(
        prog="foreword train-draft",
        description="Trains a draft for a model on this machine: a small head that foresees what the model will say.",
        epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--model", default="", metavar="PATH", help="a folder, a .gguf file or a name in the catalogue")
    add("--tasks", default=",".join(TASKS), metavar="A,B", help="code, prose, or both (default: both)")
    add("--language", choices=("auto", "en", "zh", "all"), default="auto", help="which of the built-in prompts")
    add("--from", type=Path, dest="start", metavar="FOLDER", help="finished drafts, one folder a task, to go on from")
    add("--prompts", type=Path, metavar="FILE", help="your own prompts, asked first")
    add("--only-these", action="store_true", help="leave the built-in prompts out")
    add("--include-my-chats", action="store_true", help="ask your own questions from your chats, too")
    add("--reply-tokens", type=int, default=1_000_000, metavar="N", help="what the model writes (default: 1,000,000)")
    add("--train-tokens", type=int, default=4_000_000, metavar="N", help="tokens gone over, repetitions included")
    add("--task-tokens", type=int, metavar="N", help="of those, what each task has for itself (default: 30 %% in all)")
    add("--longest-reply", type=int, default=300, metavar="N", help="tokens of a reply at most (default: 300)")
    add("--seed", type=int, default=1, metavar="N", help="another one asks and learns in another order")
    add("--memory", type=float, metavar="GB", help="the most memory it may take")
    add("--device", default="auto", help="auto, cpu, cuda, mps")
    add("--threads", type=int, metavar="N", help="processor threads (default: all)")
    add("--work", type=Path, metavar="FOLDER", help="where replies and checkpoints are kept")
    add("--output", type=Path, metavar="FOLDER", help="where the finished drafts go (default: among your drafts)")
    add("--keep-features", action="store_true", help="do not give the disk back at the end")
    add("--busy", type=Path, metavar="FILE", help="wait while this file was touched in the last 20 seconds")
    add("--estimate", action="store_true", help="only say what it would take")
    add("--json", action="store_true", help="progress as one JSON object a line")
    return parser
