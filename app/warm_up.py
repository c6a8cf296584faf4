"""What the first reply would have to read while it is shown, at the cost of its speed: read when a model has come."""

from collections.abc import Iterator
from threading import Event

from app.highlight import coloured
from app.mathematics import picture_of

LANGUAGES = ("python", "javascript", "bash", "json", "html")  # what people ask for most; others are read when they come


def warm_up(cancel: Event) -> Iterator[None]:
    """In a thread of its own: the typeface of formulas with its libraries, and the patterns of a few languages."""
    yield None
    if not cancel.is_set():
        picture_of("x", 16.0, "#000000", display=False)
    for language in LANGUAGES:
        if not cancel.is_set():
            coloured(language, "x")
