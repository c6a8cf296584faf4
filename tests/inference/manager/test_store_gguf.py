"""GGUF files in the store: converted once, told apart, refused with the reason."""

import threading
from pathlib import Path

import pytest

from inference.errors import UserError
from inference.manager.download import DownloadCancelled
from inference.manager.store import Store
from tests.inference.manager import tiny_gguf
from tests.inference.manager.test_store import leftovers, models, run

assert models  # the fixture


@pytest.mark.parametrize("name", ["model-Q4.gguf", "MODEL.GGUF", "模型 一号.gguf", "..gguf", "-.gguf"])
def test_a_gguf_is_converted_into_the_store_once(models: Store, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    tiny_gguf.write_tiny_llama(path)
    spec, seen = run(models.open(path))
    assert seen and spec.folder is not None and spec.folder.parent == models.root
    assert spec.name == path.stem and spec.context_length == 64
    again, seen = run(models.open(path))
    assert (again, seen) == (spec, [])
    assert leftovers(models) == []


def test_two_files_of_the_same_name_are_two_models(models: Store, tmp_path: Path) -> None:
    for i in range(2):
        (tmp_path / str(i)).mkdir()
        tiny_gguf.write_tiny_llama(tmp_path / str(i) / "model.gguf", seed=i)
        models.open_folder(tmp_path / str(i) / "model.gguf")
    assert len(models.specs()) == 2


def test_a_folder_with_one_gguf_stands_for_it(models: Store, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    tiny_gguf.write_tiny_llama(tmp_path / "folder" / "model.gguf")
    assert models.open_folder(tmp_path / "folder").name == "model"


def test_the_persons_own_gguf_survives_the_deletion_of_its_conversion(models: Store, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    tiny_gguf.write_tiny_llama(path)
    before = path.read_bytes()
    models.delete(models.open_folder(path))
    assert models.specs() == [] and path.read_bytes() == before


def test_a_conversion_that_is_cancelled_leaves_nothing(models: Store, tmp_path: Path) -> None:
    tiny_gguf.write_tiny_llama(tmp_path / "model.gguf")
    cancel = threading.Event()
    steps = models.open(tmp_path / "model.gguf", cancel)
    next(steps)
    cancel.set()
    with pytest.raises(DownloadCancelled, match="conversion was cancelled"):
        run(steps)
    assert models.specs() == [] and leftovers(models) == []


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, "no folder|does not exist"),
        (lambda path: path.mkdir(), "no config.json"),
        (lambda path: path.write_bytes(b""), "not a model"),
        (lambda path: path.symlink_to(path), "model"),
    ],
)
@pytest.mark.parametrize("name", ["thing", "thing.bin"])
def test_what_is_no_model_is_said_to_be_none(models: Store, tmp_path: Path, make: object, said: str, name: str) -> None:
    assert callable(make)
    make(tmp_path / name)
    with pytest.raises(UserError, match=said):
        models.open_folder(tmp_path / name)


@pytest.mark.parametrize("content", [None, b"", b"GGUF", b"text"])
def test_what_is_no_gguf_is_said_to_be_none(models: Store, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "x.gguf").write_bytes(content)
    with pytest.raises(UserError):
        models.open_folder(tmp_path / "x.gguf")
    assert models.specs() == [] and leftovers(models) == []
