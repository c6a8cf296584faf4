"""A start from an icon: what the window hears and shows, and what happens where there is none."""

import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import launch
import preparation
import pytest
import torch_build
import window_console
from console import Console, SetupError
from environment import Environment
from setup_window import Progress
from torch_build import Card
from window_console import WindowConsole

from tests.packaging.fake_python import FakePython
from tests.packaging.listening import Listener

PACKAGING = Path(launch.__file__).parent
HEARS = "import sys; print('ready', flush=True); open(sys.argv[1], 'w').write(sys.stdin.read())"


def after(*messages: dict[str, str]) -> Progress:
    progress = Progress()
    for message in messages:
        progress = progress.after(message)
    return progress


def test_what_is_said_becomes_steps_and_a_bar() -> None:
    progress = after({"say": "about 430 MB"}, {"say": "2/4  Installing torch"})
    assert (progress.said, progress.step, progress.fraction) == ("about 430 MB", "Step 2 of 4: Installing torch", None)
    progress = progress.after({"show": "     0:12  downloading torch.whl: 50 of 200 MB"})
    assert (progress.fraction, progress.detail) == (0.25, "0:12  downloading torch.whl: 50 of 200 MB")
    progress = progress.after({"say": "     They could not be compiled"})
    assert progress.step and progress.detail == "They could not be compiled"
    assert progress.after({"say": "3/4  Installing the packages"}).fraction is None
    assert progress.after({"show": "0 of 0 MB"}).fraction == 0


def test_a_failure_is_what_remains() -> None:
    progress = after({"say": "1/4  Making"}, {"show": "busy"}, {"fail": "No network.", "heading": "It could not"})
    assert (progress.failure, progress.detail) == ("No network.", "")
    assert "could not" in progress.headline


def test_the_window_hears_everything_and_goes_when_told(tmp_path: Path) -> None:
    console = WindowConsole.open(tmp_path / "heard", [sys.executable, "-c", HEARS])
    assert console is not None
    console.say("1/3  环境")
    console.show("busy")
    console.show("busy")
    console.close()
    assert (tmp_path / "heard").read_text().splitlines() == ['{"say": "1/3  \\u73af\\u5883"}', '{"show": "busy"}']


def test_closing_the_window_stops_what_is_going_on(tmp_path: Path) -> None:
    console = WindowConsole.open(tmp_path, [sys.executable, "-c", "print('ready', flush=True)"])
    assert console is not None
    console._process.wait(timeout=60)
    with pytest.raises(KeyboardInterrupt):
        console.show("busy")
    console.say("Stopped.")  # nobody hears it, and that is all right
    console.close()


@pytest.mark.parametrize("code", ["raise SystemExit(1)", "import no_tk_here"])
def test_without_tk_there_is_none(code: str, tmp_path: Path) -> None:
    assert WindowConsole.open(tmp_path, [sys.executable, "-c", code]) is None


def test_a_terminal_is_opened_instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_console.shutil, "which", lambda name: f"/bin/{name}" if name == "konsole" else None)
    assert window_console.in_a_terminal(["a", "b c"]) == ["/bin/konsole", "-e", "a", "b c"]
    monkeypatch.setattr(window_console.shutil, "which", lambda name: None)
    assert window_console.in_a_terminal(["a"]) is None


class Audience(Console):
    """A window that keeps what it was told."""

    def __init__(self) -> None:
        super().__init__(Listener())
        self.failure = self.heading = ""
        self.closed = False

    def fail(self, error: SetupError) -> None:
        self.failure, self.heading = str(error), error.heading

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def audience(monkeypatch: pytest.MonkeyPatch, python: FakePython) -> Audience:
    shown = Audience()
    monkeypatch.setattr(WindowConsole, "open", lambda log: shown)
    monkeypatch.setattr(launch, "hand_over", lambda command, variables=None: 0)
    monkeypatch.setattr("program.require_libraries", lambda environment, first: None)
    return shown


def test_a_first_start_from_an_icon_is_seen_in_the_window(audience: Audience, place: Environment) -> None:
    assert launch.start_from_an_icon(place, []) == 0
    assert place.ready() and audience.closed and not audience.failure


def test_no_network_is_one_clear_sentence_in_the_window(
    audience: Audience, place: Environment, python: FakePython
) -> None:
    python.answer("install", "WARNING: Failed to establish a new connection: Name or service not known", status=1)
    assert launch.start_from_an_icon(place, []) == 1
    sentence = audience.failure.splitlines()[0]
    assert "The package index could not be reached. Connect this machine to the network" in sentence
    assert audience.heading == "Foreword could not be set up"


def test_later_starts_open_no_window(place: Environment, audience: Audience, monkeypatch: pytest.MonkeyPatch) -> None:
    launch.start_from_an_icon(place, [])
    monkeypatch.setattr(WindowConsole, "open", lambda log: pytest.fail("a window was opened"))
    assert launch.start_from_an_icon(place, []) == 0


def test_another_torch_is_set_up_in_the_window_and_the_program_comes_back(
    place: Environment, audience: Audience, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch.start_from_an_icon(place, [])
    started: list[list[str]] = []
    monkeypatch.setattr(launch, "hand_over", lambda command, variables=None: started.append(list(command)) or 0)
    audience.closed = False
    assert launch.start_from_an_icon(place, ["setup", "--cpu"]) == 0
    assert place.state.processor_only and place.ready() and audience.closed
    assert [command[-1] for command in started] == ["app"]
    assert launch.start_from_an_icon(place, ["setup", "--quantum"]) == 0 and audience.failure
    assert len(started) == 2, "when the failure was read, the program comes back as it was"


@pytest.mark.parametrize("arguments", [[], ["setup", "--cuda"]])
def test_where_another_torch_cannot_be_had_the_program_comes_back_with_the_old_one(
    arguments: list[str],
    place: Environment,
    audience: Audience,
    python: FakePython,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A card that is new, or one that is asked for: the reason is read first."""
    launch.start_from_an_icon(place, [])
    started: list[list[str]] = []
    monkeypatch.setattr(launch, "hand_over", lambda command, variables=None: started.append(list(command)) or 0)
    monkeypatch.setattr(torch_build, "find_cards", lambda: (Card("NVIDIA GeForce RTX 4090", (8, 9), (13, 0)),))
    python.answer("torch.__version__", f"{preparation.TORCH} {torch_build.VERSION}+cpu")
    python.answer("torch==", "Name or service not known", status=1)
    assert launch.start_from_an_icon(replace(place, accelerated=True), arguments) == 0
    first, second = audience.failure.splitlines()[:2]
    assert audience.heading == "The other torch could not be installed"
    assert "goes on with torch as it is here, for the processor" in first and "could not be reached" in second
    assert [command[-1] for command in started] == ["app"]


@pytest.mark.parametrize("as_address", [False, True])
def test_the_desktop_entry_starts_the_launcher_beside_it(as_address: bool, tmp_path: Path) -> None:
    folder = tmp_path / "程序 folder"
    folder.mkdir()
    (folder / "launch.py").write_text("import sys; print(__file__, sys.argv[1:])", encoding="utf-8")
    entry = (PACKAGING / "Foreword.desktop").read_text(encoding="utf-8")
    line = next(line.partition("=")[2] for line in entry.splitlines() if line.startswith("Exec="))
    place = folder / "Foreword.desktop"
    named = place.as_uri() if as_address else str(place)
    command = [named if part == "%k" else part for part in shlex.split(line)]
    done = subprocess.run([sys.executable, *command[1:]], capture_output=True, text=True, check=True, cwd="/")
    assert done.stdout == f"{folder / 'launch.py'} ['--icon']\n"


def test_the_launchers_can_be_started() -> None:
    assert all(os.access(PACKAGING / name, os.X_OK) for name in ("Foreword.desktop", "Foreword.command"))
    lines = (PACKAGING / "Foreword.bat").read_bytes().split(b"\n")
    assert all(line.endswith(b"\r") for line in lines[:-1]), "the Windows shell wants its own line ends"
