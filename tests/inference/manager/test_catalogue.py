"""The shipped catalogue, the places where things are kept, and the small file helpers."""

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from inference.errors import UserError
from inference.manager import files, paths
from inference.manager.catalogue import Catalogue
from inference.manager.spec import Source, Spec


def test_the_starter_is_small_english_and_can_be_had_from_two_places() -> None:
    starter = Catalogue.read().starter
    assert starter.identifier == "SmolLM2-135M-Instruct"
    assert starter.languages == ("en",) and "English" in starter.note and starter.licence == "Apache-2.0"
    assert [source.kind for source in starter.sources] == ["package", "hub"]
    assert starter.folder is None


def test_every_entry_is_complete() -> None:
    for spec in Catalogue.read().specs:
        assert spec.name and spec.licence and spec.sources
        assert min(spec.parameters, spec.size_bytes, spec.context_length) > 0
        assert all(source.size_bytes and source.download_bytes for source in spec.sources if source.kind == "package")
        assert date.fromisoformat(spec.checked) >= date(2026, 11, 29)
        assert spec.identifier.replace("-", "").replace(".", "").replace("_", "").isalnum()


def test_entries_are_found_by_their_identifier() -> None:
    catalogue = Catalogue.read()
    assert catalogue.find(catalogue.starter.identifier) is catalogue.starter
    assert catalogue.find("absent") is None


def test_drafts_are_much_smaller_than_their_targets() -> None:
    catalogue = Catalogue.read()
    pairs = [(spec, catalogue.find(draft)) for spec in catalogue.specs for draft in spec.drafts]
    assert pairs and all(draft is not None and 2 * draft.parameters < spec.parameters for spec, draft in pairs)
    assert all(spec.drafts_for_code and spec.drafts_for_prose for spec, _ in pairs)
    coder = catalogue.find("Qwen2.5-Coder-7B-Instruct")
    assert coder in catalogue.targets_of("Qwen2.5-Coder-0.5B-Instruct")


def test_a_draft_that_is_no_entry_is_refused() -> None:
    with pytest.raises(ValueError, match="drafts that are no entries: b"):
        Catalogue((Spec("a", "A", drafts_for_code=("b",)),))


@pytest.mark.parametrize("specs", [(), (Spec("a", "A"), Spec("a", "B"))])
def test_a_catalogue_is_checked_when_made(specs: tuple[Spec, ...]) -> None:
    with pytest.raises(ValueError, match="different identifiers"):
        Catalogue(specs)


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "ftp", "repository": "x"},
        {"kind": "package", "repository": "x"},
        {"kind": "package", "repository": "x", "version": "1", "member": "m", "sha256": "12"},
    ],
)
def test_a_source_is_checked_when_made(fields: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"source is|needs a version"):
        Source(**fields)  # type: ignore[arg-type]


PLACES = (paths.data_folder, paths.models_folder, paths.config_folder, paths.cache_folder, paths.log_folder)


def test_one_variable_moves_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path))
    found = [place() for place in PLACES]
    assert all(place.is_relative_to(tmp_path) for place in found) and len(set(found)) == len(PLACES)


@pytest.mark.parametrize("home", [None, "", "  "])
def test_otherwise_the_system_says_where(home: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOREWORD_HOME", raising=False)
    if home is not None:
        monkeypatch.setenv("FOREWORD_HOME", home)
    assert all(place().is_absolute() and "Foreword" in str(place()) for place in PLACES)


@pytest.mark.parametrize("module", ["spec", "catalogue", "store", "download", "paths", "folder"])
def test_the_manager_is_imported_without_anything_heavy(module: str) -> None:
    program = f"import sys, inference.manager.{module}; print(*sys.modules)"
    root = Path(__file__).parents[3]
    loaded = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    assert not {"torch", "transformers", "numpy", "gguf", "tokenizers", "httpx"} & set(loaded.stdout.split())


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.json"
    files.write_json(path, {"name": "值"})
    assert json.loads(path.read_text(encoding="utf-8")) == {"name": "值"}

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        files.write_json(path, {})
    assert json.loads(path.read_text(encoding="utf-8")) == {"name": "值"}
    assert [found.name for found in tmp_path.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1500, "1.5 kB"),
        (98_362_432, "98.4 MB"),
        (54 * 10**9, "54.0 GB"),
        (2 * 10**12, "2.0 TB"),
    ],
)
def test_sizes_are_readable(count: int, text: str) -> None:
    assert files.size_text(count) == text


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device"), "disk is full"),
        (PermissionError(13, "Permission denied"), "may not be read or written"),
        (OSError(30, "Read-only file system"), "may not be read or written"),
        (FileNotFoundError(2, "No such file", "gone.txt"), "gone.txt does not exist"),
        (OSError(5, "Input/output error"), "Input/output error"),
    ],
)
def test_what_a_disk_refuses_becomes_a_sentence(error: OSError, said: str) -> None:
    with pytest.raises(UserError, match=said) as caught, files.explained(Path("place")):
        raise error
    assert caught.value.remedy and caught.value.__cause__ is error


def test_space_is_asked_of_the_disk_that_will_be_written_to(tmp_path: Path) -> None:
    files.require_space(tmp_path / "not" / "there" / "yet", 1)
    with pytest.raises(UserError, match="Not enough disk space"):
        files.require_space(tmp_path / "not" / "there" / "yet", 1 << 60)
