"""The command that starts Foreword again works from any folder, installed or not, and in a built program."""

import os
import sys
from pathlib import Path

import pytest

from inference import child_process


def test_a_child_is_foreword_wherever_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module called app in the working folder is somebody else's; the sources are found without PYTHONPATH."""
    (tmp_path / "app.py").write_text("print('not ours')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with child_process.start(["--help"]) as process:
        output = process.communicate(timeout=60)[0]
    assert process.returncode == 0 and "usage: foreword" in output and "not ours" not in output


def test_what_goes_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with child_process.start(["--没有这个"]) as process:
        output = process.communicate(timeout=60)[0]
    assert process.returncode == 2 and "--没有这个" in output


def test_a_built_program_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/opt/程序 folder/foreword")
    monkeypatch.setenv("PYTHONPATH", "")
    assert child_process.command(["bench", "--json"]) == ["/opt/程序 folder/foreword", "bench", "--json"]
    assert child_process.variables()["PYTHONPATH"] == ""


def test_the_persons_own_places_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    root = str(child_process.ROOT)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["elsewhere", root]))
    assert child_process.variables()["PYTHONPATH"].split(os.pathsep) == [root, "elsewhere"]


def test_extra_variables_reach_the_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").touch()  # else Foreword's own is taken, where PYTHONPATH names a checkout
    (tmp_path / "app" / "__main__.py").write_text("import os; print(os.environ['FOREWORD_HOME'])", encoding="utf-8")
    monkeypatch.setattr(child_process, "ROOT", tmp_path)
    with child_process.start([], {"FOREWORD_HOME": "家 home"}) as process:
        assert process.communicate(timeout=60)[0] == "家 home\n"
