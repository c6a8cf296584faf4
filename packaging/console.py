"""What the launcher says: lines that stay, and on a terminal one line that lives."""

import shutil
from typing import IO

from words import mark


class SetupError(Exception):
    """Something stands in the way. Its text is for the person: what, and what to do."""

    heading = mark("Foreword could not be set up")


class TorchStaysError(SetupError):
    """Another build of torch could not be had: the one that is there stays, and Foreword can start with it."""

    heading = mark("The other torch could not be installed")


class Console:
    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._live = ""

    def say(self, text: str) -> None:
        """A line that stays."""
        self.show("")
        print(text, file=self._stream, flush=True)

    def show(self, text: str) -> None:
        """Put `text` where the last one stands. Only a terminal sees it."""
        if not self._stream.isatty() or text == self._live:
            return
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{text[:width]}\x1b[K", end="" if text else "\r", file=self._stream, flush=True)
        self._live = text

    def fail(self, error: SetupError) -> None:
        """What stands in the way; nothing comes after it."""
        self.say(str(error))

    def close(self) -> None:
        """Nothing more will be said."""


def clock(seconds: float) -> str:
    """95.4 -> 1:35."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
