"""The folder with Foreword's own Python and packages: where it is, how far it got, and who may change it."""

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any

import torch_build
from console import Console, SetupError, clock
from words import tr

CHECKOUT = Path(__file__).resolve().parent.parent
RECIPE = 1  # raise it when the launcher sets things up in another way: every environment is then brought up to date
STATE, LOCK, LOG, SCRATCH = "foreword.json", "foreword.lock", "setup.log", "scratch"
TICK_S = 0.2


@dataclass(frozen=True)
class State:
    """How far the set-up got. Written after each step, so that an interrupted one goes on where it was."""

    made: bool = False  # the virtual environment is whole
    torch: str = ""  # the build of torch in it
    brought: str = ""  # distributions that another build brought, until it is known which of them still serve
    installed: str = ""  # digest of what the packages were installed from
    development: bool = False  # with the tools for tests
    processor_only: bool = False  # the card is not wanted, or torch for it could not be had
    window_libraries: str = ""  # the kind of screen for which all of the system's libraries were found


@dataclass(frozen=True)
class Environment:
    folder: Path
    checkout: Path = CHECKOUT
    accelerated: bool = field(default_factory=lambda: torch_build.find_nvidia_smi() is not None)

    @classmethod
    def here(cls) -> "Environment":
        """FOREWORD_ENV, or .venv in the checkout, or a folder among the person's data where that cannot be written."""
        named = os.environ.get("FOREWORD_ENV", "").strip()
        if named:
            return cls(Path(named).expanduser().absolute())
        own = CHECKOUT / ".venv"
        return cls(own if os.access(CHECKOUT, os.W_OK) else data_folder() / "environment")

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def log(self) -> Path:
        return self.folder / LOG

    @property
    def scratch(self) -> Path:
        return self.folder / SCRATCH

    @property
    def editable(self) -> bool:
        """A checkout that cannot be written is run from where it is, and only its dependencies are installed."""
        return os.access(self.checkout, os.W_OK)

    @property
    def digest(self) -> str:
        """Of everything that decides what is installed. A card that comes or goes asks for another torch."""
        accelerated = self.accelerated and not self.state.processor_only
        facts = (RECIPE, torch_build.VERSION, str(self.checkout), accelerated)
        return hashlib.sha256(repr(facts).encode() + (self.checkout / "pyproject.toml").read_bytes()).hexdigest()[:16]

    @property
    def state(self) -> State:
        try:
            values: dict[str, Any] = json.loads((self.folder / STATE).read_text(encoding="utf-8"))
            return State(**values)
        except (OSError, ValueError, TypeError):  # none yet, or another launcher's
            return State()

    def keep(self, state: State) -> None:
        """Write it in one step."""
        temporary = self.folder / f"{STATE}.new"
        with temporary.open("w", encoding="utf-8") as file:
            json.dump(asdict(state), file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self.folder / STATE)

    def ready(self, development: bool = False) -> bool:
        """Whether nothing is left to do. Takes well under a millisecond."""
        state = self.state
        wanted = state.development or not development
        whole = state.made and state.torch != ""
        return whole and wanted and state.installed == self.digest and self.python.exists()

    def claim(self) -> None:
        """Make the folder. Raises SetupError when there is one that somebody else filled."""
        there = {path.name for path in self.folder.iterdir()} if self.folder.is_dir() else set()
        if there - {f"{STATE}.new"} and STATE not in there:
            text = tr(
                "{folder} is there already and was not made by Foreword. Move it away, or name another folder in the"
                " variable FOREWORD_ENV."
            )
            raise SetupError(text.format(folder=self.folder))
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.keep(self.state)
        except OSError as error:
            text = tr("{folder} cannot be written ({reason}).")
            raise SetupError(text.format(folder=self.folder, reason=error.strerror)) from error

    def clear(self) -> None:
        """Empty the folder, but for what says that it is ours, and what the person wished."""
        self.keep(State(processor_only=self.state.processor_only))
        for path in self.folder.iterdir():
            if path.name in (STATE, LOCK, LOG):
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()

    @contextmanager
    def locked(self, console: Console) -> Iterator[int]:
        """One start at a time may change the folder; gives the lock's file descriptor."""
        with (self.folder / LOCK).open("a+b") as file:
            if not _lock(file):
                console.say(tr("Another start is setting Foreword up. Waiting for it."))
                _wait(file, console)
            yield file.fileno()


def data_folder() -> Path:
    """Where the program keeps its data too; its own module for that is not installed yet."""
    home = os.environ.get("FOREWORD_HOME", "").strip()
    if home:
        return Path(home).expanduser().absolute() / "data"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "Foreword"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/Foreword"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "Foreword"


def _wait(file: IO[bytes], console: Console) -> None:
    """Saying something again and again is how a window that the person closed is noticed."""
    began = monotonic()
    while not _lock(file):
        console.show(f"     {clock(monotonic() - began)}")
        sleep(TICK_S)
    console.show("")


def _lock(file: IO[bytes]) -> bool:
    """Whether it is ours now: held until the file is closed, here and in every process that inherited it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # the second on Windows
        return False
    return True
