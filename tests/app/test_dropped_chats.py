"""Chats dropped on the window: on the list of chats they are imported, elsewhere only what can be nothing else."""

import json
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from tests.app.conftest import MakeProgram

COPY, LEFT, NONE = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def drop(widget: QWidget, *paths: Path) -> None:
    """As Qt tells it; the window system's part of it is not here."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    entered = QDragEnterEvent(QPoint(9, 9), COPY, mime, LEFT, NONE)
    widget.dragEnterEvent(entered)
    assert entered.isAccepted() and widget.acceptDrops()
    widget.dropEvent(QDropEvent(QPointF(9, 9), COPY, mime, LEFT, NONE))


def lines(path: Path, *questions: str) -> Path:
    chats = [{"messages": [{"role": "user", "content": question}]} for question in questions]
    path.write_text("\n".join(map(json.dumps, chats)))
    return path


def test_on_the_list_of_chats_they_are_imported(make_program: MakeProgram, tmp_path: Path) -> None:
    program = make_program().start()
    sidebar = program.window.sidebar
    for known in (False, True):
        with program.qtbot.waitSignal(program.application.transfer.imported):
            drop(sidebar, lines(tmp_path / "a.jsonl", "One?"), lines(tmp_path / "b.jsonl", "Two?", "Three?"))
        assert sidebar.titles()[0] == "Today" and sorted(sidebar.titles()[1:]) == ["One?", "Three?", "Two?"], known
        assert sidebar.titles().index("Two?") < sidebar.titles().index("Three?")  # as they stand in the file
    assert sidebar.property("dropping") == "false"


@pytest.mark.parametrize("place", ["composer", "transcript"])
def test_an_archive_of_chats_is_imported_wherever_it_is_dropped(
    make_program: MakeProgram, tmp_path: Path, place: str
) -> None:
    mapping = {"q": {"message": {"author": {"role": "user"}, "content": {"parts": ["Where?"]}}, "children": []}}
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("conversations.json", json.dumps([{"title": "Lake", "id": "x", "mapping": mapping}]))
    (tmp_path / "notes.txt").write_text("Notes")
    program = make_program().start()
    with program.qtbot.waitSignal(program.application.transfer.imported):
        drop(getattr(program.window, place), tmp_path / "export.zip", tmp_path / "notes.txt")
    assert program.window.sidebar.titles()[-1] == "Lake"
    assert [one.name for one in program.application.composing.attachments] == ["notes.txt"]
    assert not program.banner("attachment")


def test_another_archive_is_refused_as_what_it_is(make_program: MakeProgram, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "code.zip", "w") as archive:
        archive.writestr("settings.json", "{}")
    program = make_program().start()
    drop(program.window.composer, tmp_path / "code.zip")
    program.qtbot.waitUntil(lambda: "code.zip is not a text file" in program.banner("attachment"))
