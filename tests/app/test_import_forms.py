"""What an import leaves out is said in the person's language."""

import ast
import json
import re
import zipfile
from pathlib import Path

import pytest

import app.importing
from app.error_texts import in_words, told
from app.exporting.chat_json import FORMAT
from app.importing.found import Skipped
from app.importing.source import read
from app.language import Interface
from inference.errors import UserError
from tests.app.chinese import chinese
from tests.app.conftest import MakeProgram

assert chinese  # the fixture


def reasons() -> list[str]:
    """Every text that stands where a reason does, with x for what is filled in."""
    found = []
    for path in sorted(Path(app.importing.__path__[0]).glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        texts = [call.args[-1] for call in calls if getattr(call.func, "id", "") == "Skipped" and call.args]
        texts += [call.args[0] for call in calls if getattr(call.func, "attr", "") == "_leave_out"]
        keys = [node.slice for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
        texts += [key for key in keys if isinstance(key, ast.JoinedStr) or _is_words(key)]
        found += [_filled(text) for text in texts if isinstance(text, ast.Constant | ast.JoinedStr)]
    return found


def _is_words(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value


def _filled(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "x" for part in node.values)
    assert isinstance(node, ast.Constant)
    return str(node.value)


def test_every_reason_has_its_chinese(chinese: Interface) -> None:
    assert len(reasons()) > 10
    english = [text for text in reasons() if not re.search("[\u4e00-\u9fff]", in_words(text)) and text != "x × x"]
    assert not english


@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("in.jsonl, line 2", "in.jsonl 第 2 行"),
        ("3 × picture or file", "3 × 图片或文件"),
        ('1 × message of "tool"', "1 × “tool”的消息"),
    ],
)
def test_places_and_counts_too(chinese: Interface, english: str, said: str) -> None:
    assert in_words(english) == said


CHAT = {"messages": [{"role": "user", "content": "Why?"}]}
NODE = {"message": {"author": {"role": "user"}, "content": 5}}


@pytest.mark.parametrize(
    "content",
    [
        "broken",
        '{"messages": [',
        "[1, 2",
        '[{"messages": [{"role": "user", "content": "Why?"}]} {"a": 1}]',
        '{"messages": "\\x"}',
        '["unended',
        "[" * 100_000,
        json.dumps({"mapping": {"a": 5}}),
        json.dumps({"mapping": {"a": NODE}, "current_node": "a"}),
        json.dumps({"messages": [{"versions": 7}]}),
        json.dumps({"format": FORMAT, "version": 1, "chats": [{"id": 5}, 7]}),
        json.dumps({"format": FORMAT, "version": 1_000_000, "chats": []}),
        json.dumps({"somebody": "else"}),
    ],
)
@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_no_word_of_python_stands_in_a_reason(chinese: Interface, tmp_path: Path, content: str, ending: str) -> None:
    (tmp_path / f"in.{ending}").write_text(content)
    said = [in_words(found.why) for found in read(tmp_path / f"in.{ending}") if isinstance(found, Skipped)]
    assert said
    for reason in said:
        assert set(re.findall("[A-Za-z]+", reason)) <= {"JSON", "Foreword"}, reason


def test_a_damaged_file_has_no_word_of_it_either(chinese: Interface, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("conversations.json", "[]")
    whole = (tmp_path / "a.zip").read_bytes()
    (tmp_path / "a.zip").write_bytes(whole.replace(b"PK\x01\x02", b"PK\x09\x09"))
    with pytest.raises(UserError) as refused:
        list(read(tmp_path / "a.zip"))
    assert told(refused.value) == "a.zip 已损坏。请重新下载。"


def test_the_dialog_says_it(chinese: Interface, make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text("broken\n")
    program = make_program().start()
    with program.qtbot.waitSignal(program.application.transfer.imported):
        dialog = program.application.transfer.import_from([tmp_path / "in.jsonl"])
    assert dialog.skipped.item(0).text() == "in.jsonl 第 1 行：不是 JSON"
    dialog.close()
