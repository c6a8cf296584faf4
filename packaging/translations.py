"""Keeps the Chinese texts of the window: `python packaging/translations.py` collects every English text of the program
into assets/translations/foreword_zh_CN.ts, says which have no Chinese yet and which are gone, and compiles the file.

Texts are the literal arguments of `tr` and `mark` in app/ (Qt's own lupdate knows no plain functions), the table of
settings, the names of the shipped presets, and the remarks of the catalogue.
"""

import ast
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TS = ROOT / "assets" / "translations" / "foreword_zh_CN.ts"
QM = TS.with_suffix(".qm")
CONTEXT = "Foreword"
FUNCTIONS = ("tr", "mark")


def literals(source: str) -> list[str]:
    """The literal arguments of `tr` and `mark` in a module's source, in order."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    texts = [
        (call.lineno, call.col_offset, call.args[0].value)
        for call in calls
        if isinstance(call.func, ast.Name)
        and call.func.id in FUNCTIONS
        and len(call.args) == 1
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
    ]
    return [text for _, _, text in sorted(texts)]


def sources() -> dict[str, str]:
    """Every English text, and the file it was found in first."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "app").rglob("*.py")):
        for text in literals(path.read_text(encoding="utf-8")):
            found.setdefault(text, path.relative_to(ROOT).as_posix())
    for text in settings_texts():
        found.setdefault(text, "app/settings.py")
    for name, key in (("presets", "name"), ("catalogue", "note")):
        path = ROOT / "assets" / f"{name}.toml"
        for entry in next(iter(tomllib.loads(path.read_text(encoding="utf-8")).values())):
            if entry.get(key):
                found.setdefault(entry[key], path.relative_to(ROOT).as_posix())
    return found


def settings_texts() -> Iterable[str]:
    from app.setting_rules import Choice
    from app.settings import TABLE

    for setting in TABLE:
        yield setting.label
        yield setting.help
        if isinstance(setting.rule, Choice):
            yield from (label for _, label in setting.rule.options)


def placeholders(text: str) -> list[str]:
    return sorted(re.findall(r"{(\w*)[^{}]*}", text))


def read(path: Path = TS) -> dict[str, str]:
    """The translations by their source."""
    if not path.exists():
        return {}
    messages = ET.fromstring(path.read_text(encoding="utf-8")).iter("message")  # noqa: S314 (our own file)
    return {message.findtext("source", ""): message.findtext("translation", "") for message in messages}


def write(texts: Mapping[str, str], translations: Mapping[str, str], path: Path = TS) -> None:
    """texts: source and the file it stands in."""
    tree = ET.Element("TS", version="2.1", language="zh_CN", sourcelanguage="en")
    context = ET.SubElement(tree, "context")
    ET.SubElement(context, "name").text = CONTEXT
    for source, file in sorted(texts.items(), key=lambda item: (item[1], item[0])):
        message = ET.SubElement(context, "message")
        ET.SubElement(message, "location", filename=file)
        ET.SubElement(message, "source").text = source
        translation = ET.SubElement(message, "translation")
        if translations.get(source):
            translation.text = translations[source]
        else:
            translation.set("type", "unfinished")
    ET.indent(tree)
    body = ET.tostring(tree, encoding="unicode")
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8")


def problems(texts: Mapping[str, str], translations: Mapping[str, str]) -> list[str]:
    """What keeps the translation from being whole."""
    found = [f"no Chinese: {text!r} ({file})" for text, file in texts.items() if not translations.get(text)]
    found += [f"no longer in the program: {text!r}" for text in translations if text not in texts]
    for text, translation in translations.items():
        if translation and placeholders(text) != placeholders(translation):
            found.append(f"other placeholders: {text!r}, {translation!r}")
    return found


def release(ts: Path = TS, qm: Path = QM) -> None:
    """Compile with the lrelease that PySide6-Essentials carries."""
    import PySide6

    folder = Path(PySide6.__file__).parent
    tool = next(path for path in (folder / "lrelease", folder / "lrelease.exe") if path.exists())
    subprocess.run([tool, "-silent", "-nounfinished", str(ts), "-qm", str(qm)], check=True)


def main() -> int:
    texts, translations = sources(), read()
    found = problems(texts, translations)
    write(texts, translations)
    release()
    print("\n".join([*found, f"{len(texts)} texts"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
