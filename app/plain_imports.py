"""Gives Python its own import statement back after Qt's bindings have wrapped it.

Shiboken reads the source of every module that is imported after it, to see whether it asks for snake_case names, and
`linecache` keeps what was read: 2,500 files and 130 MB by the time torch and transformers are there. Nothing here asks
for such names.
"""

import builtins
import linecache


def restore_import() -> None:
    """Import Qt, and then as ever: before the program's own modules, of which reading each again would cost the window
    a fifth of a second. Does nothing where the bindings wrap nothing."""
    import PySide6.QtCore  # noqa: F401

    original = getattr(builtins, "__orig_import__", None)
    if original is not None:
        builtins.__import__ = original
    linecache.clearcache()
