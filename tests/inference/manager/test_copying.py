"""Taking a folder over: copied whole or not at all, and then the store's own."""

import threading
from pathlib import Path
from typing import Any

import pytest

from inference.errors import UserError
from inference.manager.copying import CopyCancelled
from inference.manager.spec import Spec
from inference.manager.store import Store
from tests.inference.manager.model_folders import make_folder


def take_over(store: Store, spec: Spec, cancel: threading.Event | None = None) -> tuple[Spec, list[Any]]:
    steps, seen = store.take_over(spec, cancel or threading.Event()), []
    while True:
        try:
            seen.append(next(steps))
        except StopIteration as end:
            return end.value, seen


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "models")


def test_a_folder_becomes_the_stores_own(store: Store, tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "我的 model")
    (folder / ".cache").mkdir()
    (folder / ".cache" / "left").write_text("by a tool")
    spec = store.open_folder(folder)
    own, seen = take_over(store, spec)
    assert own.folder is not None and own.folder.parent == store.root and own.name == "我的 model"
    assert [found.identifier for found in store.specs()] == [own.identifier]
    assert seen[-1].done == seen[-1].total == sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    for path in folder.iterdir():
        assert path.name == ".cache" or (own.folder / path.name).read_bytes() == path.read_bytes()
    assert not (own.folder / ".cache").exists() and folder.is_dir()
    store.delete(own)
    assert folder.is_dir() and store.specs() == []


def test_files_behind_links_are_copied(store: Store, tmp_path: Path) -> None:
    """As the caches of other programs have them."""
    blobs, folder = make_folder(tmp_path / "blobs"), tmp_path / "snapshot"
    folder.mkdir()
    for path in blobs.iterdir():
        (folder / path.name).symlink_to(path)
    own, _ = take_over(store, store.open_folder(folder))
    assert own.folder is not None and not any(path.is_symlink() for path in own.folder.iterdir())


def test_cancelled_it_leaves_nothing_and_forgets_nothing(store: Store, tmp_path: Path) -> None:
    spec = store.open_folder(make_folder(tmp_path / "model"))
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CopyCancelled):
        take_over(store, spec, cancel)
    assert [found.identifier for found in store.specs()] == [spec.identifier]
    assert not any((store.root / ".partial").iterdir())


def test_a_folder_that_went_is_told(store: Store, tmp_path: Path) -> None:
    spec = store.open_folder(make_folder(tmp_path / "model"))
    (tmp_path / "model").rename(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="There is no folder"):
        take_over(store, spec)
