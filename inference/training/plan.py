"""What a training run is to do, and what it will take."""

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from inference.errors import UserError
from inference.manager.files import size_text
from inference.manager.spec import Spec
from inference.models.fused.architecture import Architecture
from inference.tasks import TASKS, Task
from inference.training.prompts import TrainingPrompt
from inference.training.recipe import Recipe

GREEDY_CHECKS = 30  # held-out questions of each task
OPTIMIZER_COPIES = 4  # of the head's weights: themselves, gradients, two running averages
ACTIVATIONS = 96  # floats of a training position and step that stay until the way back, in units of the hidden size
PROGRAM_BYTES = 600 << 20  # Python, torch and what they keep


@dataclass(frozen=True)
class Plan:
    """own: a person's prompts (a file, chats), asked in place of or beside the built-in ones. work: what can be gone on
    with; output: where the finished drafts go, one folder for each task. start: finished drafts, likewise, that go on
    learning, each by itself, instead of one for all tasks that begins with nothing. Raises UserError when made of what
    makes no sense."""

    target: Spec
    work: Path
    output: Path
    tasks: tuple[Task, ...] = TASKS
    languages: tuple[str, ...] = ("en",)
    own: tuple[TrainingPrompt, ...] = ()
    built_in: bool = True
    reply_tokens: int = 1_000_000
    longest_reply: int = 300
    recipe: Recipe = field(default_factory=Recipe)
    memory_bytes: int | None = None
    device: str = "auto"
    measured_prompts: int = GREEDY_CHECKS
    keep_features: bool = False
    command: str = ""
    start: Path | None = None

    def __post_init__(self) -> None:
        if not self.tasks or len(set(self.tasks)) < len(self.tasks):
            raise UserError("A draft is trained for code, for prose, or for both.", "Name each task once.")
        if not self.built_in and not self.own:
            raise UserError("There are no prompts.", "Give a file with prompts, or take the built-in ones.")
        for name in ("reply_tokens", "longest_reply", "measured_prompts"):
            if getattr(self, name) < 1:
                raise UserError(f"{name.replace('_', ' ')} must be at least 1.")

    @property
    def folder(self) -> Path:
        assert self.target.folder is not None  # opened before a plan is made
        return self.target.folder


@dataclass(frozen=True)
class Estimate:
    """disk_bytes: while it runs, most of it given back at the end; seconds: of each step on this machine, if quiet."""

    disk_bytes: int
    memory_bytes: int
    seconds: dict[str, float]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def in_words(self) -> str:
        minutes = "; ".join(f"{step} {seconds / 60:.0f} min" for step, seconds in self.seconds.items())
        disk, memory = size_text(self.disk_bytes), size_text(self.memory_bytes)
        return f"This will take about {self.total_s / 60:.0f} min ({minutes}), {disk} of disk and {memory} of memory."

    @property
    def total_s(self) -> float:
        return sum(self.seconds.values())


def head_parameters(a: Architecture) -> int:
    """Of one decoder layer with the two matrices before it."""
    hidden, query, key = a.hidden_size, a.heads * a.head_size, a.key_heads * a.head_size
    return hidden * (2 * query + 2 * key + 3 * a.intermediate_size) + 5 * hidden * hidden


def feature_bytes(a: Architecture) -> int:
    """On disk, of one token: three depths in bfloat16, and what was likely there."""
    return 3 * a.hidden_size * 2 + 8 * 6


def training_memory(a: Architecture, recipe: Recipe, model_bytes: int) -> int:
    """Bytes at the most: the target stays until replies are written, and training comes after it."""
    borrowed = 2 * a.hidden_size * (a.vocabulary_size + recipe.vocabulary_size)
    head = 4 * OPTIMIZER_COPIES * head_parameters(a)
    positions = 4 * recipe.batch_tokens * a.hidden_size * ACTIVATIONS * recipe.steps
    shards = 6 * 64 * 400 * feature_bytes(a)
    return PROGRAM_BYTES + max(model_bytes, borrowed + head + positions + shards)


def fitted(recipe: Recipe, a: Architecture, model_bytes: int, budget: int | None) -> Recipe:
    """The recipe with batches small enough for a memory budget. Raises UserError when none would fit."""
    while budget is not None and training_memory(a, recipe, model_bytes) > budget:
        if recipe.batch_tokens <= 256:
            needed = training_memory(a, recipe, model_bytes) / 1e9
            raise UserError(f"Training a draft for this model needs {needed:.1f} GB of memory.", "Allow it more.")
        recipe = replace(recipe, batch_tokens=recipe.batch_tokens // 2)
    return recipe


def estimate(plan: Plan, a: Architecture, model_bytes: int, write_s: float, product_flops: float) -> Estimate:
    """write_s: seconds of one written token; product_flops: multiplications and additions a second in training."""
    recipe, tasks = plan.recipe, len(plan.tasks)
    read = plan.reply_tokens * 1.25  # prompts among it
    layer, output = head_parameters(a), a.hidden_size * recipe.vocabulary_size
    one = 6 * layer + 4 * output
    steps = recipe.steps if plan.start else 1 + recipe.rollout_share * (recipe.steps - 1)
    tokens = recipe.shared_tokens(tasks) + tasks * recipe.own_tokens(tasks)
    seconds = {
        "replies": read * write_s,
        "train": 1.5 * tokens * steps * one / product_flops,  # a third is not products
        "measure": 2 * tasks * plan.measured_prompts * 128 * write_s,
    }
    return Estimate(int(read * feature_bytes(a)), training_memory(a, recipe, model_bytes), seconds)
