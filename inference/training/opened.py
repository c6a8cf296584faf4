"""From what was said on the command line to a plan, with the target it is for in memory."""

import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath

from inference.bench import prompts as prompt_files
from inference.bench.loaded import find_model
from inference.errors import UserError
from inference.heads.shelf import trained_folder
from inference.manager.paths import TRAINING, data_folder
from inference.manager.spec import Spec
from inference.manager.store import Store
from inference.models.fused.architecture import UnsupportedArchitectureError
from inference.models.fused.model import FusedModel
from inference.tokenizer import Tokenizer
from inference.training import own_prompts
from inference.training.job import CONTEXT
from inference.training.options import Options
from inference.training.plan import Plan
from inference.training.prompts import TrainingPrompt

Say = Callable[[str], None]
PLACES = ("--work", "--output", "--busy")  # options whose value a card leaves out
NAMED = ("--model", "--prompts", "--from")  # and those of which it tells the last name alone


def opened(
    options: Options, argv: Sequence[str], questions: Callable[[], Iterable[str]], say: Say
) -> tuple[Plan, FusedModel, Tokenizer]:
    """Raises UserError for a model that cannot be opened or whose hidden states cannot be read."""
    if options.threads is not None:
        _use_threads(options.threads)
    target = find_model(Store(), options.model, say)
    assert target.folder is not None
    own = list(own_prompts.from_file(options.prompts)) if options.prompts else []
    if options.include_my_chats:
        own += own_prompts.from_questions(questions())
    tokenizer = Tokenizer.load(target.folder)
    plan = plan_of(options, argv, target, tokenizer, own)
    say("loading the model")
    try:
        model = FusedModel.load(target.folder, "auto", options.device, CONTEXT)
    except UnsupportedArchitectureError as error:
        raise UserError(
            f"No draft can be trained for {target.name}: {error}", "Choose a model of a family the fused decoder knows."
        ) from error
    return plan, model, tokenizer


def plan_of(
    options: Options, argv: Sequence[str], target: Spec, tokenizer: Tokenizer, own: Sequence[TrainingPrompt]
) -> Plan:
    name = target.identifier if target.folder is None else target.folder.name
    return Plan(
        target=target,
        work=options.work or data_folder() / TRAINING / name,
        output=options.output or trained_folder() / name,
        tasks=options.tasks,
        languages=_languages(options.language, target, tokenizer),
        own=tuple(dict.fromkeys(own)),
        built_in=not options.only_these,
        reply_tokens=options.reply_tokens,
        longest_reply=options.longest_reply,
        recipe=options.recipe,
        memory_bytes=None if options.memory_gb is None else int(options.memory_gb * 1e9),
        device=options.device,
        keep_features=options.keep_features,
        start=options.start,
        command=shlex.join(["foreword", "train-draft", *without_places(argv)]),
    )


def without_places(argv: Sequence[str]) -> list[str]:
    """What a card may tell of a command line: folders of this machine, and a person's name in them, are left out."""
    kept, rest = [], [part for said in argv for part in (said.split("=", 1) if said.startswith("--") else [said])]
    while rest:
        name = rest.pop(0)
        if name in PLACES and rest:
            rest.pop(0)
        elif name in NAMED and rest:
            kept += [name, PurePath(rest.pop(0)).name]
        elif name != "--json":
            kept.append(name)
    return kept


def _languages(wanted: str, target: Spec, tokenizer: Tokenizer) -> tuple[str, ...]:
    if wanted != "auto":
        return ("en", "zh") if wanted == "all" else (wanted,)
    chinese = "zh" in target.languages if target.languages else prompt_files.reads_chinese(tokenizer)
    return ("en", "zh") if chinese else ("en",)


def _use_threads(count: int) -> None:
    from inference.bench.benchmark import use_threads

    use_threads(count)
