"""From the launcher's arguments to the program, and which Python does it."""

import ast
import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import environment
import launch
import program
import pytest
import refusal
from environment import Environment, State

from tests.packaging.fake_python import FakePython

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ready(python: FakePython, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePython:
    """An environment for the real checkout, as far as the launcher can tell."""
    folder = tmp_path / "ready"
    place = Environment(folder)
    place.claim()
    (folder / "bin").mkdir()
    place.python.symlink_to(python.path)
    place.keep(State(made=True, torch="x", installed=place.digest, development=True, window_libraries="x11"))
    monkeypatch.setenv("FOREWORD_ENV", str(folder))
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return python


def run_launcher(*arguments: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    real = Path(sys.base_prefix, "bin", "python3")
    command = [str(real), str(ROOT / "packaging" / "launch.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=60)


@pytest.mark.parametrize("arguments", [[], ["--demo", "Why? 为什么"], ["bench", "--json"], ["--model", "./here"]])
def test_arguments_reach_the_program(arguments: list[str], ready: FakePython, tmp_path: Path) -> None:
    ready.answer("-m app", "hello", status=7)
    done = run_launcher(*arguments, folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (7, "hello\n", "")
    call = ready.last_call()
    assert call["arguments"] == ["-P", "-m", "app", *arguments]
    assert call["folder"] == str(tmp_path)


def test_setup_only_makes_the_environment(ready: FakePython, tmp_path: Path) -> None:
    assert run_launcher("setup", folder=tmp_path).returncode == 0
    assert ready.take_calls() == []


@pytest.mark.parametrize(("broken", "status"), [(None, 0), ("ruff check", 1), ("mypy", 1), ("pytest", 5)])
def test_every_check_runs_and_pytest_closes(broken: str | None, status: int, ready: FakePython, tmp_path: Path) -> None:
    if broken:
        ready.answer(f"-m {broken}", "wrong", status=5)
    ready.answer("-m pytest", "3 passed in 0.1s")
    done = run_launcher("test", "--full", "-k", "x", folder=tmp_path)
    tests = " ".join(["-m pytest", *program.processes(os.cpu_count() or 1), "--full -k x"])
    assert ready.take_calls() == ["-m ruff check .", "-m ruff format --check .", "-m mypy", tests]
    assert done.returncode == status
    assert done.stdout.splitlines()[-1] == ("wrong" if broken == "pytest" else "3 passed in 0.1s")
    assert ("Failed before the tests" in done.stderr) == (broken in ("ruff check", "mypy"))


def test_the_tests_share_the_cores_and_no_more_than_four_processes_start() -> None:
    assert program.processes(1) == ()
    assert program.processes(2) == ("-n", "2", "--dist", "worksteal")
    assert program.processes(64)[1] == "4"


def test_help_has_the_launchers_words_and_the_programs(ready: FakePython, tmp_path: Path) -> None:
    ready.answer("-m app --help", "usage: foreword")
    done = run_launcher("--help", folder=tmp_path)
    assert "launch.py test" in done.stdout and "usage: foreword" in done.stdout


def test_help_needs_no_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREWORD_ENV", str(tmp_path / "none"))
    assert "launch.py test" in run_launcher("--help", folder=tmp_path).stdout
    assert not (tmp_path / "none").exists()


def test_a_read_only_checkout_is_found_by_its_path(place: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    assert program.variables(place) == {}
    monkeypatch.setattr(Environment, "editable", False)
    monkeypatch.setenv("PYTHONPATH", "more")
    assert program.variables(place) == {"PYTHONPATH": f"{place.checkout}{os.pathsep}more"}


def test_where_the_environment_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOREWORD_ENV", raising=False)
    assert Environment.here().folder == ROOT / ".venv"
    monkeypatch.setenv("FOREWORD_ENV", str(tmp_path / "named"))
    assert Environment.here().folder == tmp_path / "named"


def test_the_data_folder_is_the_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from inference.manager import paths

    monkeypatch.delenv("FOREWORD_HOME", raising=False)
    assert environment.data_folder() == paths.data_folder()
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path))
    assert environment.data_folder() == paths.data_folder()


def test_state_is_kept_whole(place: Environment) -> None:
    place.claim()
    state = State(True, "2.13.0 cpu", "abc", True, "wayland")
    place.keep(state)
    assert json.loads((place.folder / environment.STATE).read_text()) == asdict(state)
    assert place.state == state


def test_the_running_python_is_taken_when_it_fits() -> None:
    assert launch.find_python((3, 11)) == sys.executable
    assert launch.find_python((3, 14)) == sys.executable


@pytest.mark.parametrize("running", [(3, 9), (3, 15)])
def test_another_python_is_looked_for(running: tuple[int, int]) -> None:
    there = {"python3.13": (3, 13), "python3.12": (3, 12), "python3.14": None}  # the last name leads nowhere
    found = launch.find_python(running, lambda name: name if name in there else None, lambda path: there[path])
    assert found == "python3.13"
    assert launch.find_python(running, lambda name: None) is None


def test_no_python_at_all_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(launch, "find_python", lambda: None)
    assert launch.main([]) == 1
    said = capsys.readouterr().out
    assert said.count("\n") == 1 and "3.11" in said


def test_no_python_for_an_icon_is_said_in_a_window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """There is no terminal to read it in."""
    dialog, seen = tmp_path / "zenity", tmp_path / "seen"
    dialog.write_text(f"#!/bin/sh\nprintf '%s' \"$4\" >'{seen}'\n")
    dialog.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setattr(refusal, "_with_tk", lambda text: False)
    monkeypatch.setattr(launch, "find_python", lambda: None)
    monkeypatch.setattr(sys, "stdout", None)
    assert launch.main(["--icon"]) == 1
    assert seen.read_text() == launch.no_python()


@pytest.mark.parametrize("name", ["launch.py", "refusal.py"])
def test_old_pythons_can_read_the_launcher(name: str) -> None:
    source = (ROOT / "packaging" / name).read_text(encoding="utf-8")
    assert ast.parse(source, feature_version=(3, 7))


def test_a_version_is_asked_of_the_interpreter_itself() -> None:
    assert launch.version_of(sys.executable) == sys.version_info[:2]
    assert launch.version_of("/nowhere/python3.12") is None
