"""Holds the memory plan against reality: loads a model, fills its context, and compares the peak with the plan.

    python packaging/measure_memory.py MODEL [--draft DRAFT] [--contexts 1024 4096 8192] [--precision int4] [--json]

Each context is measured in a process of its own, with everything the program has loaded. What counts is memory that the
system cannot take back: a model's file that is only mapped while it is read does not. Ends with status 1 where plan and
peak differ by more than 10 %.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

sys.path.append(str(Path(__file__).resolve().parent.parent))

from inference.errors import UserError
from inference.manager.files import size_text
from inference.plan.machine import Machine
from inference.plan.memory_plan import MemoryPlan, PlanSettings, plan
from inference.plan.model_shape import shape_in
from inference.settings import (
    DrafterKind,
    GenerationSettings,
    LoadSettings,
    Precision,
    SamplingSettings,
    SpeculationSettings,
)

TOLERANCE = 0.10
REPLY = 48  # tokens at the end of the context
INTERVAL_S = 0.005


class Peak:
    """The most memory this process had that the system could not take back, in bytes. Linux counts it; elsewhere the
    resident set stands for it."""

    def __init__(self) -> None:
        import psutil

        self._process = psutil.Process()
        self._libraries = self._figures()[1]
        self.bytes = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def end(self) -> int:
        self._ended.set()
        self._thread.join()
        return self.bytes

    def _watch(self) -> None:
        while not self._ended.wait(INTERVAL_S):
            self.bytes = max(self.bytes, self._figures()[0] + self._libraries)

    def _figures(self) -> tuple[int, int]:
        """Anonymous memory, and file pages (libraries)."""
        try:
            lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        except OSError:
            return self._process.memory_info().rss, 0
        fields = {name: value for name, _, value in (line.partition(":") for line in lines)}
        return int(fields["RssAnon"].split()[0]) * 1024, int(fields["RssFile"].split()[0]) * 1024


def measure(model: Path, draft: Path | None, settings: LoadSettings) -> int:
    """Load, fill the context with one prompt and a reply, and return the peak in bytes."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from app.plain_imports import restore_import

    restore_import()  # first, as the program does it
    from PySide6.QtWidgets import QApplication

    import app.start  # noqa: F401  (whatever the program has in memory)
    from app.views.window import Window
    from inference.chat_template import render
    from inference.engine import Engine
    from inference.events import Failed
    from inference.manager.folder import inspect
    from inference.messages import Message

    qt = QApplication([])
    window = Window()
    window.show()
    qt.processEvents()
    peak = Peak()
    engine, cancel = Engine(), threading.Event()
    for _ in engine.load(inspect(model).spec, settings, cancel):
        pass
    if draft is not None:
        for _ in engine.load_draft(inspect(draft).spec, settings, cancel):
            pass
    held = engine.held
    assert held is not None
    room = held.model.context_length - REPLY
    words = [f"word{number * 7919 % 1000} " for number in range(room)]
    lengths = [len(render(held.tokenizer, [Message("user", "".join(words[:count]))])) for count in (1, 65)]
    fitting = (room - lengths[0]) * 64 // (lengths[1] - lengths[0])
    prompt = Message("user", "".join(words[: fitting - 1]))
    drafter: DrafterKind = "model" if draft else "head" if engine.heads else "ngram"
    print(f"drafts: {drafter}, heads: {[head.name for head in engine.heads]}", file=sys.stderr)
    speculation = SpeculationSettings(mode="on", drafter=drafter, dynamic=False, draft_length=8)
    sampling = SamplingSettings(temperature=0.7, top_p=0.9, seed=1)
    request = GenerationSettings(sampling, speculation, max_tokens=REPLY)
    for event in engine.generate([prompt], request, cancel):
        if isinstance(event, Failed):
            raise UserError(event.message, event.remedy)
    return peak.end()


def compare(model: Path, draft: Path | None, context: int, precision: Precision) -> dict[str, Any]:
    """Plan and peak of one context; the peak from a process of its own."""
    planned: MemoryPlan = plan(
        shape_in(model),
        Machine.here(),
        PlanSettings(precision=precision, context=context),
        shape_in(draft) if draft else None,
    )
    command = [sys.executable, __file__, str(model), "--contexts", str(context), "--precision", precision, "--measure"]
    done = subprocess.run(
        command + (["--draft", str(draft)] if draft else []), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise UserError(f"Measuring failed: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    peak, needed = int(done.stdout.split()[-1]), planned.needed("ram")
    parts = {part.name: part.nbytes for part in planned.parts}
    return {"context": planned.context, "planned": needed, "measured": peak, "ratio": needed / peak, "parts": parts}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare the memory plan with what loading really takes.")
    parser.add_argument("model", type=Path, help="a model's folder")
    parser.add_argument("--draft", type=Path, help="a draft's folder")
    parser.add_argument("--contexts", type=int, nargs="+", default=[1024, 4096, 8192])
    parser.add_argument("--precision", choices=get_args(Precision), default="auto")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    try:
        if options.measure:
            settings = LoadSettings(precision=options.precision, context_length=options.contexts[0])
            print(measure(options.model, options.draft, settings))
            return 0
        results = [compare(options.model, options.draft, n, options.precision) for n in options.contexts]
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(results))
    else:
        for result in results:
            parts = ", ".join(f"{name} {size_text(size)}" for name, size in result["parts"].items())
            print(
                f"{result['context']:>7} tokens: planned {size_text(result['planned'])}, measured "
                f"{size_text(result['measured'])}, ratio {result['ratio']:.3f} ({parts})"
            )
    return int(any(abs(result["ratio"] - 1) > TOLERANCE for result in results))


if __name__ == "__main__":
    sys.exit(main())
