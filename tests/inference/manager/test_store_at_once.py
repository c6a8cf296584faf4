"""The list of opened folders, changed by several at once."""

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from inference.manager import store
from inference.manager.store import Store
from tests.inference.manager.model_folders import make_folder


def test_of_folders_that_are_opened_and_forgotten_at_once_none_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write that waits until the others have read: without turns they would write what they read before."""
    models = Store(tmp_path / "models")
    gone = models.open_folder(make_folder(tmp_path / "gone"))
    folders = [make_folder(tmp_path / name) for name in "abc"]
    writing, ready = threading.Barrier(4), threading.Barrier(4)
    real = store.write_json

    def late(path: Path, value: object) -> None:
        with suppress(threading.BrokenBarrierError):
            writing.wait(0.2)  # nobody else comes, for it is not their turn
        real(path, value)

    def at_once(act: Callable[[], object]) -> None:
        ready.wait()
        act()

    monkeypatch.setattr(store, "write_json", late)
    acts = [partial(Store(models.root).open_folder, folder) for folder in folders]
    acts.append(partial(Store(models.root).delete, gone))
    threads = [threading.Thread(target=at_once, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {spec.folder for spec in models.specs()} == set(folders)
