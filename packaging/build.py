#!/usr/bin/env python3
"""Builds the program that needs no Python, packs it, and tries it out: python3 packaging/build.py

In a clean environment of its own: torch for processors, a wheel of this checkout with its kernels compiled, and
PyInstaller. Linux gets a .deb (--tar: a .tar.xz for every other distribution too), Windows an installer where NSIS is
there, macOS a disk image. On Linux, what was built is then started as a person would start it (smoke_test.py).
"""

import argparse
import os
import platform
import shutil
import sys
import sysconfig
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import deb
import shared_libraries
import smoke_test
import torch_build
from console import Console, SetupError, clock
from errand import Errand
from torch_build import MEGABYTE

CHECKOUT = Path(__file__).resolve().parent.parent
PACKAGING = CHECKOUT / "packaging"
SHIPPED = ("app", "inference", "assets", "pyproject.toml", "README.md")
LIMIT = 450 * MEGABYTE  # what the packed CPU build may weigh, without a starter model


@dataclass(frozen=True)
class Options:
    work: Path  # what is made on the way
    output: Path  # what is handed on
    with_starter: bool = False
    accelerated: bool = False  # torch for this machine's card
    tar: bool = False
    keep: bool = False  # the environment of the last build
    pack_only: bool = False  # the program of the last build
    smoke_test: bool = True

    @classmethod
    def read(cls, arguments: list[str] | None = None) -> "Options":
        parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
        parser.add_argument("--work", type=Path, default=CHECKOUT / "build" / "program", help="folder for making it")
        parser.add_argument("--output", type=Path, default=CHECKOUT / "dist", help="folder for what is handed on")
        parser.add_argument("--with-starter", action="store_true", help="carry the starter model along (98 MB)")
        parser.add_argument("--accelerated", action="store_true", help="torch for this machine's card: several GB")
        parser.add_argument("--tar", action="store_true", help="a .tar.xz beside the .deb")
        parser.add_argument("--keep", action="store_true", help="use the environment of the last build again")
        parser.add_argument("--pack-only", action="store_true", help="pack and try out what was built last")
        parser.add_argument("--no-smoke-test", dest="smoke_test", action="store_false", help="only build and pack")
        values = vars(parser.parse_args(arguments))
        return cls(**values | {"work": values["work"].absolute(), "output": values["output"].absolute()})


class Build:
    def __init__(self, options: Options, console: Console) -> None:
        options.work.mkdir(parents=True, exist_ok=True)
        self._options, self._console = options, console
        self._log = options.work / "build.log"
        self._errand = Errand(console, self._log, options.work / "scratch")
        self._environment = options.work / "environment"
        self._models = options.work / "starter"
        self._python = self._environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        self.version = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        self.program = options.work / "dist" / ("Foreword.app" if sys.platform == "darwin" else "foreword")
        self.packed: list[Path] = []

    def run(self) -> None:
        """Raises SetupError, TrialError, LibraryError."""
        steps: list[tuple[str, Callable[[], None]]] = [
            ("Making a clean environment", self._make_environment),
            ("Making the wheel, with the kernels compiled", self._make_wheel),
            ("Installing it and PyInstaller", self._install),
            ("Fetching the starter model", self._fetch_starter),
            ("Building the program", self._build),
            ("Packing it", self._pack),
            ("Trying it out", self._try_out),
        ]
        if self._options.pack_only:
            steps = steps[5:]
        elif not self._options.with_starter:
            steps.remove(steps[3])
        if self._options.smoke_test and sys.platform == "linux":
            smoke_test.require_tools()  # before minutes of work
        else:
            steps.pop()
        for number, (text, act) in enumerate(steps, 1):
            began = monotonic()
            self._console.say(f"{number}/{len(steps)}  {text}")
            act()
            self._console.say(f"     {clock(monotonic() - began)}")

    def _make_environment(self) -> None:
        if sys.platform == "linux" and not sysconfig.get_config_var("Py_ENABLE_SHARED"):
            raise SetupError("PyInstaller needs a Python with a shared library. Debian's python3 has one.")
        if self._options.keep and self._python.exists():
            return
        shutil.rmtree(self._environment, ignore_errors=True)
        self._do([sys.executable, "-m", "venv", str(self._environment)], "Making the environment")
        cards = torch_build.find_cards() if self._options.accelerated else ()
        attempts = torch_build.choose(cards).attempts
        for attempt in attempts[:-1]:
            if self._errand.run([*self._pip("install"), *attempt.options, attempt.requirement]).status == 0:
                return
        last = attempts[-1]
        self._do([*self._pip("install"), *last.options, last.requirement], "Installing torch")

    def _make_wheel(self) -> None:
        """From a copy of the sources alone: what older builds left beside them stays out."""
        source, wheels = self._options.work / "source", self._options.work / "wheel"
        for folder in (source, wheels):
            shutil.rmtree(folder, ignore_errors=True)
        source.mkdir()
        for name in SHIPPED:
            path = CHECKOUT / name
            if path.is_dir():
                shutil.copytree(path, source / name, ignore=shutil.ignore_patterns("__pycache__", "build"))
            else:
                shutil.copy2(path, source / name)
        self._do([*self._pip("wheel"), "--no-deps", "--wheel-dir", str(wheels), str(source)], "Making the wheel")

    def _install(self) -> None:
        (wheel,) = (self._options.work / "wheel").glob("*.whl")
        if wheel.name.endswith("-any.whl"):
            self._console.say("     There is no C++ compiler here: the program will be slower than it could be.")
        self._do([*self._pip("install"), f"{wheel}[build]"], "Installing the packages")
        again = [
            *self._pip("install"),
            "--force-reinstall",
            "--no-deps",
            str(wheel),
        ]
        self._do(again, "Installing the wheel")

    def _fetch_starter(self) -> None:
        command = [str(self._python), str(PACKAGING / "starter.py"), str(self._models)]
        self._do(command, "Fetching the starter model")

    def _build(self) -> None:
        work = self._options.work
        command = [str(self._python), "-m", "PyInstaller", "--noconfirm", "--clean"]
        command += ["--distpath", str(work / "dist"), "--workpath", str(work / "pyinstaller")]
        models = [str(path) for path in self._models.glob("*.gguf") if self._options.with_starter]
        command += [str(PACKAGING / "foreword.spec"), *(["--", "--starter", *models] if models else [])]
        self._do(command, "Building the program")

    def _pack(self) -> None:
        output, name = self._options.output, f"Foreword-{self.version}"
        output.mkdir(parents=True, exist_ok=True)
        if sys.platform == "darwin":
            self.packed = [output / f"{name}-{platform.machine()}.dmg"]
            image = ["hdiutil", "create", "-volname", "Foreword", "-srcfolder", str(self.program), "-ov"]
            self._do([*image, "-format", "ULFO", str(self.packed[0])], "Making the disk image")
        elif sys.platform == "win32" and not shutil.which("makensis"):
            self.packed = [Path(shutil.make_archive(str(output / name), "zip", self.program.parent, self.program.name))]
        elif sys.platform == "win32":
            self.packed = [output / f"{name}-setup.exe"]
            facts = {"VERSION": self.version, "PROGRAM": self.program, "OUTPUT": self.packed[0]}
            defined = [f"/D{key}={value}" for key, value in facts.items()]
            self._do(["makensis", *defined, str(PACKAGING / "windows" / "foreword.nsi")], "Making the installer")
        else:
            deb.complete(self.program)
            self.packed = [deb.pack(self.program, output, self.version, lambda command: self._do(command, "Packing"))]
            if self._options.tar:
                self.packed.append(output / f"{name}-linux-{platform.machine()}.tar.xz")
                folder = ["-C", str(self.program.parent), self.program.name]
                self._do(["tar", "-c", "-I", "xz -T0", "-f", str(self.packed[-1]), *folder], "Packing")
        unpacked = deb.size_of(self.program) / MEGABYTE
        self._console.say(f"     {unpacked:.0f} MB in {self.program}")
        for path in self.packed:
            self._console.say(f"     {path.stat().st_size / MEGABYTE:.0f} MB in {path}")
        carried = sum(path.stat().st_size for path in self._carried())
        if not self._options.accelerated and max(path.stat().st_size for path in self.packed) > LIMIT + carried:
            raise SetupError(f"The packed program is heavier than {LIMIT / MEGABYTE:.0f} MB.")

    def _try_out(self) -> None:
        pictures = self._options.output / "pictures"
        foreign = (CHECKOUT, self._environment, Path(sysconfig.get_path("stdlib")))
        smoke_test.run(self.packed[0], pictures, bool(self._carried()), foreign, self._console.say)

    def _carried(self) -> list[Path]:
        """The models in the program."""
        return list(self.program.rglob("assets/models/*.gguf"))

    def _pip(self, verb: str) -> list[str]:
        return [str(self._python), "-m", "pip", verb, "--retries", "2"]

    def _do(self, command: list[str], what: str) -> str:
        """What it printed. Raises SetupError."""
        outcome = self._errand.run(command, folder=self._options.work)
        outcome.require(what, self._log)
        return outcome.text


def main(arguments: list[str] | None = None) -> int:
    console = Console(sys.stderr)
    build = Build(Options.read(arguments), console)
    try:
        build.run()
    except (SetupError, smoke_test.TrialError, shared_libraries.LibraryError) as error:
        console.say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    print(*build.packed, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
