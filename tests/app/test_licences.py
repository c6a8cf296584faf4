"""Nothing that is installed for Foreword is without its terms and their text."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from app import licences
from app.licences import Licence, common_text, distributions, installed, shipped, to_json

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_everything_installed_for_foreword_has_terms_and_a_text() -> None:
    found = installed()
    assert (found[0].name, found[0].version, found[0].terms) == ("Foreword", PROJECT["version"], "Apache-2.0")
    lacking = [each.name for each in found if not each.terms or len(each.text) < 400]
    assert not lacking
    assert {each.version for each in found if each.name == "torch"} == {metadata.version("torch")}


def test_it_is_what_is_needed_and_what_that_needs() -> None:
    found = set(distributions(PROJECT["dependencies"]))
    assert {"torch", "transformers", "pyside6-essentials", "qasync", "jinja2"} <= found
    assert {"numpy", "tokenizers", "shiboken6"} <= found, "what they need belongs to it too"
    assert not {"pytest", "mypy", "ruff"} & found, "the tools for tests do not"


def test_the_built_program_shows_its_own_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = (Licence("libxcb", "1.15", "MIT", "条款 terms"),)
    (tmp_path / "licences.json").write_text(to_json(made), encoding="utf-8")
    monkeypatch.setattr(licences, "_assets", lambda: tmp_path)
    assert shipped() == made


@pytest.mark.parametrize(
    ("terms", "beginning", "count"),
    [
        ("LGPL-3.0-only", "GNU LESSER GENERAL PUBLIC LICENSE", 1),
        ("GPL-3.0-only", "GNU GENERAL PUBLIC LICENSE", 1),
        ("LGPL-3.0-only OR GPL-3.0-only", "GNU GENERAL PUBLIC LICENSE", 2),
        ("Apache Software License", "Apache License", 1),
        ("Apache-2.0", "Apache License", 1),
    ],
)
def test_well_known_texts(terms: str, beginning: str, count: int) -> None:
    text = common_text(terms)
    assert text.strip().startswith(beginning)
    assert len(re.findall(r"^ +(?:GNU \w+.* LICENSE|Apache License)$", text, re.MULTILINE)) == count


def test_unknown_terms_have_no_text_of_another_licence() -> None:
    assert common_text("BSD-3-Clause") == ""
    assert "Permission is hereby granted" in common_text("MIT License")
