"""Models move to another folder: whole in one of the two at every moment."""

import errno
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from inference.errors import UserError
from inference.manager import leftovers, moving
from inference.manager.download import DownloadCancelled
from inference.manager.moving import move_models
from inference.manager.paths import config_folder, keep_models_in, models_folder, usual_models_folder


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


def refuse(original: Path, twin: Path) -> None:
    raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))


@pytest.fixture(params=["on one disk", "to another disk"])
def disks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "to another disk":
        monkeypatch.setattr(os, "link", refuse)
    return str(request.param)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_everything_moves_and_is_found(source: Path, tmp_path: Path, disks: str) -> None:
    before = files(source)
    steps = list(move_models(tmp_path / "big", threading.Event()))
    assert [step.stage for step in steps] == ["move"] * 4
    assert models_folder() == tmp_path / "big" and files(tmp_path / "big") == before
    assert files(source) == {}
    list(move_models(tmp_path / "big", threading.Event()))  # there already
    assert files(tmp_path / "big") == before


def test_copies_are_on_the_disk_before_an_original_is_deleted(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, synced = files(source), list[bool]()
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(
        os, "sync", lambda: synced.append(files(source) == before == files(tmp_path / "big")), raising=False
    )
    list(move_models(tmp_path / "big", threading.Event()))
    assert synced == [True]


def test_on_one_disk_nothing_is_copied(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {path.relative_to(source): path.stat().st_ino for path in source.rglob("*") if path.is_file()}

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("copied, or asked for room")

    monkeypatch.setattr(shutil, "copy2", fail)
    monkeypatch.setattr(moving, "require_space", fail)
    target = tmp_path / "big"
    list(move_models(target, threading.Event()))
    assert {name: (target / name).stat().st_ino for name in numbers} == numbers


def test_another_disk_has_to_have_room(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(moving, "require_space", lambda folder, needed: asked.append(needed))
    whole = sum(map(len, files(source).values()))
    list(move_models(tmp_path / "big", threading.Event()))
    assert asked == [whole]


class Killed(BaseException):
    """As a kill: nobody catches it."""


@contextmanager
def killed_at(step: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The process ends before the step-th change on the disk; gives the changes that were made."""
    made: list[str] = []

    def counted(name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        def change(*arguments: Any, **named: Any) -> Any:
            if len(made) >= step:
                raise Killed
            made.append(name)
            return act(*arguments, **named)

        return change

    changes = [
        (os, "link"),
        (shutil, "copy2"),
        (shutil, "rmtree"),
        (Path, "mkdir"),
        (Path, "replace"),
        (Path, "unlink"),
    ]
    with monkeypatch.context() as patch:
        for place, name in changes:
            patch.setattr(place, name, counted(name, getattr(place, name)))
        patch.setattr(moving, "keep_models_in", counted("keep", moving.keep_models_in))
        yield made


def test_killed_at_any_moment_nothing_is_lost(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disks: str
) -> None:
    """Where models are kept they are all whole, and it can be begun again."""
    whole, cleared = files(source), 0
    for step in range(1000):
        old, target = models_folder(), tmp_path / str(step)
        try:
            with killed_at(step, monkeypatch) as made:
                list(move_models(target, threading.Event()))
            break
        except Killed:
            assert files(models_folder()).items() >= whole.items(), made
            if models_folder() == target:  # the originals were being deleted
                assert leftovers.clear(threading.Event()) is None, made
                assert files(target) == whole and not list(old.iterdir()), made
                cleared += 1
        list(move_models(target, threading.Event()))
        assert models_folder() == target and files(target) == whole, made
    assert step > 20 and "keep" in made and files(models_folder()) == whole and cleared > 3


@pytest.mark.parametrize("after", range(7))
def test_cut_short_it_can_be_begun_again(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    monkeypatch.setattr(os, "link", refuse)
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
    assert models_folder() == source and files(source) == before and not (tmp_path / "big").exists()
    list(move_models(tmp_path / "big", threading.Event()))
    assert files(tmp_path / "big") == before


def test_cancelled_nothing_has_moved(source: Path, tmp_path: Path, disks: str) -> None:
    before, cancel = files(source), threading.Event()
    cancel.set()
    with pytest.raises(DownloadCancelled):
        list(move_models(tmp_path / "big", cancel))
    assert models_folder() == source and files(source) == before


@pytest.mark.parametrize("after", range(4))
def test_cancelled_the_copies_are_taken_away(source: Path, tmp_path: Path, disks: str, after: int) -> None:
    """But not what was there before, nor the folder if it was."""
    before, cancel, target = files(source), threading.Event(), tmp_path / "big"
    (target / "own").mkdir(parents=True)
    (target / "own" / "file").write_text("mine")
    shutil.copytree(source / "two", target / "two")  # as of a move that was killed
    there = files(target)
    with pytest.raises(DownloadCancelled):
        for number, _ in enumerate(move_models(target, cancel)):
            if number == after:
                cancel.set()
    assert models_folder() == source and files(source) == before and files(target) == there
    assert not list(target.glob("*.copying"))


def test_of_what_is_left_only_that_is_cleared_which_is_whole_elsewhere(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, kept = tmp_path / "big", shutil.copytree(source, tmp_path / "kept")
    list(move_models(target, threading.Event()))
    shutil.copytree(kept, source, dirs_exist_ok=True)  # killed before the first was deleted
    leftovers.remember(source, [path.name for path in sorted(source.iterdir())])
    (source / "mine").mkdir()  # no part of the move
    (target / "two" / "config.json").write_text("twO")  # as long as it was
    shutil.rmtree(target / "three")
    (target / "three").symlink_to(source / "three")
    (target / "opened.json").unlink()
    stopped = threading.Event()
    stopped.set()
    assert leftovers.clear(stopped) is None and (source / "一 one").is_dir()
    assert leftovers.clear(threading.Event()) == source
    assert sorted(path.name for path in source.iterdir()) == ["mine", "opened.json", "three", "two"]
    assert files(source / "two") == files(kept / "two") and files(source / "three") == files(kept / "three")
    assert leftovers.clear(threading.Event()) is None, "it is said once"


def test_where_models_are_kept_nothing_is_cleared(source: Path, tmp_path: Path) -> None:
    before = files(source)
    leftovers.remember(source, ["two", "three"])
    assert leftovers.clear(threading.Event()) is None and files(source) == before
    keep_models_in(source / "two")
    leftovers.remember(source, ["two", "three"])
    assert leftovers.clear(threading.Event()) is None and files(source) == before


@pytest.mark.parametrize("note", ["", "[]", '{"folder": 3}', '{"folder": "/", "names": 3}'])
def test_a_damaged_note_clears_nothing(source: Path, note: str) -> None:
    before = files(source)
    leftovers.remember(source, ["two"])
    (config_folder() / "models-left.json").write_text(note)
    assert leftovers.clear(threading.Event()) is None and files(source) == before


def test_a_link_among_the_models_moves_as_a_link(source: Path, tmp_path: Path, disks: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    (source / "two").rename(elsewhere)
    (source / "two").symlink_to(elsewhere)
    before = files(elsewhere)
    list(move_models(tmp_path / "big", threading.Event()))
    assert (tmp_path / "big" / "two").is_symlink() and files(elsewhere) == before and not list(source.iterdir())


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
