"""`python -m app`, `foreword`: the window, or a tool named by the first argument."""

import importlib
import os
import sys
from collections.abc import Sequence

from app.options import Options


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if arguments[:1] == ["bench"]:
        return int(importlib.import_module("inference.bench").main(arguments[1:]))
    options = Options.read(arguments)
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        if options.demo is None and "QT_QPA_PLATFORM" not in os.environ:
            print("No screen was found (neither DISPLAY nor WAYLAND_DISPLAY is set).", file=sys.stderr)
            return 1
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from app.start import start

    return start(options)


if __name__ == "__main__":
    sys.exit(main())
