"""What is dropped goes where it belongs, wherever it fell: models are taken in, and chats are imported; texts that may
be chats are so on the list of chats and on the page of models, and files of the question elsewhere."""

import json
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from app.views.models_page import ModelsPage
from tests.app.conftest import MakeProgram
from tests.app.program import Program
from tests.inference.manager.model_folders import make_folder

COPY, MOVE = Qt.DropAction.CopyAction, Qt.DropAction.MoveAction
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class Entering(QDragEnterEvent):
    """From a file manager that would rather move its files, and deletes those that were moved."""

    def acceptProposedAction(self) -> None:
        self.setDropAction(MOVE)
        self.accept()


class Dropped(QDropEvent):
    def acceptProposedAction(self) -> None:
        self.setDropAction(MOVE)
        self.accept()


def drop(widget: QWidget, *paths: Path) -> None:
    """As Qt tells it; the window system's part of it is not here."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    entered = Entering(QPoint(9, 9), COPY | MOVE, mime, LEFT, NONE)
    widget.dragEnterEvent(entered)
    assert entered.isAccepted() and widget.acceptDrops()
    dropped = Dropped(QPointF(9, 9), COPY | MOVE, mime, LEFT, NONE)
    widget.dropEvent(dropped)
    assert entered.dropAction() == dropped.dropAction() == COPY, "or the files would be gone"


PLACES = ("sidebar", "composer", "transcript", "page of models")


def place_in(program: Program, place: str) -> QWidget:
    if place != "page of models":
        found: QWidget = getattr(program.window, place)
        return found
    program.application.model_manager.open_page()
    return page_of(program)


def page_of(program: Program) -> ModelsPage:
    page = program.application.model_manager.page
    assert page is not None
    return page


def message(program: Program) -> str:
    """Below the name of the model on the page, "" without a page."""
    page = program.application.model_manager.page
    return page.details._message.text() if page is not None else ""


def chats_of(folder: Path, kind: str) -> Path:
    """One chat named Lake: in a zip as ChatGPT exports it, in its folder, or in a folder as LM Studio has them."""
    mapping = {"q": {"message": {"author": {"role": "user"}, "content": {"parts": ["Where?"]}}, "children": []}}
    text = json.dumps([{"title": "Lake", "id": "x", "mapping": mapping}])
    if kind == "zip":
        with zipfile.ZipFile(folder / "export.zip", "w") as archive:
            archive.writestr("conversations.json", text)
        return folder / "export.zip"
    inner = folder / "chats" / "mine"
    inner.mkdir(parents=True)
    if kind == "folder":
        (inner.parent / "conversations.json").write_text(text)
        return inner.parent
    version = {"type": "singleStep", "role": "user", "content": [{"type": "text", "text": "Where?"}]}
    chat = {"name": "Lake", "messages": [{"versions": [version], "currentlySelected": 0}]}
    (inner / "1.conversation.json").write_text(json.dumps(chat))
    return inner.parent


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


@pytest.mark.parametrize("kind", ["zip", "folder", "LM Studio"])
@pytest.mark.parametrize("place", PLACES)
def test_what_can_only_be_chats_is_imported_wherever_it_falls(
    make_program: MakeProgram, tmp_path: Path, place: str, kind: str
) -> None:
    program = make_program().start()
    target = place_in(program, place)
    with program.qtbot.waitSignal(program.application.transfer.imported):
        drop(target, chats_of(tmp_path, kind))
    assert program.window.sidebar.titles()[-1] == "Lake"
    assert not program.application.composing.attachments and not program.banner("attachment")
    assert not message(program)


@pytest.mark.parametrize("place", PLACES)
def test_models_and_chats_that_fall_together_part_ways(make_program: MakeProgram, tmp_path: Path, place: str) -> None:
    folder = make_folder(tmp_path / "我的模型")
    (tmp_path / "broken.gguf").write_bytes(b"")
    program = make_program().start()
    target = place_in(program, place)
    with program.qtbot.waitSignal(program.application.transfer.imported):
        drop(target, folder, chats_of(tmp_path, "zip"), tmp_path / "broken.gguf")
    assert program.window.sidebar.titles()[-1] == "Lake"
    program.qtbot.waitUntil(lambda: "我的模型 was added." in message(program) and "broken.gguf" in message(program))
    page = page_of(program)
    assert page.isVisible() and page.list.current is page.list.row(str(folder))
    assert not program.application.composing.attachments and not program.banner("attachment")


@pytest.mark.parametrize("place", ["composer", "transcript"])
def test_texts_beside_chats_are_attached(make_program: MakeProgram, tmp_path: Path, place: str) -> None:
    (tmp_path / "notes.txt").write_text("Notes")
    program = make_program().start()
    with program.qtbot.waitSignal(program.application.transfer.imported):
        drop(getattr(program.window, place), chats_of(tmp_path, "zip"), tmp_path / "notes.txt")
    assert [one.name for one in program.application.composing.attachments] == ["notes.txt"]


def test_lines_of_chats_on_the_page_of_models_are_imported(make_program: MakeProgram, tmp_path: Path) -> None:
    program = make_program().start()
    with program.qtbot.waitSignal(program.application.transfer.imported):
        drop(place_in(program, "page of models"), lines(tmp_path / "a.jsonl", "One?"))
    assert program.window.sidebar.titles()[-1] == "One?"


def test_every_refusal_stays_to_be_read(make_program: MakeProgram, tmp_path: Path) -> None:
    """Also beside what was taken in; the next drop begins anew."""
    names = ["one.gguf", "two.gguf", "three.gguf"]
    for name in names:
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "empty").mkdir()
    folder = make_folder(tmp_path / "Whole")
    program = make_program().start()
    target = place_in(program, "page of models")
    drop(target, *(tmp_path / name for name in names), tmp_path / "empty", folder)
    program.qtbot.waitUntil(lambda: message(program).count("\n") == 4 and "Whole was added." in message(program))
    assert all(name in message(program) for name in [*names, "empty is not a model"])
    assert page_of(program).details._message.property("kind") == "error"
    drop(target, folder)
    program.qtbot.waitUntil(lambda: message(program) == "Whole was here already.")


def test_another_archive_is_refused_as_what_it_is(make_program: MakeProgram, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "code.zip", "w") as archive:
        archive.writestr("settings.json", "{}")
    program = make_program().start()
    drop(program.window.composer, tmp_path / "code.zip")
    program.qtbot.waitUntil(lambda: "code.zip is not a text file" in program.banner("attachment"))


@pytest.mark.parametrize("place", PLACES)
def test_what_cannot_be_looked_at_keeps_nothing_else_from_its_place(
    make_program: MakeProgram, tmp_path: Path, place: str
) -> None:
    folder = make_folder(tmp_path / "good")
    program = make_program().start()
    drop(place_in(program, place), tmp_path / ("x" * 300), tmp_path / ("x" * 300 + ".json"), folder)
    program.qtbot.waitUntil(lambda: "good was added." in message(program))
