"""Runs first in the built program, before anything of Foreword's is imported."""

import os
import sys

# The libraries beside the program are for it alone: a browser or a file manager that it opens needs the system's.
# The loader has read the variable by now, and the program sets it again for every child that is itself.
for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
    if (original := os.environ.pop(f"{name}_ORIG", None)) is not None:
        os.environ[name] = original
    else:
        os.environ.pop(name, None)

# Qt comes without a plugin for fcitx, which Chinese systems ask for by name; fcitx answers in the manner of ibus too.
if (method := os.environ.get("QT_IM_MODULE")) and "QT_IM_MODULES" not in os.environ:
    os.environ["QT_IM_MODULES"] = f"{method};ibus"

# A program without a console has nowhere to write to, and many packages write all the same.
for stream in ("stdout", "stderr"):
    if getattr(sys, stream) is None:
        setattr(sys, stream, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 (stays open)
