"""Brings the environment up to what the program needs, step by step, keeping what is there."""

import json
import os
import shutil
import signal
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import leftovers
import system_libraries
import torch_build
from console import Console, SetupError, TorchStaysError, clock
from environment import Environment
from errand import Errand, Outcome
from torch_build import GIGABYTE, Attempt
from words import tr

KERNELS = "inference/native/build.py"
TORCH = "torch is"  # before its version; lines around it may be anybody's warnings
FREED = "_FOREWORD_FREED"  # the variable that tells the program how many bytes it was
Step = tuple[str, Callable[[], None]]


def prepare(environment: Environment, console: Console, development: bool = False) -> None:
    """Nothing when nothing is left to do, else every step that is. Raises SetupError."""
    if not environment.ready(development):
        with _ended_in_order():
            _prepare(environment, console, development)


def _prepare(environment: Environment, console: Console, development: bool) -> None:
    environment.claim()
    with environment.locked(console) as lock:
        if not environment.ready(development):  # it may be, after waiting for another start
            _Preparation(environment, console, lock, development).run()


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """A polite end, or a terminal that is closed, stops what was started too, as Ctrl+C does."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    signals = [signal.SIGTERM] if os.name == "nt" else [signal.SIGTERM, signal.SIGHUP]
    before = {number: signal.signal(number, interrupt) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Preparation:
    def __init__(self, environment: Environment, console: Console, lock: int, development: bool) -> None:
        self._environment, self._console = environment, console
        self._development = development or environment.state.development
        self._errand = Errand(console, environment.log, environment.scratch, (lock,))
        self._build = torch_build.choose(() if environment.state.processor_only else torch_build.find_cards())

    def run(self) -> None:
        began = monotonic()
        self._clear_leftovers()
        steps = self._steps()
        if not self._environment.state.torch:
            fetched, needed = torch_build.amount(self._build.fetches_bytes), self._build.needs_bytes / GIGABYTE
            text = tr(
                "Foreword now fetches about {fetched} and takes up to {needed} GB of disk in {folder}, only this once."
                " Stopped, it goes on from there at the next start."
            )
            self._console.say(text.format(fetched=fetched, needed=f"{needed:.0f}", folder=self._environment.folder))
        for number, (text, act) in enumerate(steps, 1):
            self._console.say(f"{number}/{len(steps)}  {text}")
            act()
        shutil.rmtree(self._environment.scratch, ignore_errors=True)
        environment = self._environment
        environment.keep(replace(environment.state, installed=environment.digest, development=self._development))
        self._console.say(tr("Done in {time}.").format(time=clock(monotonic() - began)))
        if hint := system_libraries.chinese_font_hint():
            self._console.say(hint)

    def _steps(self) -> list[Step]:
        environment, state = self._environment, self._environment.state
        steps: list[Step] = []
        whole = state.made and self._runs()
        if not whole:
            steps.append((tr("Making the environment in {folder}").format(folder=environment.folder), self._make))
        if not whole or state.torch != self._build.name:
            text = tr("Installing torch {version} ({build})")
            text = text.format(version=torch_build.VERSION, build=self._build.description)
            steps.append((text, self._install_torch))
        text = tr("Installing the packages that Foreword needs")
        steps.append((text + " (+ ruff, mypy, pytest)" * self._development, self._install_packages))
        from_card = state.torch not in ("", self._build.name) and not state.torch.endswith("cpu")
        if whole and (from_card or state.brought):
            steps.append((tr("Removing what only the torch before needed"), self._remove_leftovers))
        compiler = shutil.which("g++") or shutil.which("clang++")
        if compiler and environment.editable and (environment.checkout / KERNELS).exists():
            steps.append((tr("Compiling the fast kernels for this processor"), self._compile_kernels))
        if not whole:
            self._require_space()
        return steps

    def _clear_leftovers(self) -> None:
        """What pip was taking out when it was killed: it would hide from pip what stands in its place, and another
        torch would come beside it."""
        for packages in ("lib/python*/site-packages", "Lib/site-packages"):
            for path in self._environment.folder.glob(f"{packages}/~*"):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    with suppress(OSError):  # in use on Windows; the next start tries again
                        path.unlink()

    def _runs(self) -> bool:
        """A Python that was moved or removed leaves an environment behind that does not start."""
        if not self._environment.python.exists():
            return False
        return self._errand.run([str(self._environment.python), "-c", "import pip"]).status == 0

    def _require_space(self) -> None:
        build, free = self._build, shutil.disk_usage(self._environment.folder).free
        if free < build.needs_bytes:
            text = tr(
                "Foreword needs about {needed} GB of disk in {folder}; {free} GB are free. Make room, or name a folder"
                " on another disk in the variable FOREWORD_ENV."
            )
            needed, there = f"{build.needs_bytes / GIGABYTE:.0f}", f"{free / GIGABYTE:.1f}"
            raise SetupError(text.format(needed=needed, free=there, folder=self._environment.folder))

    def _make(self) -> None:
        environment = self._environment
        environment.clear()
        made = self._errand.run([sys.executable, "-m", "venv", str(environment.folder)])
        if made.status != 0 and "ensurepip" in made.text and shutil.which("apt-get"):
            command = "sudo apt-get install python{}.{}-venv".format(*sys.version_info[:2])
            raise SetupError(
                tr("This Python cannot make environments yet. Please run: {command}").format(command=command)
            )
        made.require(tr("Making the environment"), environment.log)
        environment.keep(replace(environment.state, made=True))

    def _install_torch(self) -> None:
        """Where another build works, that stays until this one has been fetched, and if that fails or is stopped."""
        environment = self._environment
        switching = environment.state.torch != "" or self._torch_there() != ""
        before = (*environment.state.brought.split(), *self._leftovers("brought"))
        environment.keep(replace(environment.state, torch="", brought=" ".join(dict.fromkeys(before))))
        try:
            if switching and not self._build.name.endswith("cpu"):
                self._require_space()
            self._fetch_torch([one for one in self._build.attempts if not (switching and one.warning)])
        except (SetupError, KeyboardInterrupt) as error:
            there = self._torch_there() if switching else ""
            if not there:
                raise
            if not there.startswith(f"{torch_build.VERSION} "):  # this Foreword was made for another
                environment.keep(replace(environment.state, torch=there, brought=""))
                raise
            only, wanted = there.endswith("cpu"), self._build.name.endswith("cpu")
            chosen = environment.state.processor_only if only == wanted else only  # only another device is a choice
            environment.keep(replace(environment.state, torch=there, brought="", processor_only=chosen))
            text = tr("Foreword goes on with torch as it is here, for the {device}.")
            text = text.format(device=tr("processor") if only else tr("graphics card"))
            if isinstance(error, SetupError):
                raise TorchStaysError(f"{text}\n{error}") from error
            raise KeyboardInterrupt(f"{tr('Stopped.')} {text}") from error

    def _torch_there(self) -> str:
        """The build that works in the environment, "" where none does."""
        code = f"import torch; print('{TORCH}', torch.__version__)"
        version = self._errand.run([str(self._environment.python), "-c", code]).said(TORCH)
        return torch_build.name_of(version) if version else ""

    def _fetch_torch(self, attempts: Sequence[Attempt]) -> None:
        environment = self._environment
        for number, attempt in enumerate(attempts, 1):
            if attempt.warning:
                self._console.say(f"     {attempt.warning}")
            done = self._pip("install", *attempt.options, attempt.requirement)
            if done.status == 0:
                environment.keep(replace(environment.state, torch=self._build.name))
                return
            if number == len(attempts) or (done.network_failed and not attempt.options):
                done.require(tr("Installing torch"), environment.log)

    def _install_packages(self) -> None:
        environment = self._environment
        wanted = _requirements(environment.checkout, self._development)
        if environment.editable:
            extras = "[dev]" if self._development else ""
            wanted = ["--editable", f"{environment.checkout}{extras}"]
        self._pip("install", *wanted).require(tr("Installing the packages"), environment.log)

    def _remove_leftovers(self) -> None:
        """Of the build for a card that was there before: several GB. What pip cannot remove stays, and is only room."""
        environment = self._environment
        names, freed = self._leftovers("unneeded", *environment.state.brought.split()) or ([], 0)
        removed = bool(names) and self._pip("uninstall", "--yes", *names).status == 0
        environment.keep(replace(environment.state, brought=""))
        if removed:
            self._console.say("     " + tr("{size} of disk are free again.").format(size=torch_build.amount(freed)))
            os.environ[FREED] = str(freed)

    def _leftovers(self, *question: str) -> Any:
        """The answer; an empty one where there is none."""
        answer = self._errand.run([str(self._environment.python), "-P", leftovers.__file__, *question])
        return json.loads(answer.said(leftovers.MARK) or "[]")

    def _compile_kernels(self) -> None:
        command = [str(self._environment.python), "-m", "inference.native.build"]
        if self._errand.run(command, folder=self._environment.checkout).status != 0:
            text = tr("They could not be compiled: Foreword works without them, only slower. The reason is in {log}.")
            self._console.say(f"     {text.format(log=self._environment.log)}")

    def _pip(self, *arguments: str) -> Outcome:
        retries = ["--retries", "2"] if arguments[0] == "install" else []
        return self._errand.run([str(self._environment.python), "-m", "pip", arguments[0], *retries, *arguments[1:]])


def _requirements(checkout: Path, development: bool) -> list[str]:
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted: list[str] = project["dependencies"]
    return [*wanted, *project["optional-dependencies"]["dev"]] if development else wanted
