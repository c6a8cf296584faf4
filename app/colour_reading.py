"""Syntax colours that take longer than a frame: read in a thread, and handed over in the GUI's."""

from collections.abc import Callable

from app.errands import Errands
from app.highlight import Coloured, coloured

_errands = Errands()  # none outlives its reading


def read_apart(language: str, text: str, start: int, done: Callable[[Coloured], None]) -> None:
    """`done` is a method of a QObject; if that is gone by then, nothing happens. Where reading fails the log says why,
    and the code can be read without colours."""
    _errands.start("colours", lambda _: iter([coloured(language, text, start)]), done, lambda _: None)
