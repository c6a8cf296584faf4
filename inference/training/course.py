"""One stretch of training from beginning to end, or from its last checkpoint: progress, pauses, checkpoints, curve."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

from inference.memory import release_memory
from inference.training.batches import Batch
from inference.training.control import CancelledError, Clock, Control, Progress
from inference.training.trainer import Trainer

CHECKPOINT_S = 60.0
RELEASE_EVERY = 4  # batches: no two are of one shape, and what they leave free grows to many times the need
CURVE_POINTS = 60  # of running averages in a stage
CHECKS = 6  # of them, so a divisor, with acceptance on held-out replies


def train(
    trainer: Trainer,
    batches: Iterator[Batch],
    held_out: Callable[[], Iterator[Batch]],
    folder: Path,
    control: Control,
) -> None:
    """Until the stage is done. Raises CancelledError with the state saved in `folder`, where the next run finds it."""
    trainer.restore(folder)
    total = trainer.stage.tokens
    clock, saved = Clock(trainer.seen, total), monotonic()
    try:
        while not trainer.done:
            before = trainer.seen
            figures = trainer.learn(next(batches))
            if trainer.steps_made % RELEASE_EVERY == 0:
                release_memory()
            if _passed(before, trainer.seen, total, CURVE_POINTS):
                point = {"tokens": float(trainer.seen)} | {key: round(value, 4) for key, value in figures.items()}
                if trainer.done or _passed(before, trainer.seen, total, CHECKS):
                    rates = trainer.check(held_out())
                    point |= {f"held_out_{j + 1}": round(rate, 4) for j, rate in enumerate(rates)}
                trainer.curve.append(point)
            if monotonic() - saved > CHECKPOINT_S:
                trainer.save(folder)
                saved = monotonic()
            clock.waited(control.breathe())
            shown = {"head": folder.name, "tokens_per_second": round(clock.pace(trainer.seen), 1)}
            shown |= {key: round(value, 4) for key, value in figures.items()}
            latest = next((point for point in reversed(trainer.curve) if "held_out_1" in point), {})
            shown |= {key: value for key, value in latest.items() if key.startswith("held_out")}
            done = min(trainer.seen, total)
            control.say(Progress("train", done, total, clock.left_s(trainer.seen), figures=shown))
    except CancelledError:
        trainer.save(folder)
        raise
    trainer.save(folder)


def _passed(before: int, after: int, total: int, points: int) -> bool:
    """Whether one of `points` evenly spaced marks lies between."""
    return before * points // total < min(after, total) * points // total
