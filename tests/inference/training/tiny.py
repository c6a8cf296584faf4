"""A tiny target and a training run over it that takes seconds."""

from pathlib import Path

from inference.manager.spec import Spec
from inference.models.fused.model import FusedModel
from inference.tokenizer import Tokenizer
from inference.training.control import Control
from inference.training.job import Job
from inference.training.plan import Plan
from inference.training.prompts import TrainingPrompt
from inference.training.recipe import Recipe

RECIPE = Recipe(tokens=1500, batch_tokens=128, vocabulary_size=64, window=32)
PROMPTS = tuple(
    TrainingPrompt(task, f"{word} the {number}")
    for number in range(12)
    for task, word in (("code", "is"), ("prose", "in"))
)


def plan(target: Path, folder: Path, **changes: object) -> Plan:
    values: dict[str, object] = {
        "target": Spec(str(target), target.name, folder=target),
        "work": folder / "work",
        "output": folder / "drafts",
        "own": PROMPTS,
        "built_in": False,
        "reply_tokens": 300,
        "longest_reply": 24,
        "recipe": RECIPE,
        "measured_prompts": 3,
        "command": "foreword train-draft --model tiny",
    }
    return Plan(**(values | changes))  # type: ignore[arg-type]


def job(plan: Plan, control: Control | None = None) -> Job:
    model = FusedModel.load(plan.folder, "float32", "cpu", 256)
    return Job(plan, model, Tokenizer.load(plan.folder), control or Control())
