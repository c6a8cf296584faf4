"""What the launcher says and asks for, caught."""

import io
from collections.abc import Callable

import preparation
from console import Console
from environment import Environment


class Listener(io.StringIO):
    """A stream that tells when something was said, and can pass for a terminal."""

    def __init__(self, terminal: bool = False, heard: Callable[[str], None] = lambda text: None) -> None:
        super().__init__()
        self._terminal, self._heard = terminal, heard

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> int:
        self._heard(text)
        return super().write(text)


def prepare(place: Environment, development: bool = False) -> str:
    """What was said."""
    stream = Listener()
    preparation.prepare(place, Console(stream), development)
    return stream.getvalue()


def installs(calls: list[str]) -> list[str]:
    """What pip was asked to install, in order."""
    return [call.partition("install --retries 2 ")[2] for call in calls if " install " in call]
