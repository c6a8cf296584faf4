"""The program as a process of its own."""

import importlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.__main__ import has_screen, main
from app.history import History
from inference.manager.paths import CHATS
from tests.patience import WAIT_S

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "tests.app.scripted_program"]
LIGHT_IMPORT = """
import sys
import app.start, app.views.window
heavy = {"torch", "transformers", "numpy", "httpx", "gguf", "safetensors"} & set(sys.modules)
assert not heavy, heavy
"""

ENDLESS_IMPORT = """
import threading
import app.start
from app.__main__ import main
from app.welcoming import Welcoming
from tests.app.scripted_engine import ScriptedStore
def make_engine():
    print("importing", flush=True)
    threading.Event().wait()
Welcoming.due = False
app.start._make_engine = make_engine
app.start._make_store = ScriptedStore
main([])
"""


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return kept | {"FOREWORD_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}


def test_nothing_heavy_is_imported_before_the_window_is_there(home: Path) -> None:
    subprocess.run([sys.executable, "-c", LIGHT_IMPORT], cwd=ROOT, env=environment(home), check=True)


def test_help_says_how(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    for option in ("--model", "--draft", "--demo", "--json", "--screenshot"):
        assert option in text


def test_a_demonstration_from_the_command_line(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "shot.png"
    bare = environment(home)
    del bare["QT_QPA_PLATFORM"]  # a demonstration needs no screen
    done = subprocess.run(
        [*PROGRAM, "--demo", "Why?", "--json", "--screenshot", str(path)],
        cwd=ROOT,
        env=bare,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[-1])["reply"] == "The end."
    assert path.is_file()
    assert not (home / "data" / CHATS).exists()  # the person's chats are left alone
    log = (home / "log" / "foreword.log").read_text(encoding="utf-8")
    assert "Why?" not in log and "The end." not in log


def test_a_signal_ends_the_program_cleanly_in_the_middle_of_a_reply(home: Path) -> None:
    process = subprocess.Popen(PROGRAM, cwd=ROOT, env=environment(home), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "half\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=WAIT_S) == 0
    process.stdout.close()
    history, trouble = History.open(home / "data" / CHATS)
    (row,) = history.conversations()
    assert [message.text for message in history.messages(row.id)] == ["Why?", "Half a thought"]
    history.close()
    assert trouble == ""


def test_a_second_start_leaves_the_floor_to_the_first(home: Path) -> None:
    first = subprocess.Popen(PROGRAM, cwd=ROOT, env=environment(home), stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    assert first.stdout.readline() == "half\n"
    second = subprocess.run(PROGRAM, cwd=ROOT, env=environment(home), stdout=subprocess.PIPE, text=True, check=False)
    assert (second.returncode, second.stdout) == (0, "")
    assert first.poll() is None
    first.send_signal(signal.SIGTERM)
    assert first.wait(timeout=WAIT_S) == 0
    first.stdout.close()


def test_the_program_ends_while_libraries_are_being_imported(home: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", ENDLESS_IMPORT], cwd=ROOT, env=environment(home), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "importing\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=WAIT_S) == 0
    process.stdout.close()


@pytest.mark.parametrize(
    ("platform", "variables", "screen"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"QT_QPA_PLATFORM": "offscreen"}, True),
        ("win32", {}, True),
        ("darwin", {}, True),
    ],
)
def test_whether_there_is_a_screen(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], screen: bool
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert has_screen() == screen


def test_without_a_screen_the_window_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("app.__main__.has_screen", lambda: False)
    assert main([]) == 1
    assert "DISPLAY" in capsys.readouterr().err


def test_a_setting_that_makes_no_sense_is_told(home: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "--model", "x" * 100_001],
        cwd=ROOT,
        env=environment(home),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and "Model must be" in done.stderr


def test_bench_gets_the_rest_of_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[list[str]] = []

    def bench(arguments: list[str]) -> int:
        heard.append(arguments)
        return 3

    monkeypatch.setattr(importlib, "import_module", lambda name: SimpleNamespace(main=bench))
    assert main(["bench", "--json", "--demo"]) == 3
    assert heard == [["--json", "--demo"]]


def test_whoever_reads_a_tool_may_have_heard_enough(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    def talk(arguments: list[str]) -> int:
        print("more than anybody wants to hear")
        return 0

    monkeypatch.setattr(importlib, "import_module", lambda name: SimpleNamespace(main=talk))
    with os.fdopen(writing, "w") as nobody:
        monkeypatch.setattr(sys, "stdout", nobody)
        assert main(["doctor"]) == 1
