"""`foreword train-draft`: the run itself, its progress on the terminal, and its exit codes."""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

from inference.bench import Progress as Line
from inference.errors import UserError
from inference.training import options as command_line
from inference.training.control import CancelledError, Control, Progress
from inference.training.options import Options

TRAINED, BAD_INPUT, STOPPED = 0, 2, 130
LOW_PRIORITY = 15  # of 19: whatever the person does goes first
Questions = Callable[[], Iterable[str]]


def main(argv: Sequence[str], questions: Questions = lambda: ()) -> int:
    """Run with the arguments after `train-draft`. questions: reads the person's own from their chats; only called when
    they say so."""
    line = Line()
    try:
        options = command_line.read(argv)
        say = _as_json if options.json else lambda progress: line(in_words(progress))
        control = Control(say, options.busy)
        with listening(control.stop):
            return _run(options, argv, control, questions, line)
    except UserError as error:
        line.clear()
        told = json.dumps({"error": error.message, "remedy": error.remedy}) if "--json" in argv else str(error)
        print(told, file=sys.stderr)
        return BAD_INPUT
    except (CancelledError, KeyboardInterrupt):
        line.clear()
        print("Stopped. The same command goes on from here.", file=sys.stderr)
        return STOPPED


def _run(options: Options, argv: Sequence[str], control: Control, questions: Questions, line: Line) -> int:
    with suppress(OSError, AttributeError):  # Windows has no nice; it is started at low priority there
        os.nice(max(0, LOW_PRIORITY - os.nice(0)))
    line("starting")
    from inference.training.job import Job
    from inference.training.opened import opened

    plan, model, tokenizer = opened(options, argv, questions, line)
    job = Job(plan, model, tokenizer, control)
    del model
    expected = job.estimate()
    line.clear()
    if options.json:
        print(json.dumps({"estimate": expected.to_json()}), flush=True)
    else:
        print(expected.in_words(), flush=True)
    if options.estimate:
        return TRAINED
    folders = job.run()
    line.clear()
    for folder in folders:
        print(json.dumps({"draft": str(folder)}) if options.json else result_in_words(folder), flush=True)
    return TRAINED


def result_in_words(folder: Path) -> str:
    from inference.heads.package import read_card

    card = read_card(folder)
    rates = ", ".join(f"{rate:.0%}" for rate in card.measured["acceptance_by_position"])
    length, best = max(card.measured["by_draft_length"].items(), key=lambda item: item[1]["measured_gain"])
    return (
        f"{folder}: a draft for {card.task}. Accepted by position {rates}. With {length} tokens ahead "
        f"{best['tokens_per_round']:.2f} tokens a round and {best['measured_gain']:.2f} times the speed without it, "
        f"where {best['expected_gain']:.2f} was to be expected."
    )


def in_words(progress: Progress) -> str:
    """One line for a terminal."""
    share = progress.done / max(progress.total, 1)
    parts = [f"{progress.step} {share:.0%}"]
    if progress.paused:
        return f"{parts[0]}, waiting while you chat"
    for name in ("head", "tokens_per_second", "loss", "agreement_1", "held_out_1"):
        if name in progress.figures:
            parts.append(f"{name.replace('_', ' ')} {progress.figures[name]}")
    if progress.left_s is not None:
        parts.append(duration(progress.left_s) + " left")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _as_json(progress: Progress) -> None:
    print(json.dumps({"progress": progress.to_json()}), flush=True)


@contextmanager
def listening(stop: threading.Event) -> Iterator[None]:
    """Ctrl+C and a polite request to end let the work in hand finish; a second one does not wait."""

    def ask(_signal: int, _frame: FrameType | None) -> Any:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
