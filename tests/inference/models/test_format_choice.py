"""The choice of a format by measurement: each machine and shape once, whatever the clock said."""

from pathlib import Path

import pytest
import torch

from inference.models.fused import format_choice
from inference.models.fused.format_choice import fastest_format, product
from inference.native.library import load


def test_the_fastest_of_the_candidates_is_taken_and_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([3.0, 1.0, 2.0])
    monkeypatch.setattr(format_choice, "_seconds", lambda *_: next(answers))
    memory = tmp_path / "kept" / "formats.json"
    assert fastest_format(["bfloat16", "float32", "int8"], 64, 32, None, memory) == "float32"
    assert fastest_format(["bfloat16", "float32", "int8"], 64, 32, None, memory) == "float32", "not measured again"
    assert fastest_format(["bfloat16", "int8"], 64, 32, None, memory) == "int8", "known ones are compared as they are"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"a": 1}'])
def test_a_damaged_memory_is_written_anew(tmp_path: Path, content: str) -> None:
    memory = tmp_path / "formats.json"
    memory.write_text(content)
    assert fastest_format(["bfloat16", "float32"], 32, 32, None, memory) in ("bfloat16", "float32")
    assert "32 x 32" in memory.read_text()


def test_a_folder_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert fastest_format(["float32"], 32, 32, None, tmp_path / "file" / "formats.json") == "float32"


@pytest.mark.parametrize("precision", ["float32", "bfloat16", "int8"])
def test_what_is_measured_is_a_product(precision: str) -> None:
    for library in (None, load()):
        y = product(precision, 64, 32, library)(torch.randn(5, 32))
        assert isinstance(y, torch.Tensor) and y.shape == (5, 64)
