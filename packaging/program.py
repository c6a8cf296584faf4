"""What runs in the environment once it is ready: the program, or its checks."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic

import system_libraries
from console import SetupError
from environment import Environment
from words import tr

DRAWS_NOTHING = ("bench", "doctor", "models", "train-draft")
CHECKS = {
    "ruff check": ("ruff", "check", "."),
    "ruff format": ("ruff", "format", "--check", "."),
    "mypy": ("mypy",),
}


def command(environment: Environment, arguments: Sequence[str]) -> list[str]:
    """-P: a folder called app in the person's own working folder is not ours. Without a console it gets none."""
    python = environment.python.with_name("pythonw.exe") if sys.stderr is None else environment.python
    return [str(python), "-P", "-m", "app", *arguments]


def variables(environment: Environment) -> dict[str, str]:
    """A checkout that is not installed is found by its path. Qt's packages have no plugin for fcitx, which Chinese
    systems ask for by name, but one for ibus, in whose manner fcitx answers too."""
    values = {}
    if (method := os.environ.get("QT_IM_MODULE")) and "QT_IM_MODULES" not in os.environ:
        values["QT_IM_MODULES"] = f"{method};ibus"
    if not environment.editable:
        others = os.environ.get("PYTHONPATH")
        values["PYTHONPATH"] = os.pathsep.join([str(environment.checkout), *([others] if others else [])])
    return values


def require_libraries(environment: Environment, first: str) -> None:
    """Raises SetupError with the line that installs what Qt lacks. Looks once for each kind of screen."""
    screen = system_libraries.screen()
    if first in DRAWS_NOTHING or (screen and environment.state.window_libraries == screen):
        return
    libraries = system_libraries.wanted(screen)
    absent = system_libraries.missing(libraries)
    if not absent:
        environment.keep(replace(environment.state, window_libraries=screen))
        return
    line = system_libraries.remedy(absent, libraries)
    if line:
        raise SetupError(f"{tr('The window needs libraries that this system lacks. Please run:')}\n  {line}")
    text = tr("The window needs libraries that this system lacks: {names}. Please install them.")
    raise SetupError(text.format(names=", ".join(absent)))


def run_checks(environment: Environment, arguments: Sequence[str]) -> int:
    """Every check, even after a failed one; pytest and its own closing line come last. Gives the exit status."""
    failed = [name for name, tool in CHECKS.items() if _run_tool(environment, name, tool) != 0]
    status = _run_tool(environment, "pytest", ("pytest", *processes(os.cpu_count() or 1), *arguments))
    if failed:
        print(f"Failed before the tests: {', '.join(failed)}.", file=sys.stderr)
    return status or int(bool(failed))


def processes(cores: int) -> tuple[str, ...]:
    """For pytest: one process for each core, at most four, as each may hold a model. A test's own threads are few."""
    return ("-n", str(min(cores, 4)), "--dist", "worksteal") if cores > 1 else ()


def help_text(own: str, environment: Environment) -> str:
    """The launcher's own help, and the program's where it can be asked."""
    if not environment.ready():
        return own.strip()
    call = command(environment, ["--help"])
    theirs = subprocess.run(call, capture_output=True, text=True, check=False, env=os.environ | variables(environment))
    return f"{own.strip()}\n\nThe program itself:\n\n{theirs.stdout.strip()}"


def _run_tool(environment: Environment, name: str, tool: Sequence[str]) -> int:
    print(f"== {name}", flush=True)
    began = monotonic()
    status = subprocess.call(
        [str(environment.python), "-m", *tool], cwd=environment.checkout, env=os.environ | variables(environment)
    )
    if name in CHECKS:
        print(f"== {name}: {'passed' if status == 0 else 'failed'} in {monotonic() - began:.1f} s", flush=True)
    return status
