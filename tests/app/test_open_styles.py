"""What is open in a growing paragraph is shown as it will most likely end."""

import pytest

from app.blocks import Prose
from app.markdown import parse
from app.open_styles import closed


def shown(text: str) -> list[tuple[str, str]]:
    block = parse(text)[-1]
    assert isinstance(block, Prose)
    return [
        (span.text, "".join(sign for sign, on in zip("bic", (span.bold, span.italic, span.code), strict=True) if on))
        for span in closed(block, text).spans
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a **bo", [("a ", ""), ("bo", "b")]),
        ("a **", [("a ", "")]),
        ("a *it", [("a ", ""), ("it", "i")]),
        ("a `co", [("a ", ""), ("co", "c")]),
        ("- **`co", [("co", "bc")]),
        ("**bold `code` mo", [("bold ", "b"), ("code", "bc"), (" mo", "b")]),
        ("see [the docs](https://exam", [("see ", ""), ("the docs", "")]),
        ("see [the docs]", [("see ", ""), ("the docs", "")]),
        ("**done** and", [("done", "b"), (" and", "")]),
    ],
)
def test_open_styles_are_closed(text: str, expected: list[tuple[str, str]]) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize("text", ["2 * 3", "2 ** 3", "a*b", "snake_case", "\\*not", "\\[x](y", "x = y[0]", "don`t"])
def test_what_is_no_opener_stays(text: str) -> None:
    block = parse(text)[-1]
    assert isinstance(block, Prose)
    assert closed(block, text) == block


def test_places_stay_true() -> None:
    text = "one **two `three` fo"
    block = parse(text)[-1]
    assert isinstance(block, Prose)
    for span in closed(block, text).spans:
        assert text[span.start : span.start + len(span.text)] == span.text
