"""Which models could draft for which, by their files alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from inference.manager.draft_candidates import candidates
from inference.manager.spec import Spec

VOCABULARY = {"a": 0, "b": 1, "c": 2}


def model(folder: Path, parameters: int, vocabulary: Any = VOCABULARY, added: dict[str, int] | None = None) -> Spec:
    folder.mkdir()
    listed = [{"content": token, "id": index} for token, index in (added or {}).items()]
    content = {"model": {"vocab": vocabulary}, "added_tokens": listed}
    (folder / "tokenizer.json").write_text(json.dumps(content), encoding="utf-8")
    return Spec(folder.name, folder.name, folder=folder, parameters=parameters)


@pytest.fixture
def target(tmp_path: Path) -> Spec:
    return model(tmp_path / "target", 8_000, added={"<end>": 3})


def test_the_same_vocabulary_may_draft(target: Spec, tmp_path: Path) -> None:
    draft = model(tmp_path / "draft", 600, added={"<other>": 3})
    assert candidates(target, [target, draft]) == candidates(target, [draft])
    assert [c.reason for c in candidates(target, [draft])] == [""]


@pytest.mark.parametrize(
    ("parameters", "vocabulary", "reason"),
    [
        (5_000, VOCABULARY, "too large"),
        (600, {"a": 1, "b": 0, "c": 2}, "vocabulary is another one. Token 'a' is 0 in the target and 1 in the draft"),
        (600, {"a": 0}, "missing in the draft"),
        (600, [["a", -1.0], ["b", -2.0], ["c", -3.0]], ""),
        (600, 7, ""),
    ],
)
def test_reasons(target: Spec, tmp_path: Path, parameters: int, vocabulary: Any, reason: str) -> None:
    (found,) = candidates(target, [model(tmp_path / "draft", parameters, vocabulary)])
    assert (reason in found.reason) if reason else found.reason == ""
    assert found.aligned == ("another one" in found.reason), "it could draft by its text"


def test_without_a_file_to_look_at_it_is_left_to_loading(target: Spec, tmp_path: Path) -> None:
    draft = model(tmp_path / "draft", 600)
    assert draft.folder is not None
    (draft.folder / "tokenizer.json").unlink()
    assert candidates(target, [draft])[0].reason == ""
    assert candidates(target, [Spec("x", "X")])[0].reason == "It is not on this machine."


def test_those_the_catalogue_names_come_first(tmp_path: Path, target: Spec) -> None:
    from dataclasses import replace

    small, named = model(tmp_path / "small", 100), model(tmp_path / "named", 900)
    large = model(tmp_path / "large", 7_000)
    found = candidates(replace(target, drafts_for_code=("named",)), [large, small, named])
    assert [candidate.spec.identifier for candidate in found] == ["named", "small", "large"]
