"""Every text of the window has its Chinese, and nothing that a person sees gets past `tr`."""

import ast
from pathlib import Path

import pytest
import translations
from PySide6.QtCore import QTranslator

from app.language import CONTEXT

APP = translations.ROOT / "app"
# What shows its arguments to a person: calls by name, with the places of the arguments that are texts.
SHOWN = {
    **dict.fromkeys(("setText", "setToolTip", "setWindowTitle", "setAccessibleName", "setAccessibleDescription"), 0),
    **dict.fromkeys(("setPlaceholderText", "setTitle", "setStatusTip", "setLabelText", "setInformativeText"), 0),
    **dict.fromkeys(("addAction", "addItem", "addMenu", "setHeaderText", "setTabText", "addTab"), 0),
    **dict.fromkeys(("QLabel", "QPushButton", "QCheckBox", "QToolButton", "QGroupBox", "QRadioButton", "QAction"), 0),
}
WORDLESS = {"Foreword", "Foreword Foreword", "Esc", "K = ", "K"}  # the same in every language


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return translations.sources()


def test_every_text_has_its_chinese_and_nothing_is_stale(texts: dict[str, str]) -> None:
    assert translations.problems(texts, translations.read()) == []


def test_what_is_shipped_is_what_the_source_says(texts: dict[str, str]) -> None:
    translator = QTranslator()
    assert translator.load(str(translations.QM))
    written = translations.read()
    differing = [text for text in texts if translator.translate(CONTEXT, text) != written[text]]
    assert not differing, "run packaging/translations.py"


def test_problems_are_found() -> None:
    texts = {"{n} chats": "a", "new": "b", "Old": "c"}
    found = translations.problems(texts, {"{n} chats": "{m} 个对话", "Old": "旧", "gone": "没了"})
    assert len(found) == 3 and all(part in "".join(found) for part in ("new", "gone", "{m}"))


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.ts"
    translations.write({"A <b> & c": "x.py", "B": "x.py"}, {"A <b> & c": "甲\n乙"}, path)
    assert translations.read(path) == {"A <b> & c": "甲\n乙", "B": ""}


def _words(node: ast.expr) -> str:
    """The letters a person would read of an argument that is written here, outside `tr`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_words(part) for part in node.values if isinstance(part, ast.Constant))
    if isinstance(node, ast.IfExp):
        return _words(node.body) + _words(node.orelse)
    if isinstance(node, ast.BoolOp):
        return "".join(_words(value) for value in node.values)
    if isinstance(node, ast.BinOp):
        return _words(node.left) + _words(node.right)
    return ""


def test_no_text_gets_past_the_translation() -> None:
    passed = []
    for path in sorted(APP.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in SHOWN:
                words = _words(node.args[0])
                if words not in WORDLESS and any(letter.isalpha() for letter in words):
                    passed.append(f"{path.name}:{node.lineno}: {words!r}")
    assert not passed


def test_texts_are_literals_and_asked_for_when_the_language_is_known() -> None:
    wrong = []
    for path in sorted(APP.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            asked = isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("tr", "mark")
            if asked and (len(node.args) != 1 or isinstance(node.args[0], ast.JoinedStr)):
                wrong.append(f"{path.name}:{node.lineno}: one literal, filled in afterwards")
            if isinstance(node, ast.Attribute) and node.attr == "tr" and getattr(node.value, "id", "") == "self":
                wrong.append(f"{path.name}:{node.lineno}: app.language.tr is the one way")
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.If):
                continue
            for node in ast.walk(statement):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr":
                    wrong.append(f"{path.name}:{node.lineno}: asked for while the module is imported; use mark")
    assert not wrong
