"""How the commands speak: tables and JSON on stdout, progress on stderr."""

import json
import signal
import sys
import unicodedata
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from inference.events import LoadProgress
from inference.manager.files import size_text
from inference.manager.spec import Spec

EVERY_S = 0.2  # on a terminal
STEPS = 10  # lines elsewhere


def as_json(spec: Spec, **more: Any) -> dict[str, Any]:
    return {
        "identifier": spec.identifier,
        "name": spec.name,
        "folder": str(spec.folder) if spec.folder else None,
        "parameters": spec.parameters,
        "size_bytes": spec.size_bytes,
        "context_length": spec.context_length,
        "licence": spec.licence,
        "languages": list(spec.languages),
        "drafts_for_code": list(spec.drafts_for_code),
        "drafts_for_prose": list(spec.drafts_for_prose),
        **more,
    }


def say(value: dict[str, Any]) -> None:
    print(json.dumps({"format": 1} | value, ensure_ascii=False, indent=2))


def asked(question: str, read: Callable[[str], str] = input) -> str:
    """The person's answer on the terminal, "" for none. Ctrl+C ends the program here, though elsewhere it waits."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return read(question).strip()
    except EOFError:
        print()
        return ""
    finally:
        signal.signal(signal.SIGINT, before)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns side by side; Chinese characters take two places."""
    widths = [max(_width(row[i]) for row in (head, *rows)) for i in range(len(head))]
    lines = []
    for row in (head, *rows):
        cells = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def parameters_text(count: int) -> str:
    """8.2 B, 135 M, or nothing where it is not known."""
    if not count:
        return ""
    return f"{count / 1e9:.1f} B" if count >= 1e9 else f"{count / 1e6:.0f} M"


def progress_text(step: LoadProgress) -> str:
    """convert smollm2.gguf 412.0 MB of 1.1 GB (37%); without figures where they are not known."""
    what = f"{step.stage} {step.detail}".strip()
    if step.total <= 0:
        return what
    return f"{what} {size_text(step.done)} of {size_text(step.total)} ({step.done / step.total:.0%})"


class Progress:
    """One line that is written over on a terminal, ten lines elsewhere."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._last = -1.0
        self._step = ("", -1)

    def show(self, step: LoadProgress) -> None:
        share = step.done / step.total if step.total > 0 else 0.0
        text = progress_text(step)
        if self._terminal:
            if monotonic() - self._last >= EVERY_S or share >= 1.0:
                self._last = monotonic()
                print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif (mark := (step.stage, int(share * STEPS))) != self._step:
            self._step = mark
            print(text, file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._terminal and self._last >= 0:
            print(file=sys.stderr)


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
