"""Formulas: what is one, what stays text, and how they stand in a reply."""

import pytest
from PySide6.QtWidgets import QApplication

from app.blocks import Formula, Prose
from app.chat_message import ChatMessage
from app.markdown import parse
from app.markdown_stream import MarkdownStream
from app.mathematics import is_formula, picture_of
from app.views.transcript import Transcript


def formulas(text: str) -> list[str]:
    found = []
    for block in parse(text):
        spans = block.spans if isinstance(block, Prose) else (block.span,) if isinstance(block, Formula) else ()
        found += [span.formula for span in spans if span.formula]
        assert all(text[s.start : s.start + len(s.text)] == s.text for s in spans if s.formula)
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("so $x_1 + x_2$ is", ["x_1 + x_2"]),
        (r"so \(a*b*c\) and \[d\] is", ["a*b*c", "d"]),
        ("so $$e=mc^2$$ is", ["e=mc^2"]),
        ("$$\ne = mc^2\n$$", ["e = mc^2"]),
        ("words\n\\[\n\\frac{1}{2}\n\\]\nwords", [r"\frac{1}{2}"]),
        ("- item\n  $$a$$\n- $b$", ["a", "b"]),
        ("公式 $a$，和 $b$。", ["a", "b"]),
        ("p in $[0,1]$", ["[0,1]"]),
    ],
)
def test_formulas_are_found(text: str, found: list[str]) -> None:
    assert formulas(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "$5 and $6", "It costs US$5 or US$6.", "from $5-$6", "$5, or 10$", "$ x $", "`$x$`", "\\$x$ and \\$y$", "a $ b",
        "$HOME and $PATH", "```\n$x$\n```", "$$", "$x", "$$\nx", r"wrong $\frac{1$ here", r"\(\nosuchthing\)",
    ],
)  # fmt: skip
def test_what_is_no_formula_stays_as_it_was_written(text: str) -> None:
    assert formulas(text) == []
    shown = "".join(block.text for block in parse(text) if isinstance(block, Prose))
    if "`" not in text and "\\$" not in text:
        assert shown == text


def test_wrong_or_endless_tex_is_refused_and_nothing_raises() -> None:
    for tex in (r"\frac{1", "x_{", "}", "", "{" * 3000, "x" * 5000, r"\left(", r"\begin{aligned}", "a & b", "速"):
        assert not is_formula(tex) or picture_of(tex, 16, "#000000", display=True) is not None


def test_a_picture_has_only_paths_and_its_size() -> None:
    small, large = (picture_of(r"\frac{a}{b}", size, "#123456", display=True) for size in (15.0, 30.0))
    assert small is not None and large is not None
    assert b"#123456" in small.svg and b"<image" not in small.svg and b"href" not in small.svg
    assert 1.8 < large.height / small.height < 2.2
    assert 0 < small.depth < small.height


TEXT = "A $\\frac{a}{b}$ and\n\n$$\n\\sum_i x_i\n$$\n\n| a |\n|---|\n| $x$ |\n\nend \\(y\\)."


def test_a_streamed_reply_ends_as_one_read_at_once(transcript: Transcript) -> None:
    for step in (1, 3):
        stream = MarkdownStream()
        for at in range(0, len(TEXT), step):
            stream.append(TEXT[at : at + step])
        assert stream.blocks == parse(TEXT)
    reply = ChatMessage("assistant", "", state="streaming")
    transcript.show_messages([reply])
    for at in range(0, len(TEXT), 2):
        reply.text = TEXT[: at + 2]
        transcript.extend(reply.id)
    reply.text, reply.state = TEXT, "finished"
    transcript.finish(reply.id)
    grown = transcript.messages.views[0]
    texts = [surface.document.toPlainText() for surface in grown.selection.surfaces]
    transcript.show_messages([ChatMessage("assistant", TEXT)])
    assert texts == [surface.document.toPlainText() for surface in transcript.messages.views[0].selection.surfaces]


def test_what_is_selected_has_the_source(transcript: Transcript) -> None:
    transcript.show_messages([ChatMessage("assistant", TEXT)])
    view = transcript.messages.views[0]
    view.selection.select_all()
    selected = view.selection.text()
    for source in ("A $\\frac{a}{b}$ and", "$$\n\\sum_i x_i\n$$", "$x$", "end \\(y\\)."):
        assert source in selected
    view.copy_message()
    assert QApplication.clipboard().text() == TEXT


def test_formulas_grow_with_the_text(transcript: Transcript) -> None:
    transcript.show_messages([ChatMessage("assistant", TEXT)])
    height = transcript.messages.views[0].height()
    transcript.set_zoom(200)
    assert transcript.messages.views[0].height() > 1.6 * height
    transcript.set_zoom(100)
    assert transcript.messages.views[0].height() == height
