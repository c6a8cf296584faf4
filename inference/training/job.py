"""A whole training run, step after step. Each leaves on disk what it made, and a second run goes on from there."""

import logging
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from inference.errors import UserError
from inference.heads import package
from inference.heads.card import Card, CardTarget
from inference.heads.fingerprint import TargetIdentity, identify
from inference.heads.package import Package
from inference.heads.shape import HeadShape, default_depths
from inference.manager.files import read_json, require_space, write_json
from inference.models.fused.architecture import Architecture
from inference.models.fused.model import FusedModel
from inference.settings import LoadSettings
from inference.tasks import TASKS, Task
from inference.tokenizer import Tokenizer
from inference.training import prompts as built_in_prompts
from inference.training.control import Control, Progress
from inference.training.features import observe_missing
from inference.training.generation import in_turn, tokens_written, write_replies
from inference.training.plan import Estimate, Plan, estimate, feature_bytes, fitted
from inference.training.prompts import TrainingPrompt
from inference.training.shards import Shards
from inference.training.writer import Manner, Writer

if TYPE_CHECKING:
    import torch

    from inference.training.borrowed import Borrowed
    from inference.training.trainer import Trainer

log = logging.getLogger(__name__)

K = TypeVar("K")

HELD_OUT_TOKENS = 128  # of a held-out reply
CONTEXT = 2048  # of the target while it writes
SHARED = "any"
TIMES = "times.json"
COMMANDS = "commands.json"  # all that went on in the folder, in order


class Job:
    """Raises UserError for a target whose features cannot be read, CancelledError when it was stopped."""

    def __init__(self, plan: Plan, model: FusedModel, tokenizer: Tokenizer, control: Control) -> None:
        self._model: FusedModel | None = model  # let go when the replies are written
        self._tokenizer = tokenizer
        self._control = control
        self._architecture: Architecture = model.architecture
        self._depths = default_depths(len(model.architecture.layers))
        self._identity: TargetIdentity = identify(plan.target.name, plan.folder, tokenizer.vocabulary)
        self._precision = model.description
        self.plan = replace(plan, recipe=fitted(plan.recipe, model.architecture, model.nbytes, plan.memory_bytes))
        self._starts = self._started(plan)
        self.replies = Shards(plan.work)
        self.held_out = Shards(plan.work / "held-out")

    def _started(self, plan: Plan) -> "dict[Task | None, Package]":
        """The drafts that go on learning. UserError for those that are no head of this target, or of another form."""
        if plan.start is None:
            return {}
        shape = HeadShape.for_target(self._architecture, 1, plan.recipe.window)
        starts: dict[Task | None, Package] = {}
        for task in plan.tasks:
            start = package.load(plan.start / task, self._identity)
            if replace(start.card.shape, vocabulary_size=1) != shape:
                raise UserError(f"The draft {task} was made in another form.", "Train it without --from.")
            begun: dict[str, Any] | None = self._kept(self._start_note(task), None)
            if begun is not None and start.card.data.get("went_on_from") == begun:  # it has come to its end before
                start = replace(start, card=replace(start.card, data=begun))
            if begun is not None and start.card.data != begun:
                raise UserError(f"In {plan.work} another draft {task} went on learning.", "Name another --work.")
            if start.card.data.get("recipe", {}).get("seed") == plan.recipe.seed:
                raise UserError(
                    f"The draft {task} knows the questions of seed {plan.recipe.seed}.", "Name another --seed."
                )
            starts[task] = start
        return starts

    def _start_note(self, task: Task) -> str:
        """Where in the work folder it says how a draft that goes on learning came about: the finished one may take its
        place, and a run that ended before the next draft was finished goes on all the same."""
        return f"{self._folder_name(task)}/start.json"

    def _folder_name(self, name: str) -> str:
        """In the work folder, of what is known of a draft in training."""
        return f"heads/further-{self.plan.recipe.seed}/{name}" if self.plan.start else f"heads/{name}"

    def estimate(self) -> Estimate:
        """Takes a second or two: a few passes are timed. UserError when the disk is too small."""
        assert self._model is not None
        result = estimate(
            self.plan, self._architecture, self._model.nbytes, _written_s(self._model), product_flops(self.plan.device)
        )
        missing = self.plan.reply_tokens - tokens_written(self.replies)
        require_space(self.plan.work, max(missing, 0) * feature_bytes(self._architecture))
        return result

    def run(self) -> list[Path]:
        """Every step that is not done yet. Returns the folders of the finished drafts."""
        commands: list[str] = self._kept(COMMANDS, [])
        if self.plan.command not in commands:
            self.plan.work.mkdir(parents=True, exist_ok=True)
            write_json(self.plan.work / COMMANDS, [*commands, self.plan.command])
        for task in self.plan.tasks if self._starts else ():
            note = self.plan.work / self._start_note(task)
            note.parent.mkdir(parents=True, exist_ok=True)
            write_json(note, dict(self._starts[task].card.data))
        self._write()
        self._model = None
        finished = []
        shared = None if self._starts else self._train(SHARED, None, None)
        for task in self.plan.tasks:
            trainer = shared if shared and len(self.plan.tasks) == 1 else self._train(task, task, shared)
            finished.append(self._package(task, trainer, shared))
        if not self.plan.keep_features:
            self.replies.forget_observed()
        return finished

    # --- replies

    def _write(self) -> None:
        assert self._model is not None
        plan, model = self.plan, self._model
        started, before = monotonic(), tokens_written(self.replies)
        manner = Manner(plan.longest_reply, seed=plan.recipe.seed)
        writer = Writer(model, self._tokenizer, manner, self._depths)
        write_replies(self.replies, writer, in_turn(self._streams()), plan.reply_tokens, self._control)
        greedy = Manner(min(HELD_OUT_TOKENS, plan.longest_reply), sampled_share=0.0)
        held_out = in_turn([self._held_out_prompts(task) for task in plan.tasks])
        writer = Writer(model, self._tokenizer, greedy, self._depths)
        write_replies(self.held_out, writer, held_out, None, self._control)
        for shards in (self.replies, self.held_out):
            observe_missing(shards, model, self._depths, self._control)
        model.observe(())
        if tokens_written(self.replies) > before:
            self._add_time("replies", monotonic() - started)

    def _streams(self) -> list[Iterator[TrainingPrompt]]:
        plan = self.plan
        streams: list[Iterator[TrainingPrompt]] = []
        for task in plan.tasks:
            held = set(self._held_out_prompts(task))
            streams.append(iter([prompt for prompt in plan.own if prompt.task == task and prompt not in held]))
            if plan.built_in:
                streams.append(built_in_prompts.for_training(task, plan.languages, plan.recipe.seed))
        return streams

    def _held_out_prompts(self, task: Task) -> list[TrainingPrompt]:
        """The person's own that chance holds out (of few the last one), then built-in ones."""
        plan = self.plan
        own = [prompt for prompt in plan.own if prompt.task == task]
        held = [prompt for prompt in own if prompt.held_out] or own[-1:]
        if plan.built_in:
            held += built_in_prompts.for_measuring(task, plan.languages, max(plan.measured_prompts - len(held), 0))
        return held[: plan.measured_prompts]

    # --- training

    def _train(self, name: str, task: Task | None, start: "Trainer | None") -> "Trainer":
        from inference.training.batches import endless, once
        from inference.training.course import train

        recipe, started = self.plan.recipe, monotonic()
        folder = self.plan.work / self._folder_name(name)
        trainer = self._trainer(task, start)
        try:
            train(
                trainer,
                endless(self.replies, task, recipe.batch_tokens, f"{recipe.seed}/{name}"),
                lambda: once(self.held_out, task, 2 * recipe.batch_tokens, "held out"),
                folder,
                self._control,
            )
        finally:
            self._add_time(name, monotonic() - started)
        return trainer

    def _trainer(self, task: Task | None, start: "Trainer | None") -> "Trainer":
        """start: whose head it goes on from."""
        from inference.training.trainer import Stage, Trainer, new_head

        recipe, count = self.plan.recipe, len(self.plan.tasks)
        borrowed = self._borrowed(task)
        shape = HeadShape.for_target(self._architecture, len(borrowed.vocabulary), recipe.window)
        head = new_head(shape, borrowed, recipe.seed)
        if task in self._starts:
            head.load_state_dict(self._starts[task].head().state_dict())
            stage = Stage(round(recipe.tokens / count), recipe.own_learning_rate, 0.0)
        elif start is None:
            stage = Stage(recipe.shared_tokens(count), recipe.learning_rate, 1 - recipe.rollout_share)
        else:
            head.load_state_dict(start.head.state_dict())
            stage = Stage(recipe.own_tokens(count), recipe.own_learning_rate, 0.0)
        return Trainer(head, borrowed, recipe, stage)

    def _borrowed(self, task: Task | None) -> "Borrowed":
        from inference.training.borrowed import borrow, most_frequent
        from inference.training.trainer import mixed_type

        device = _device(self.plan.device)
        replies = (reply for reply in self.replies.all_replies() if task in (None, reply.task))
        size = self._architecture.vocabulary_size
        count = min(self.plan.recipe.vocabulary_size, size)
        vocabulary = most_frequent(replies, count, size, self._tokenizer.end_tokens())
        return borrow(self.plan.folder, self._architecture, vocabulary, device, mixed_type(device))

    # --- the result

    def _package(self, task: Task, trainer: "Trainer", shared: "Trainer | None") -> Path:
        """Twice written: the engine measures what lies on disk, and the card then says what it gained."""
        from inference.training.gains import TOKENS, measure

        identity = self._identity
        target = CardTarget(identity.name, identity.fingerprint, identity.vocabulary_fingerprint)
        measured: dict[str, Any] = {"at_every_position": self._agreement(task, trainer)}
        card = Card(task, target, trainer.head.shape, self._data(task, trainer, shared), measured)
        folder = self.plan.output / task
        tensors = dict(trainer.head.state_dict()) | {"vocabulary": trainer.borrowed.vocabulary.cpu()}
        package.save(folder, card, tensors, "I8")
        settings = LoadSettings(device=self.plan.device, context_length=CONTEXT)
        asked, tokens = self._held_out_prompts(task), min(TOKENS, self.plan.longest_reply)
        gained = measure(self.plan.target, folder, asked, settings, self._control, tokens=tokens)
        package.save(folder, replace(card, measured=gained | measured), tensors, "I8")
        figures = {"head": task, "folder": str(folder), **gained}
        self._control.say(Progress("package", 1, 1, figures=figures), at_once=True)
        log.info("draft for %s: %s", task, gained)
        return folder

    def _agreement(self, task: Task, trainer: "Trainer") -> dict[str, Any]:
        """Were a draft made at every position of the held-out replies."""
        from inference.training.batches import once

        rates = trainer.check(once(self.held_out, task, 2 * self.plan.recipe.batch_tokens, "held out"))
        rounds = [round(value, 3) for value in tokens_per_round(rates)]
        replies = [reply for reply in self.held_out.all_replies() if reply.task == task]
        return {
            "acceptance_by_position": [round(rate, 4) for rate in rates],
            "tokens_per_round": rounds,
            "replies": len(replies),
            "tokens": sum(reply.written for reply in replies),
        }

    def _data(self, task: Task, trainer: "Trainer", shared: "Trainer | None") -> dict[str, Any]:
        plan, written = self.plan, dict.fromkeys(TASKS, 0)
        trainers = {SHARED: shared, task: trainer} if trainer is not shared else {SHARED: shared}
        curves = {name: one.curve for name, one in trainers.items() if one is not None}
        seen = sum(one.seen for one in trainers.values() if one is not None)
        before = self._starts[task].card.data if task in self._starts else {}
        count = 0
        for reply in self.replies.all_replies():
            written[reply.task] += reply.written
            count += 1
        manner = Manner(plan.longest_reply, seed=plan.recipe.seed)
        commands: list[str] = self._kept(COMMANDS, [])
        return {
            "command": plan.command,
            "earlier_commands": [one for one in commands if one != plan.command],
            "target_format": self._precision,
            "replies": count,
            "reply_tokens": {name: tokens for name, tokens in written.items() if tokens},
            "prompts": {"built_in": list(plan.languages) if plan.built_in else [], "own": len(plan.own)},
            "manner": asdict(manner),
            "recipe": asdict(plan.recipe),
            "trained_tokens": seen + before.get("trained_tokens", 0),
            "seconds": self._times(),
            "curve": curves,
        } | ({"went_on_from": before} if before else {})

    def _add_time(self, step: str, seconds: float) -> None:
        times = self._times()
        times[step] = round(times.get(step, 0.0) + seconds, 1)
        write_json(self.plan.work / TIMES, times)

    def _times(self) -> dict[str, float]:
        return self._kept(TIMES, {})

    def _kept(self, name: str, default: K) -> K:
        """What a file in the work folder holds."""
        try:
            kept: K = read_json(self.plan.work / name)
        except OSError:
            return default
        return kept


def tokens_per_round(rates: list[float]) -> list[float]:
    """Expected tokens of a round by draft length 1, 2, ...: 1 + the sum of the products of the acceptance so far."""
    result, product, total = [], 1.0, 1.0
    for rate in rates:
        product *= rate
        total += product
        result.append(total)
    return result


def _device(name: str) -> "torch.device":
    from inference.device import resolve_device

    return resolve_device(name)


def _written_s(model: FusedModel) -> float:
    """Seconds of one written token, the passes being as wide as the writer makes them."""
    from inference.training.writer import ROWS

    rows = ROWS if model.writes_together else 1
    caches = [model.new_cache() for _ in range(rows)]
    best = float("inf")
    for _ in range(4):
        started = monotonic()
        if rows > 1:
            model.forward_texts([0] * rows, caches)
        else:
            model.forward([0], caches[0]).argmax().item()
        best = min(best, (monotonic() - started) / rows)
    return 1.3 * best  # prompts, choices and what is kept


def product_flops(device_name: str) -> float:
    """Multiplications and additions a second of the products that training is made of."""
    import torch

    from inference.training.trainer import mixed_type

    device = _device(device_name)
    x, w = (torch.ones(1024, 1024, device=device, dtype=mixed_type(device)) for _ in range(2))
    best = float("inf")
    for _ in range(4):
        started = monotonic()
        (x @ w).sum().item()
        best = min(best, monotonic() - started)
    return 2 * 1024**3 / best
