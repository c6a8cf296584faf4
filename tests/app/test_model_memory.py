"""How models were loaded last, on disk."""

from pathlib import Path

import pytest

from app.model_memory import ModelMemory, Remembered
from app.settings import Settings

HOW = Remembered("int8", 4096, "draft", "8", "64")


def test_what_is_kept_is_recalled_by_the_next_session(tmp_path: Path) -> None:
    path = tmp_path / "new" / "models.json"
    memory = ModelMemory(path)
    memory.keep("模型", HOW)
    memory.later.flush()
    assert ModelMemory(path).recall("模型") == HOW
    assert ModelMemory(path).recall("other") is None


@pytest.mark.parametrize(
    "content", ["", "[", "[]", "7", '{"a": 1}', '{"a": {"precision": "int3", "context_length": 1, "draft_model": ""}}']
)
def test_a_damaged_file_is_begun_anew(tmp_path: Path, content: str) -> None:
    path = tmp_path / "models.json"
    path.write_text(content, encoding="utf-8")
    memory = ModelMemory(path)
    assert memory.recall("a") is None
    memory.keep("a", HOW)
    memory.later.flush()
    assert ModelMemory(path).recall("a") == HOW


def test_what_an_older_version_kept_counts(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    path.write_text('{"a": {"precision": "int8", "context_length": 4096, "draft_model": ""}}')
    assert ModelMemory(path).recall("a") == Remembered("int8", 4096, "")


def test_a_disk_that_refuses_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    memory = ModelMemory(tmp_path / "file" / "models.json")
    memory.keep("a", HOW)
    assert memory.recall("a") == HOW


def test_settings_take_over_draft_and_drafter() -> None:
    settings = Settings()
    with_draft = HOW.applied(settings)
    assert (with_draft.precision, with_draft.context_length, with_draft.draft_model) == ("int8", 4096, "draft")
    assert (with_draft.cache_bits, with_draft.load().int4_group) == ("8", 64)
    assert with_draft.needs_model and Remembered.of(with_draft) == HOW
    assert with_draft.drafter == "automatic"
    plain = Remembered("auto", 8192, "")
    without = plain.applied(with_draft)
    assert without.draft_model == "" and without.drafter == "automatic"  # the model may have a trained draft
    for drafter in ("model", "combined"):
        assert plain.applied(with_draft.with_value("drafter", drafter)).drafter == "ngram"
    assert HOW.applied(settings.with_value("drafter", "ngram")).drafter == "model"
