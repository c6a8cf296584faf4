"""What lies on the shelf: packages that fit, in the order in which they are offered, and the reason for the others."""

from pathlib import Path

import pytest

from inference.heads.package import CARD
from inference.heads.shelf import entries, fitting, places, trained_folder
from tests.inference.heads.tiny import SHAPE, identity, save_random


@pytest.fixture
def where(tmp_path: Path) -> tuple[Path, Path]:
    """Trained here: code for this target, prose for another, a damaged one. Shipped: code and prose, a level deeper."""
    trained, shipped = tmp_path / "home" / "drafts", tmp_path / "assets" / "drafts"
    save_random(trained / "mine", SHAPE, identity(), tokens=100, task="code")
    save_random(
        trained / "other" / "prose", SHAPE, identity(fingerprint="other", name="Other"), tokens=100, task="prose"
    )
    (trained / "damaged").mkdir()
    (trained / "damaged" / CARD).write_text("{", encoding="utf-8")
    (trained / ".mine.1.new").mkdir()
    (trained / "notes.txt").write_text("", encoding="utf-8")
    for task in ("code", "prose"):
        save_random(shipped / "tiny" / task, SHAPE, identity(), tokens=100, task=task)
    return trained, shipped


def test_everything_is_listed_with_a_reason_for_what_does_not_fit(where: tuple[Path, Path]) -> None:
    listed = entries(identity(), where)
    assert [entry.name for entry in listed] == ["mine", "tiny/code", "tiny/prose", "damaged", "other/prose"]
    assert [entry.reason is None for entry in listed] == [True, True, True, False, False]
    assert "not JSON" in (listed[3].reason or "") and listed[3].card is None
    assert "trained for Other" in (listed[4].reason or "")


def test_of_each_task_one_is_offered_and_those_trained_here_come_first(where: tuple[Path, Path]) -> None:
    assert [entry.name for entry in fitting(identity(), where)] == ["mine", "tiny/prose"]
    assert fitting(identity(fingerprint="nobody's"), where) == []


def test_where_packages_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path))
    assert places()[0] == trained_folder() == tmp_path / "data" / "drafts"
    assert places()[1].parent.name == "assets"
    assert entries(identity(), [tmp_path / "nothing here"]) == []
