"""A model that came with the program is used without asking anybody, if it is whole."""

import hashlib
import threading
from pathlib import Path

import pytest

from inference.errors import UserError
from inference.manager import carried, package_source
from inference.manager.download import Patience
from inference.manager.spec import Source, Spec
from inference.manager.store import Store
from tests.inference.manager import tiny_gguf


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Spec:
    """Of a model that lies among the program's files; its only source is a package index that is not there."""
    monkeypatch.setattr(carried, "MODELS", tmp_path)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setattr(package_source, "has_pip", lambda: False)
    tiny_gguf.write_tiny_llama(tmp_path / "model.gguf", "Q8_0")
    content = (tmp_path / "model.gguf").read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return Spec("tiny", "Tiny", (Source("package", "tiny", "1.0", "tiny/model.gguf", digest, len(content)),))


def fetch(models: Store, spec: Spec) -> tuple[Spec, set[str]]:
    """The model, and what was done to have it."""
    fetching, stages = models.fetch(spec, threading.Event()), set()
    while True:
        try:
            stages.add(next(fetching).stage)
        except StopIteration as end:
            return end.value, stages


def test_it_is_used_without_a_network(spec: Spec, tmp_path: Path) -> None:
    models = Store(tmp_path / "models")
    fetched, stages = fetch(models, spec)
    assert stages == {"convert"}
    assert fetched.folder == tmp_path / "models" / "tiny" and models.find("tiny")
    assert (tmp_path / "model.gguf").is_file(), "the program keeps its own"
    models.delete(fetched)
    assert (tmp_path / "model.gguf").is_file()
    assert fetch(models, spec)[1] == {"convert"}, "and can be had again"


@pytest.mark.parametrize("change", [b"", b"x"])
def test_a_damaged_one_is_not(change: bytes, spec: Spec, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    content = path.read_bytes()
    path.write_bytes(content[:-1] + change)
    assert carried.carried(spec) is None
    with pytest.raises(UserError, match="could not be downloaded"):  # the sources were asked
        fetch(Store(tmp_path / "models", Patience(contact_s=1, stall_s=1, attempts=1)), spec)


def test_a_hub_has_nothing_among_the_programs_files(spec: Spec) -> None:
    assert carried.carried(Spec("tiny", "Tiny", (Source("hub", "tiny/model.gguf"),))) is None
