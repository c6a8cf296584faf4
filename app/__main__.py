"""`python -m app`, `foreword`: the window, or a tool named by the first argument."""

import importlib
import os
import sys
from collections.abc import Sequence

from app.options import Options

TOOLS = {  # each with a function `main`
    "bench": "inference.bench",
    "doctor": "app.doctor",
    "models": "inference.manager.cli",
    "train-draft": "app.own_questions",
}


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if arguments and arguments[0] in TOOLS:
        return call(arguments[0], arguments[1:])
    options = Options.read(arguments)
    if not has_screen():
        if options.demo is None:
            print("No screen was found: neither DISPLAY nor WAYLAND_DISPLAY is set.", file=sys.stderr)
            return 1
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from app.plain_imports import restore_import  # Qt is imported only once it is known to be needed

    restore_import()
    from app.leave import leave
    from app.start import start

    return leave(start(options))


def call(tool: str, arguments: Sequence[str]) -> int:
    """Whoever reads its words may have heard enough: `foreword doctor | head -3`."""
    try:
        status = int(importlib.import_module(TOOLS[tool]).main(arguments))
        print(end="", flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python writes once more when it ends
        return 1
    return status


def has_screen() -> bool:
    """Whether a window can be shown: Linux needs to be told where, and Qt may have been told otherwise."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform != "linux" or any(os.environ.get(name) for name in names)


if __name__ == "__main__":
    sys.exit(main())
