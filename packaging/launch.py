#!/usr/bin/env python3
"""Starts Foreword: makes the environment the first time, then opens the window.

  launch.py                               the window
  launch.py --demo ["question"] [--json]  one question through the window: reply, speed, picture
  launch.py setup                         only make the environment; --cpu: with torch for processors, --cuda: for a
                                          usable NVIDIA card again, if there is one (which is also the first choice)
  launch.py test [--full] [...]           ruff, mypy and pytest; what follows goes to pytest (-n 0: in one process)
  launch.py bench --json                  anything else goes to the program (here: foreword bench --json)
  launch.py --icon [...]                  what the launchers beside it call: a first start is shown in a small window;
                                          after `setup` it goes on to the window

The environment is the folder .venv of the checkout, or one among your data where the checkout cannot be written.
FOREWORD_ENV names another folder, FOREWORD_TORCH_INDEX another place for builds of torch; pip's own configuration
(mirror, proxy, certificates) counts too.
"""

# Standard library only, here and in the files beside this one. This one and refusal.py also run on older Pythons, to
# say so.
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TextIO

    from console import Console
    from environment import Environment

OLDEST, NEWEST = (3, 11), (3, 14)  # what the pinned torch and the window's binding are both built for


def main(arguments: Sequence[str]) -> int:
    python = find_python()
    if python is None:
        from refusal import refuse

        refuse(no_python(), from_an_icon=arguments[:1] == ["--icon"])
        return 1
    if python != sys.executable:
        return hand_over([python, os.path.abspath(__file__), *arguments])  # noqa: PTH100 (runs on any Python)
    from environment import Environment

    environment = Environment.here()
    if arguments[:1] == ["--icon"]:
        return start_from_an_icon(environment, arguments[1:])
    return attempt(environment, console_of(sys.stderr), arguments)


def no_python() -> str:
    """One sentence."""
    try:
        from words import tr
    except ImportError:  # older than 3.9

        def tr(text: str) -> str:
            return text

    text = tr("Foreword needs Python {oldest} to {newest}. This is {here}, and no other was found: please install one.")
    versions = {"oldest": OLDEST, "newest": NEWEST, "here": sys.version_info[:2]}
    return text.format(**{name: "{}.{}".format(*version) for name, version in versions.items()})


def start_from_an_icon(environment: Environment, arguments: Sequence[str]) -> int:
    """Nobody reads a terminal there, or there is none: set-up and failures are shown in a window, else in a new one."""
    from console import SetupError
    from window_console import WindowConsole, in_a_terminal
    from words import tr

    setup = arguments[:1] == ["setup"]  # asked for by the program, which is closed by now and wants to come back
    if environment.ready() and not setup:
        try:
            return start(environment, console_of(sys.stderr), arguments)
        except SetupError:
            pass  # said again below, where it is seen
    console = WindowConsole.open(environment.log)
    if console is not None:
        status = attempt(environment, console, arguments)
        console.close()
        return start_from_an_icon(environment, []) if setup and environment.ready() else status
    if sys.stderr is not None and sys.stderr.isatty():
        status = attempt(environment, console_of(sys.stderr), arguments)
        input(tr("Press Enter to close."))  # the terminal would close at once
        return status
    terminal = in_a_terminal([sys.executable, os.path.abspath(__file__), "--icon", *arguments])  # noqa: PTH100
    return hand_over(terminal) if terminal else attempt(environment, console_of(sys.stderr), arguments)


def attempt(environment: Environment, console: Console, arguments: Sequence[str]) -> int:
    """Start, or say why not."""
    from console import SetupError
    from words import tr

    try:
        return start(environment, console, arguments)
    except SetupError as error:
        console.fail(error)
        return 1
    except KeyboardInterrupt as stop:
        console.say(str(stop) or tr("Stopped. The next start goes on from here."))
        return 130


def console_of(stream: TextIO | None) -> Console:
    """A start without a console has no stream either."""
    from console import Console

    return Console(stream if stream is not None else open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123


def start(environment: Environment, console: Console, arguments: Sequence[str]) -> int:
    """Make what is missing, then become the program. Raises SetupError."""
    import program
    from console import TorchStaysError
    from preparation import prepare
    from words import tr

    first = arguments[0] if arguments else ""
    if first in ("-h", "--help"):
        print(program.help_text(__doc__ or "", environment))
        return 0
    if first == "setup" and arguments[1:]:
        choose_torch(environment, arguments[1:])
    try:
        prepare(environment, console, development=first == "test")
    except TorchStaysError as stays:
        console.fail(stays)
        if first == "setup" or not environment.ready():
            return 1
    if first == "setup":
        console.say(tr("Foreword is ready in {folder}.").format(folder=environment.folder))
        return 0
    program.require_libraries(environment, first)
    console.close()
    if first == "test":
        return program.run_checks(environment, arguments[1:])
    return hand_over(program.command(environment, arguments), program.variables(environment))


def choose_torch(environment: Environment, arguments: Sequence[str]) -> None:
    """Remember for which processor the person wants torch. Raises SetupError for any other word."""
    from dataclasses import replace

    from console import SetupError

    if list(arguments) not in (["--cpu"], ["--cuda"]):
        raise SetupError(f"setup takes --cpu or --cuda, not {' '.join(arguments)}.")
    environment.claim()
    environment.keep(replace(environment.state, processor_only=arguments[0] == "--cpu"))


def find_python(
    running: tuple[int, ...] = sys.version_info[:2],
    which: Callable[[str], str | None] = shutil.which,
    ask: Callable[[str], tuple[int, ...] | None] | None = None,
) -> str | None:
    """The running interpreter if it fits, else the newest fitting one that can be found, else None."""
    if OLDEST <= running <= NEWEST:
        return sys.executable
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        path = which(f"python3.{minor}") or known_to_windows(minor)
        if path and (ask or version_of)(path) == (3, minor):  # a name may be there and lead nowhere
            return path
    return None


def known_to_windows(minor: int) -> str | None:
    """Windows has no python3.12 on the PATH, but a launcher that knows what is installed."""
    if os.name != "nt":
        return None
    question = "import sys; print(sys.executable)"
    command = ["py", f"-3.{minor}", "-c", question]
    try:
        python = subprocess.check_output(command, text=True, timeout=20, creationflags=0x08000000)  # no window
    except (OSError, subprocess.SubprocessError):
        return None
    return python.strip() if sys.stderr is not None else python.strip().replace("python.exe", "pythonw.exe")


def version_of(python: str) -> tuple[int, ...] | None:
    question = "import sys; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run([python, "-c", question], capture_output=True, text=True, timeout=20, check=True)
        return tuple(int(part) for part in answer.stdout.split())
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def hand_over(command: Sequence[str], variables: Mapping[str, str] | None = None) -> int:
    """Become `command`. On Windows, where that would let go of the terminal, run it and pass on its status."""
    environment = {**os.environ, **(variables or {})}
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execve(command[0], list(command), environment)  # noqa: S606 (no shell is the point)
    return subprocess.call(command, env=environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
