"""What the launcher says to a person who started it with an icon: in a window, or in a terminal opened for it."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from console import Console, SetupError
from words import tr

WINDOW = Path(__file__).resolve().parent / "setup_window.py"
# A terminal, and what it wants before the command. The first is what Debian's system was told to prefer.
TERMINALS = (
    ("x-terminal-emulator", "-e"),
    ("kgx", "--"),
    ("gnome-terminal", "--"),
    ("konsole", "-e"),
    ("xfce4-terminal", "-x"),
    ("mate-terminal", "-x"),
    ("foot", ""),
    ("alacritty", "-e"),
    ("kitty", ""),
    ("xterm", "-e"),
)


class WindowConsole(Console):
    """Speaks to setup_window.py. A person who closes the window stops what is going on: KeyboardInterrupt."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin is not None
        super().__init__(process.stdin)
        self._process = process
        self._gone = False

    @classmethod
    def open(cls, log: Path, command: Sequence[str] = (sys.executable, str(WINDOW))) -> "WindowConsole | None":
        """None where Python came without Tk, or there is no screen."""
        process = subprocess.Popen(
            [*command, str(log)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        assert process.stdin is not None and process.stdout is not None
        with process.stdout as answer:
            if answer.readline().strip() == "ready":
                return cls(process)
        process.stdin.close()
        process.wait()
        return None

    def say(self, text: str) -> None:
        self._send(say=text)

    def show(self, text: str) -> None:
        if text != self._live:
            self._live = text
            self._send(show=text)

    def fail(self, error: SetupError) -> None:
        """Returns once the person has read it."""
        self._send(fail=str(error), heading=tr(error.heading))
        self.close()

    def close(self) -> None:
        """The window goes away."""
        with contextlib.suppress(OSError):  # it is gone already
            self._stream.close()
        self._process.wait()

    def _send(self, **message: str) -> None:
        if self._gone:
            return
        try:
            print(json.dumps(message), file=self._stream, flush=True)
        except OSError:
            self._gone = True
            raise KeyboardInterrupt from None


def in_a_terminal(command: Sequence[str]) -> list[str] | None:
    """What runs `command` in a terminal of this desktop; None where none is known."""
    for name, option in TERMINALS:
        if path := shutil.which(name):
            return [path, *([option] if option else []), *command]
    return None
