#!/usr/bin/env python3
"""Tries the built program out as a newcomer would: python3 packaging/smoke_test.py PACKAGE.deb [--pictures FOLDER]

It is unpacked into a folder with Chinese characters and spaces, put into the menu, and started through the Exec line
of its desktop entry: no Python on the PATH, a new home, a screen and a window manager of its own. It has to answer with
the real starter model, stream, stop, and close. Needs Xvfb, openbox, xdotool and ImageMagick.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic, sleep

import desktop_entry
import shared_libraries

TOOLS = ("Xvfb", "openbox", "xdotool", "import", "dpkg-deb", "ldd")
LOADED, REPLIED = "app.application: speculative decoding", "inference.reply: reply:"  # in the log
STOPPED = "ended by: cancelled"  # the end of that line
PLACE, HOME = "试用 trial place", "家 home"
QUESTION = "Write a story about the sea in four paragraphs."  # long enough to be seen to come piece by piece
LONG_QUESTION = "Write a detailed guide to growing vegetables in a garden, step by step."
WELCOME = "Welcome to Foreword"  # the title of what greets a newcomer
NOWHERE = "http://127.0.0.1:9"  # the discard port: nobody answers
PAINTED = 0.5  # of a screen: windows that show nothing yet are black, as is what is behind them
TRIES, WORDS = 6, 1_500  # bytes of the screen's picture that a few words change
POLL_S, SCREEN = 0.02, "1280x860x24"
FIRST_START_S, ANSWER_S, END_S = 180.0, 300.0, 20.0  # generous: the machine may be busy


class TrialError(Exception):
    """The program does not do what it should."""


class Trial:
    """One unpacked program with a home and a screen of its own."""

    def __init__(self, folder: Path, display: str, offline: bool, pictures: Path) -> None:
        self.program = folder / PLACE / "opt" / "foreword"
        self.home = folder / HOME
        self._display, self._pictures, self._offline = display, pictures, offline
        self.home.mkdir()
        (folder / "empty").mkdir()
        self.variables = {"HOME": str(self.home), "PATH": str(folder / "empty"), "LANG": "C.UTF-8", "DISPLAY": display}
        if offline:
            self.variables |= {"HF_ENDPOINT": NOWHERE, "PIP_INDEX_URL": f"{NOWHERE}/simple"}
        else:  # how this machine reaches the network
            reached = ("SSL_CERT_FILE", "HF_ENDPOINT", "PIP_INDEX_URL", "HTTPS_PROXY", "NO_PROXY")
            self.variables |= {name: os.environ[name] for name in reached if name in os.environ}

    @property
    def log(self) -> str:
        path = self.home / ".local/state/Foreword/log/foreword.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def put_into_the_menu(self) -> list[str]:
        """The command that the desktop would run."""
        menu = {**self.variables, "PATH": os.environ["PATH"]}
        subprocess.run([str(self.program / "add-to-menu")], check=True, env=menu, stdout=subprocess.DEVNULL)
        return desktop_entry.command(self.home / ".local/share/applications/foreword.desktop")

    def start(self, command: Sequence[str]) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            command,
            cwd=self.home,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )

    def screen(self, *command: str) -> str:
        """What a tool says that looks at the screen or types."""
        variables = {**os.environ, "DISPLAY": self._display}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=variables).stdout.strip()

    def picture(self, name: str) -> Path:
        self._pictures.mkdir(parents=True, exist_ok=True)
        path = self._pictures / f"{name}.png"
        self.screen("import", "-window", "root", str(path))
        return path

    def pixels(self) -> bytes:
        variables = {**os.environ, "DISPLAY": self._display}
        return subprocess.run(
            ["import", "-window", "root", "-depth", "8", "rgb:-"], capture_output=True, check=True, env=variables
        ).stdout

    def titles(self) -> str:
        """Of every window that is shown."""
        found = self.windows().split()
        return "\n".join(self.screen("xdotool", "getwindowname", window) for window in found)

    def windows(self) -> str:
        return self.screen("xdotool", "search", "--onlyvisible", "--class", "foreword")


def require_tools() -> None:
    """Raises TrialError."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise TrialError(f"Trying it out needs {', '.join(missing)}.")


def run(package: Path, pictures: Path, carried: bool, foreign: Sequence[Path], say: Callable[[str], None]) -> None:
    """Raises TrialError. `carried`: the starter model is in the package, so nothing may be asked of the network.

    Nothing may be used of the `foreign` folders: the sources, the environment it was built in.
    """
    require_tools()
    with tempfile.TemporaryDirectory(prefix="foreword-") as temporary, display() as screen:
        folder = Path(temporary)
        subprocess.run(["dpkg-deb", "-x", str(package), str(folder / PLACE)], check=True)
        trial = Trial(folder, screen, carried, pictures.absolute())
        _require_libraries(trial.program)
        command = trial.put_into_the_menu()
        say(f"     Exec={' '.join(command)}")
        _answer(trial, command, say)
        _call_a_tool(trial, command)
        _use_the_window(trial, command, foreign, say)


def _require_libraries(program: Path) -> None:
    """What a window under X needs. A package manager brings the rest, which the package names, with it."""
    outside = shared_libraries.outside(program).items()
    lacking = [name for name, path in outside if not path and not name.startswith("libwayland-")]
    packages = " ".join(shared_libraries.packages(lacking))
    _require(not lacking, f"libraries are lacking: {', '.join(lacking)}. They are in {packages}.")


def _answer(trial: Trial, command: list[str], say: Callable[[str], None]) -> None:
    """One question: the reply comes piece by piece, with figures at the end."""
    arrivals, text, began = [], "", monotonic()
    picture = trial.home / "图 picture.png"
    process = trial.start([*command, "--demo", QUESTION, "--json", "--screenshot", str(picture)])
    with ended(process):
        assert process.stdout is not None
        while piece := os.read(process.stdout.fileno(), 4096):
            arrivals.append(monotonic())
            text += piece.decode("utf-8", errors="replace")
            _require(monotonic() - began < ANSWER_S, f"no answer in {ANSWER_S:.0f} s")
        _require(process.wait(END_S) == 0, f"the demonstration failed:\n{text}\n{trial.log}")
    figures = json.loads(text.splitlines()[-1])
    _require(len(arrivals) > 5, "the reply came all at once")
    _require(len(figures["reply"]) > 10 and figures["model"].startswith("SmolLM2"), f"an odd reply: {text}")
    _require("native kernels: " in trial.log and "not compiled" not in trial.log, "the kernels were not used")
    _require(picture.stat().st_size > 20_000, "the picture is empty")
    shutil.copyfile(picture, trial.picture("answer"))
    say(f"     {figures['reply'][:120]!r}")
    say(f"     {figures['tok_s']:.0f} tok/s, answered {arrivals[-1] - began:.1f} s after the very first start")


def _call_a_tool(trial: Trial, command: list[str]) -> None:
    """The program itself stands in for the Python that child processes would be given."""
    for tool in ("bench", "train-draft"):
        process = trial.start([*command, tool, "--help"])
        with ended(process):
            words = process.communicate(timeout=ANSWER_S)[0]
        _require(process.returncode == 0 and tool in words, f"the program cannot call its own {tool}: {words}")


def _use_the_window(trial: Trial, command: list[str], foreign: Sequence[Path], say: Callable[[str], None]) -> None:
    """Twice: the first start fills the caches of the disk, the second is timed and used."""
    for warm in (False, True):
        before, began = trial.log.count(LOADED), monotonic()
        process = trial.start(command)
        with ended(process):
            _wait(lambda: bool(trial.windows()), FIRST_START_S, "no window came", POLL_S)
            visible = monotonic() - began
            if not warm:
                _go_through_the_welcome(trial)
            _wait(partial(_is_logged, trial, LOADED, before), FIRST_START_S, "no model was loaded")
            if warm:
                say(f"     window after {visible:.1f} s, model ready after {monotonic() - began:.1f} s")
                _stream_and_stop(trial)
                _own_files_only(process.pid, trial, foreign)
            trial.screen("xdotool", "key", "alt+F4")  # the window manager asks it to close
            try:
                status = process.wait(END_S)
            except subprocess.TimeoutExpired:
                raise TrialError(f"it did not close:\n{trial.log}") from None
            _require(status == 0, f"it ended with {status}:\n{trial.log}")


def _go_through_the_welcome(trial: Trial) -> None:
    """A new home is welcomed; the model is loaded once that is over."""
    _wait(lambda: WELCOME in trial.titles(), FIRST_START_S, "nobody was welcomed")
    _wait(lambda: _painted(trial.pixels()) > PAINTED, FIRST_START_S, "the welcome is empty")
    trial.picture("welcome")
    _wait(partial(_is_dismissed, trial), FIRST_START_S, "the welcome did not go", POLL_S)


def _is_dismissed(trial: Trial) -> bool:
    """Whether the welcome is gone; goes on with it (closed, it would fetch no model)."""
    if WELCOME not in trial.titles():
        return True
    trial.screen("xdotool", "search", "--onlyvisible", "--name", WELCOME, "windowfocus", "--sync")
    trial.screen("xdotool", "key", "Return")
    return False


def _is_logged(trial: Trial, what: str, before: int) -> bool:
    return trial.log.count(what) > before


def _stream_and_stop(trial: Trial) -> None:
    """A small model may have less to say than it was asked for: then it is asked again."""
    trial.screen("xdotool", "search", "--onlyvisible", "--class", "foreword", "windowfocus", "--sync")
    for _ in range(TRIES):
        replies = trial.log.count(REPLIED)
        trial.screen("xdotool", "key", "ctrl+n")
        trial.screen("xdotool", "type", "--delay", "8", LONG_QUESTION)
        trial.picture("question")
        trial.screen("xdotool", "key", "Return")
        _wait(partial(_has_changed, trial, trial.pixels()), END_S, "no words came")
        _wait(partial(_has_changed, trial, trial.pixels()), END_S, "the words did not go on coming")
        trial.picture("streaming")
        trial.screen("xdotool", "key", "Escape")
        _wait(partial(_is_logged, trial, REPLIED, replies), END_S, "Esc did not stop the reply")
        if trial.log.rsplit(REPLIED, 1)[1].splitlines()[0].endswith(STOPPED):
            trial.picture("stopped")
            return
    raise TrialError("Esc stopped no reply, or all were over before it was pressed.")


def _own_files_only(process: int, trial: Trial, foreign: Sequence[Path]) -> None:
    """Every file that the program has open or mapped is its own, its home's, or the system's."""
    lines = Path(f"/proc/{process}/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    used = {line.split(maxsplit=5)[5] for line in lines if line.count("/")}
    strange = [path for path in used if any(Path(path).is_relative_to(folder) for folder in foreign)]
    _require(not strange, f"it uses files from where it was built: {', '.join(sorted(strange))}")
    _require(any(Path(path).is_relative_to(trial.program) for path in used), "it does not use its own files")


def _has_changed(trial: Trial, before: bytes) -> bool:
    return _differing(before, trial.pixels()) > WORDS


def _painted(pixels: bytes) -> float:
    """The part of a picture of the screen that is not black."""
    return 1 - pixels.count(0) / max(1, len(pixels))


def _differing(one: bytes, other: bytes) -> int:
    """Bytes of two pictures of the screen that are not the same."""
    joined = int.from_bytes(one, "big") ^ int.from_bytes(other, "big")
    return sum(map(bool, joined.to_bytes(max(len(one), len(other)), "big")))


def _wait(condition: Callable[[], bool], limit_s: float, complaint: str, poll_s: float = 0.1) -> None:
    end = monotonic() + limit_s
    while not condition():
        _require(monotonic() < end, complaint)
        sleep(poll_s)


def _require(condition: bool, complaint: str) -> None:
    if not condition:
        raise TrialError(f"The built program failed its trial: {complaint}.")


@contextmanager
def ended(process: "subprocess.Popen[str] | subprocess.Popen[bytes]") -> Iterator[None]:
    """Nothing is left running, whatever happens."""
    try:
        yield
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


@contextmanager
def display() -> Iterator[str]:
    """A screen that nobody sees, with a window manager."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as answer:
        number = answer.readline().strip()
    display = f":{number}"
    manager = subprocess.Popen(
        ["openbox"], env={**os.environ, "DISPLAY": display}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield display
    finally:
        for process in (manager, server):
            process.send_signal(signal.SIGTERM)
            process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("package", type=Path)
    parser.add_argument("--pictures", type=Path, default=Path("pictures"), help="folder for what was seen")
    parser.add_argument("--offline", action="store_true", help="the starter model is in the package")
    options = parser.parse_args()
    checkout = Path(__file__).resolve().parent.parent
    try:
        run(options.package, options.pictures, options.offline, (checkout, Path(sysconfig.get_path("stdlib"))), print)
    except TrialError as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
