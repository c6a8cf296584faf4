"""A person's own prompts: a file, or their questions from their chats."""

from collections.abc import Iterable
from pathlib import Path

from inference.bench import prompts as prompt_files
from inference.tasks import TASKS, Task, task_of_request
from inference.training.prompts import TrainingPrompt

LONGEST = 4000  # characters: an attached text would teach little about replies


def from_file(path: Path) -> list[TrainingPrompt]:
    """Raises UserError with the line that is wrong."""
    return [TrainingPrompt(_task(prompt.task, prompt.prompt), prompt.prompt) for prompt in prompt_files.read(path)]


def from_questions(questions: Iterable[str]) -> list[TrainingPrompt]:
    """Each once, in order, without blank and overlong ones."""
    kept = dict.fromkeys(text.strip() for text in questions if 0 < len(text.strip()) <= LONGEST)
    return [TrainingPrompt(task_of_request(text), text) for text in kept]


def _task(named: str, text: str) -> Task:
    return next((task for task in TASKS if task == named), None) or task_of_request(text)
