"""Models move to another folder: whole in one of the two at every moment."""

import shutil
import threading
from pathlib import Path

import pytest

from inference.errors import UserError
from inference.manager.download import DownloadCancelled
from inference.manager.moving import move_models
from inference.manager.paths import models_folder, usual_models_folder


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path / "home"))
    for name in ("一 one", "two", "three"):
        folder = usual_models_folder() / name
        folder.mkdir(parents=True)
        (folder / "config.json").write_text(name)
        (folder / "model.safetensors").write_bytes(name.encode() * 1000)
    (usual_models_folder() / "opened.json").write_text("[]")
    return usual_models_folder()


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_everything_moves_and_is_found(source: Path, tmp_path: Path) -> None:
    before = files(source)
    steps = list(move_models(tmp_path / "big", threading.Event()))
    assert [step.stage for step in steps] == ["move"] * 4
    assert models_folder() == tmp_path / "big" and files(tmp_path / "big") == before
    assert files(source) == {}
    list(move_models(tmp_path / "big", threading.Event()))  # there already
    assert files(tmp_path / "big") == before


@pytest.mark.parametrize("after", range(7))
def test_cut_short_it_can_be_begun_again(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    before, left, copy = files(source), after, shutil.copy2

    def failing(original: str, twin: str, **how: bool) -> str:
        nonlocal left
        if left == 0:
            raise OSError(28, "No space left on device")
        left -= 1
        return copy(original, twin, **how)

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copy2", failing)
        with pytest.raises(UserError, match="full"):
            list(move_models(tmp_path / "big", threading.Event()))
    assert models_folder() == source and files(source) == before
    list(move_models(tmp_path / "big", threading.Event()))
    assert files(tmp_path / "big") == before


def test_cancelled_nothing_has_moved(source: Path, tmp_path: Path) -> None:
    before, cancel = files(source), threading.Event()
    cancel.set()
    with pytest.raises(DownloadCancelled):
        list(move_models(tmp_path / "big", cancel))
    assert models_folder() == source and files(source) == before


@pytest.mark.parametrize("where", ["inside", ".."])
def test_not_into_itself(source: Path, where: str) -> None:
    with pytest.raises(UserError, match="cannot be moved"):
        list(move_models((source / where).resolve(), threading.Event()))
    assert models_folder() == source


def test_the_same_folder_by_another_name_is_left_alone(source: Path, tmp_path: Path) -> None:
    before, link = files(source), tmp_path / "link"
    link.symlink_to(source, target_is_directory=True)
    list(move_models(link, threading.Event()))
    list(move_models(source / ".." / source.name, threading.Event()))
    assert files(source) == before
    with pytest.raises(UserError, match="cannot be moved"):
        list(move_models(link / "inside", threading.Event()))


def test_another_model_of_the_same_name_is_not_taken_for_it(source: Path, tmp_path: Path) -> None:
    before, other = files(source), tmp_path / "big" / "two" / "config.json"
    other.parent.mkdir(parents=True)
    other.write_text("another")
    with pytest.raises(UserError, match="another two"):
        list(move_models(tmp_path / "big", threading.Event()))
    assert models_folder() == source and files(source) == before and other.read_text() == "another"


def test_a_place_that_refuses(source: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError):
        list(move_models(tmp_path / "file" / "models", threading.Event()))
    assert models_folder() == source
