"""The launcher's files import each other by their bare names, as when launch.py is run."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "packaging"))

import preparation
import pytest
import torch_build
import words
from environment import Environment

from tests.packaging.fake_python import FakePython


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the system of those who test speaks."""
    monkeypatch.setattr(words, "_table", dict)


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePython:
    fake = FakePython(tmp_path / "fake python")
    monkeypatch.setattr(sys, "executable", str(fake.path))
    monkeypatch.setenv("FAKE_PYTHON", str(fake.folder))
    monkeypatch.setattr(torch_build, "find_cards", lambda: ())
    monkeypatch.setattr(preparation.system_libraries, "chinese_font_hint", lambda: "")
    return fake


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "签出 checkout"
    folder.mkdir()
    project = '[project]\ndependencies = ["torch>=2.9", "qasync"]\n[project.optional-dependencies]\ndev = ["pytest"]\n'
    (folder / "pyproject.toml").write_text(project, encoding="utf-8")
    return folder


@pytest.fixture
def place(tmp_path: Path, checkout: Path) -> Environment:
    return Environment(tmp_path / "环境 environment", checkout, accelerated=False)
