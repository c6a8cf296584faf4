"""What an import leaves out is said in the person's language."""

import ast
import re
from pathlib import Path

import pytest

import app.importing
from app.error_texts import in_words
from app.language import Interface
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


def test_the_dialog_says_it(chinese: Interface, make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text("broken\n")
    program = make_program().start()
    with program.qtbot.waitSignal(program.application.transfer.imported):
        dialog = program.application.transfer.import_from([tmp_path / "in.jsonl"])
    assert dialog.skipped.item(0).text() == "in.jsonl 第 1 行：不是 JSON（Expecting value）"
    dialog.close()
