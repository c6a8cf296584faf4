"""Syntax colours: readable in both themes, right at the end of a stream, cheap on the way."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.highlight import COLOURS, WINDOW, settled, tokens
from app.theme import DARK, LIGHT, Theme


def contrast(a: str, b: str) -> float:
    """WCAG 2 contrast ratio of two colours."""
    high, low = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_colour_can_be_read_on_code_and_on_accepted_tokens(theme: Theme) -> None:
    assert COLOURS[theme.name].keys() == COLOURS["light"].keys()
    for colour in (*COLOURS[theme.name].values(), theme.text):
        assert contrast(colour, theme.raised) >= 4.5
        assert contrast(colour, theme.accent_soft) >= 4.5


def test_python() -> None:
    code = "def merge(a):\n    return 'x'  # why\n"
    kinds = {code[t.start : t.start + t.length].strip(): t.kind for t in tokens("python", code)}
    wanted = {"def": "keyword", "merge": "function", "return": "keyword", "# why": "comment"}
    assert kinds | wanted == kinds
    assert "string" in kinds.values()


@pytest.mark.parametrize("language", ["", "no-such-language", "text"])
def test_unknown_languages_are_plain(language: str) -> None:
    assert tokens(language, "def x(): pass") == []


@pytest.mark.parametrize("language", ["Python", "C++", "js", "bash", "json", "diff", "html", "sql", "rust"])
def test_names_that_models_write_are_known(language: str) -> None:
    assert tokens(language, '-1 "x" // <a> select 1\n+2 fn if\n@@ -1 +1 @@\n')


def test_places_count_from_the_beginning() -> None:
    code = "x = 'a'\ny = 'b'\n"
    late = tokens("python", code, start=8)
    assert late == [t for t in tokens("python", code) if t.start >= 8]
    assert late


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(["x = 1\n", "    y\n", "\n", "def f():\n", "z" * 200 + "\n", "part"]), max_size=120))
def test_reading_begins_at_a_line_and_not_far_back(lines: list[str]) -> None:
    text, at = "", 0
    for line in lines:
        text += line
        at, before = settled(text, at), at
        assert at >= before
        assert at == 0 or text[at - 1] == "\n"
        assert len(text) - at <= WINDOW + 201
