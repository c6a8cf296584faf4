"""What an import says at its end: what was taken in of what was chosen, and what was left out and why."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from app.language import Interface
from tests.app.chinese import chinese
from tests.app.conftest import MakeProgram
from tests.app.program import Program

assert chinese  # the fixture

FILES = {
    "one.json": json.dumps({"messages": [{"role": "user", "content": "One?"}]}),
    "two.jsonl": json.dumps({"messages": [{"role": "user", "content": "Two?"}]}) + "\nbroken",
    "notes.txt": "Milk, eggs",
    "empty.json": "[]",
}


@pytest.fixture
def program(make_program: MakeProgram, tmp_path: Path) -> Program:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return make_program().start()


def imported(program: Program, folder: Path, names: Sequence[str]) -> tuple[str, list[str]]:
    """What stands above, and in the list of what was left out."""
    with program.qtbot.waitSignal(program.application.transfer.imported):
        dialog = program.application.transfer.import_from([folder / name for name in names])
    dialog.close()
    return dialog.title.text(), [dialog.skipped.item(row).text() for row in range(dialog.skipped.count())]


BROKEN = "two.jsonl, line 2: it is no JSON"
STRANGE = "notes.txt: it is no JSON"
GONE = "gone.json cannot be read (No such file or directory)."


@pytest.mark.parametrize(
    ("names", "title", "left_out"),
    [
        (["one.json"], "one.json was imported.", []),
        (["one.json", "two.jsonl"], "2 files were imported.", [BROKEN]),
        (["one.json", "gone.json"], "1 of 2 files was imported.", [GONE]),
        (["one.json", "notes.txt", "two.jsonl"], "2 of 3 files were imported.", [STRANGE, BROKEN]),
        (["notes.txt", "gone.json"], "Nothing in 2 files could be imported.", [STRANGE, GONE]),
        (["empty.json"], "Nothing in empty.json could be imported.", ["empty.json: it holds no chats"]),
    ],
)
def test_what_was_taken_in_and_what_was_left_out(
    program: Program, tmp_path: Path, names: list[str], title: str, left_out: list[str]
) -> None:
    assert imported(program, tmp_path, names) == (title, left_out)


def test_nothing_new_is_said_of_what_could_be_read(program: Program, tmp_path: Path) -> None:
    imported(program, tmp_path, ["one.json", "two.jsonl"])
    assert imported(program, tmp_path, ["one.json"])[0] == "Nothing in one.json was new."
    some = "2 of 3 files could be read, and nothing in them was new."
    assert imported(program, tmp_path, ["one.json", "two.jsonl", "notes.txt"])[0] == some
    single = "1 of 2 files could be read, and nothing in it was new."
    assert imported(program, tmp_path, ["one.json", "gone.json"])[0] == single


def test_in_chinese_too(chinese: Interface, program: Program, tmp_path: Path) -> None:
    title, left_out = imported(program, tmp_path, ["one.json", "empty.json"])
    assert title == "2 个文件中已导入 1 个。" and left_out == ["empty.json：其中没有对话"]


@pytest.mark.parametrize(("form", "kind"), [("markdown", "Markdown (*.md)"), ("json", "JSON (*.json)")])
def test_a_chat_is_exported_as_the_kind_of_file_that_is_named(
    form: str, kind: str, program: Program, tmp_path: Path
) -> None:
    imported(program, tmp_path, ["one.json"])
    chat = program.application.chats.rows()[0].id
    program.application.transfer.ask_for_export(chat, form)
    dialog = program.window.findChild(QFileDialog)
    assert dialog is not None and dialog.nameFilters() == [kind]
    written = tmp_path / "kept"
    dialog.fileSelected.emit(str(written))
    dialog.done(0)
    target = written.with_suffix(kind.rpartition("*")[2].rstrip(")"))
    program.qtbot.waitUntil(lambda: target.is_file() and "One?" in target.read_text())
