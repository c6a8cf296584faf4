"""README says what the program does: no shortcut, option or variable is missing, and none is invented."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def strings(*paths: Path) -> list[str]:
    """Every string in these Python files."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def test_every_shortcut() -> None:
    pattern = re.compile(r"(?:(?:Ctrl|Shift)\+)+\S+|F\d+|Del")
    real = {text for text in strings(*ROOT.glob("app/views/*.py")) if pattern.fullmatch(text)}
    section = README[README.index("## Keyboard") : README.index("## Where things are")]
    told = {key for key in re.findall(pattern, section) for key in [key.removesuffix(","), key]}
    real = {key.replace("Return", "Enter") for key in real}
    assert real <= told
    assert {key.removesuffix(",") for key in told} <= {key.removesuffix(",") for key in real}


def test_every_option() -> None:
    real = {text for text in strings(ROOT / "app" / "options.py") if re.fullmatch(r"--[a-z0-9-]+", text)}
    table = README[README.index("| argument |") : README.index("| variable |")]
    assert real == set(re.findall(r"^\| `(--[a-z0-9-]+)", table, re.MULTILINE))


def test_every_variable() -> None:
    sources = [path for folder in ("app", "inference", "packaging") for path in (ROOT / folder).rglob("*.py")]
    real = {text for text in strings(*sources) if re.fullmatch(r"FOREWORD_[A-Z_]+", text)}
    assert real
    assert real == set(re.findall(r"FOREWORD_[A-Z_]+", README))


def test_every_link_leads_somewhere() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if ":" not in link]
    assert links and all((ROOT / link).exists() for link in links)
