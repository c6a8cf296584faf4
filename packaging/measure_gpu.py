"""Figures of a graphics card: decoding with and without speculation, verify passes by rows, memory; graphs on and off.

    python packaging/measure_gpu.py MODEL [--draft DRAFT] [--precision int4] [--json]

Run it with the environment's own Python. MODEL and DRAFT are folders, .gguf files, or names of models in the store.
Ends with status 3 where there is no card, 2 where a model cannot be loaded.
"""

import argparse
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, get_args

sys.path.append(str(Path(__file__).resolve().parent.parent))

from inference.errors import UserError
from inference.settings import (
    MAX_DRAFT_LENGTH,
    GenerationSettings,
    LoadSettings,
    Precision,
    SamplingSettings,
    SpeculationSettings,
)

if TYPE_CHECKING:
    import torch

    from inference.engine import Engine
    from inference.manager.spec import Spec
    from inference.models.causal_model import CausalModel
    from inference.statistics import ReplyStatistics

NO_CARD, BAD_INPUT = 3, 2
LENGTHS = range(1, 9)  # K
ROWS: tuple[int, ...] = (*range(1, 10), MAX_DRAFT_LENGTH + 1)
CONTEXT_READ = 512  # tokens in the cache when passes are timed
REPEATS = 20  # passes for one figure
GIB = 1 << 30


@dataclass(frozen=True)
class Plan:
    """How long and how often: the tokens of a reply, replies for a figure, prompts of each task."""

    tokens: int = 128
    runs: int = 3
    prompts: int = 2
    lengths: Sequence[int] = LENGTHS


@dataclass(frozen=True)
class Figures:
    """One way of decoding on one task; medians. differs: replies that are not, token for token, what came without
    speculation (16-bit sums may break near-ties otherwise)."""

    arm: str
    task: str
    tok_s: float
    tokens_per_round: float
    acceptance: float
    draft_share: float
    differs: int


@dataclass(frozen=True)
class Setup:
    """A loaded engine, measured. Milliseconds by rows; bytes of the card (0 where it does not tell)."""

    graphs: bool
    target: str
    draft: str | None
    load_s: float
    prefill_tok_s: float
    verify_ms: dict[int, float]
    draft_step_ms: float | None
    arms: list[Figures]
    allocated_bytes: int
    reserved_bytes: int


def arms(has_draft: bool, lengths: Sequence[int]) -> dict[str, SpeculationSettings]:
    """No speculation first: the others are compared with it."""
    result = {
        "off": SpeculationSettings(mode="off"),
        "n-gram": SpeculationSettings(mode="on", drafter="ngram", draft_length=4, dynamic=False),
    }
    if has_draft:
        for k in lengths:
            result[f"draft K={k}"] = SpeculationSettings(mode="on", drafter="model", draft_length=k, dynamic=False)
    result["automatic"] = SpeculationSettings(drafter="model" if has_draft else "ngram")
    return result


def measure(target: "Spec", draft: "Spec | None", settings: LoadSettings, graphs: bool, plan: Plan) -> Setup:
    """Load and measure everything. Raises UserError."""
    import torch

    from inference.memory import release_memory

    if settings.device == "cuda":
        torch.cuda.reset_peak_memory_stats()
    with graphs_switched(graphs):
        started = perf_counter()
        engine = loaded(target, draft, settings)
        load_s = perf_counter() - started
        held, helper = engine.held, engine.held_draft
        assert held is not None  # loaded
        ways = arms(helper is not None, plan.lengths)
        result = Setup(
            graphs=graphs,
            target=f"{target.name}: {held.model.description}",
            draft=f"{helper.spec.name}: {helper.model.description}" if helper else None,
            load_s=load_s,
            prefill_tok_s=prefill_speed(held.model),
            verify_ms=pass_times(held.model, ROWS),
            draft_step_ms=pass_times(helper.model, (1,))[1] if helper else None,
            arms=list(decoded(engine, ways, plan)),
            **memory(held.model.device),
        )
        del held, helper
        engine.unload()
        release_memory()
    return result


@contextmanager
def graphs_switched(on: bool) -> Iterator[None]:
    before = os.environ.pop("FOREWORD_GRAPHS", None)
    if not on:
        os.environ["FOREWORD_GRAPHS"] = "off"
    try:
        yield
    finally:
        os.environ.pop("FOREWORD_GRAPHS", None)
        if before is not None:
            os.environ["FOREWORD_GRAPHS"] = before


def loaded(target: "Spec", draft: "Spec | None", settings: LoadSettings) -> "Engine":
    from inference.engine import Engine

    engine, never = Engine(), threading.Event()
    for _ in engine.load(target, settings, never):
        pass
    if draft is not None:
        for _ in engine.load_draft(draft, replace(settings, precision="auto"), never):
            pass
    return engine


def finish(device: "torch.device") -> None:
    """Wait until the card has done everything."""
    import torch

    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()


def seconds(work: Callable[[], object], device: "torch.device") -> float:
    finish(device)
    started = perf_counter()
    work()
    finish(device)
    return perf_counter() - started


def prefill_speed(model: "CausalModel") -> float:
    """Tokens a second; the second of two readings counts."""
    text = [1 + i % 100 for i in range(context_read(model))]
    _, second = (seconds(lambda: model.forward(text, model.new_cache()), model.device) for _ in range(2))
    return len(text) / second


def pass_times(model: "CausalModel", rows: Sequence[int]) -> dict[int, float]:
    """Milliseconds of a pass by its rows, behind a text of CONTEXT_READ tokens; the first passes do not count."""
    cache = model.new_cache()
    length = context_read(model)
    model.forward([1 + i % 100 for i in range(length)], cache)
    result = {}
    for n in rows:
        times = []
        for _ in range(REPEATS + 3):
            times.append(seconds(lambda n=n: model.forward([1] * n, cache, n), model.device))  # type: ignore[misc]
            cache.truncate(length)
        result[n] = 1000 * median(times[3:])
    return result


def context_read(model: "CausalModel") -> int:
    """Fewer where the model's context is short."""
    return min(CONTEXT_READ, int(model.context_length) - max(ROWS))


def decoded(engine: "Engine", ways: dict[str, SpeculationSettings], plan: Plan) -> Iterator[Figures]:
    """All ways in turn, again and again, so that a card that grows hot slows them all; the first turn warms up."""
    from inference.bench.prompts import first_of_each, in_languages, shipped

    prompts = first_of_each(in_languages(shipped("prompts.jsonl"), ("en",)), plan.prompts)
    replies: dict[tuple[str, str], list[Reply]] = {}
    for run in range(plan.runs + 1):
        for prompt in prompts:
            for name, speculation in ways.items():
                reply = greedy_reply(engine, prompt.prompt, speculation, plan.tokens)
                if run > 0:
                    replies.setdefault((name, prompt.task), []).append(reply)
    for (name, task), ours in replies.items():
        plain = replies["off", task]
        yield Figures(
            arm=name,
            task=task,
            tok_s=median(reply.figures.tokens_per_second for reply in ours),
            tokens_per_round=median(reply.figures.tokens_per_round for reply in ours),
            acceptance=median(reply.figures.acceptance_rate for reply in ours),
            draft_share=median(reply.figures.draft_share for reply in ours),
            differs=sum(mine.text != other.text for mine, other in zip(ours, plain, strict=True)),
        )


@dataclass(frozen=True)
class Reply:
    figures: "ReplyStatistics"
    text: tuple[int, ...]  # prompt and reply in tokens


def greedy_reply(engine: "Engine", prompt: str, speculation: SpeculationSettings, tokens: int) -> Reply:
    """Nothing is reused from before. Raises UserError."""
    from inference.events import Failed, Finished
    from inference.messages import Message

    settings = GenerationSettings(SamplingSettings(temperature=0), speculation, tokens)
    engine.forget_chats()
    *_, last = engine.generate([Message("user", prompt)], settings, threading.Event())
    if isinstance(last, Failed):
        raise UserError(last.message, last.remedy)
    assert isinstance(last, Finished)
    return Reply(last.statistics, tuple(engine.forget_chats()[-1]))


def memory(device: "torch.device") -> dict[str, int]:
    """The most that tensors took, and that torch held for them and for graphs."""
    import torch

    if device.type != "cuda":
        return {"allocated_bytes": 0, "reserved_bytes": 0}
    return {
        "allocated_bytes": torch.cuda.max_memory_allocated(device),
        "reserved_bytes": torch.cuda.max_memory_reserved(device),
    }


def report(setup: Setup) -> str:
    draft = f"; draft {setup.draft}, a step {setup.draft_step_ms:.2f} ms" if setup.draft else ""
    times = "  ".join(f"{rows}: {ms:.2f}" for rows, ms in setup.verify_ms.items())
    lines = [
        f"{setup.target}{draft}",
        f"loaded in {setup.load_s:.1f} s; prefill {setup.prefill_tok_s:.0f} tok/s; memory of the card "
        f"{setup.allocated_bytes / GIB:.2f} GiB in tensors, {setup.reserved_bytes / GIB:.2f} GiB held",
        f"a pass by rows, ms, behind {CONTEXT_READ} tokens:  {times}",
        f"{'':12}{'task':8}{'tok/s':>8}{'ratio':>8}{'a round':>9}{'accepted':>10}{'drafting':>10}{'differs':>9}",
    ]
    plain = {arm.task: arm.tok_s for arm in setup.arms if arm.arm == "off"}
    for arm in setup.arms:
        lines.append(
            f"{arm.arm:12}{arm.task:8}{arm.tok_s:8.1f}{arm.tok_s / plain[arm.task]:8.2f}{arm.tokens_per_round:9.2f}"
            f"{arm.acceptance:10.0%}{arm.draft_share:10.0%}{arm.differs:9}"
        )
    return "\n".join(lines)


def find_device() -> str | None:
    """cuda, mps, or None where torch knows no card."""
    import torch

    return "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else None


def read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Figures of a graphics card: speed with and without speculation.")
    parser.add_argument("model", help="a folder, a .gguf file, or a model in the store")
    parser.add_argument("--draft", help="a smaller model of the same vocabulary")
    parser.add_argument("--precision", choices=get_args(Precision), default="auto", help="int4 is NF4 on CUDA")
    parser.add_argument("--context", type=int, default=4096, help="tokens (default: 4096)")
    parser.add_argument("--tokens", type=int, default=Plan.tokens, help=f"of a reply (default: {Plan.tokens})")
    parser.add_argument("--runs", type=int, default=Plan.runs, help=f"replies to each prompt (default: {Plan.runs})")
    parser.add_argument("--json", action="store_true", help="one line of JSON in place of tables")
    return parser.parse_args(argv)


def main(argv: Sequence[str]) -> int:
    chosen = read_arguments(argv)
    device = find_device()
    if device is None:
        print("There is no graphics card that torch can use: nothing was measured.", file=sys.stderr)
        return NO_CARD
    import torch

    from inference.manager.store import Store
    from inference.models.fused.device_note import device_note

    note = device_note(torch.device(device))
    print(note, file=sys.stderr)
    plan = Plan(tokens=chosen.tokens, runs=chosen.runs)
    setups = []
    try:
        settings = LoadSettings(precision=chosen.precision, device=device, context_length=chosen.context)
        target = Store().open_folder(Path(chosen.model))
        draft = Store().open_folder(Path(chosen.draft)) if chosen.draft else None
        # Without graphs only what shows their gain; on mps there are none.
        turns = [(True, plan), (False, replace(plan, lengths=()))] if device == "cuda" else [(False, plan)]
        for graphs, wanted in turns:
            setups.append(measure(target, draft, settings, graphs, wanted))
            if not chosen.json:
                print(f"\n{report(setups[-1])}", flush=True)
    except (UserError, ValueError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    if chosen.json:
        print(json.dumps({"device": note, "setups": [asdict(setup) for setup in setups]}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
