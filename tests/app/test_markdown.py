"""Markdown to blocks: what is understood, where each piece stands, and that arriving in pieces changes nothing."""

from collections.abc import Iterator
from itertools import cycle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.blocks import Block, Code, Place, Prose, Rule, Span, Table
from app.markdown import parse, parse_plain
from app.markdown_stream import MarkdownStream

PIECES = [
    "a", "b c", "Words, and more.", "\n", "\n\n", "    ", "  ", "- ", "* ", "1. ", "2) ", "\n3. x\n", "\n- x\n", "# ",
    "```", "```py\n", "~~~", "> ", "---", "===", "| a | b |", "|--|--|", "\t", "`", "**", "_", "[x](http://a.b)",
    "![i](u)", "<b>", "&amp;", "\\*", "\r\n", "\r", "中文。", "🙂", "~~", "|", "<http://a.b>", "\0", "[ ] ",
]  # fmt: skip
DEFINITIONS = ["[a]: http://x.y\n", "[a]", "[a]: http://x.y\n'title", "'"]
texts = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
texts_with_definitions = st.lists(st.sampled_from(PIECES + DEFINITIONS), max_size=40).map("".join)
steps = st.lists(st.integers(1, 6), min_size=1, max_size=8)


def prose(block: Block) -> Prose:
    assert isinstance(block, Prose)
    return block


def grow(text: str, sizes: list[int]) -> Iterator[tuple[list[Block], int, int]]:
    """The blocks after each piece, how many of them are sealed, and how far the text got."""
    stream, at = MarkdownStream(), 0
    for size in cycle(sizes):
        if at >= len(text):
            return
        stream.append(text[at : at + size])
        at = min(at + size, len(text))
        yield list(stream.blocks), stream.sealed, at


def test_styles_and_places() -> None:
    text = "Some *slanted*, **strong**, ~~gone~~ and `code` words"
    spans = prose(parse(text)[0]).spans
    assert [s.text for s in spans if s.italic] == ["slanted"]
    assert [s.text for s in spans if s.bold] == ["strong"]
    assert [s.text for s in spans if s.struck] == ["gone"]
    assert [s.text for s in spans if s.code] == ["code"]
    assert all(text[s.start : s.start + len(s.text)] == s.text for s in spans)


def test_lists_are_flat_and_know_their_place() -> None:
    blocks = parse("3. three\n4. four\n   - inner\n\n     more\n5. five\n\n> quoted\n> - item")
    assert [(prose(b).text, b.place.containers, b.place.marker) for b in blocks] == [
        ("three", ("list",), "3."),
        ("four", ("list",), "4."),
        ("inner", ("list", "list"), "•"),
        ("more", ("list", "list"), ""),
        ("five", ("list",), "5."),
        ("quoted", ("quote",), ""),
        ("item", ("quote", "list"), "•"),
    ]


def test_an_item_without_text_keeps_its_bullet() -> None:
    assert [b.place.marker for b in parse("-\n- - a\n")] == ["•", "•", "•"]


def test_tasks() -> None:
    blocks = parse("- [x] done\n- [ ] open\n- [y] neither")
    assert [(b.place.marker, prose(b).text) for b in blocks] == [("☑", "done"), ("☐", "open"), ("•", "[y] neither")]
    assert prose(blocks[0]).spans[0].start == 6


def test_code_knows_where_each_line_stands() -> None:
    text = "1. see\n\n   ```py\n   x = 1\n\n     y\n   ```\n\n    indented\n"
    found = [b for b in parse(text) if isinstance(b, Code)]
    assert found[0].text == "x = 1\n\n  y"
    assert found[0].language == "py"
    for code in found:
        lines = code.text.split("\n")
        assert [text[s : s + len(line)] for s, line in zip(code.starts, lines, strict=True)] == lines


@pytest.mark.parametrize("info", ["python", "python title=x", "{.python}", " python "])
def test_language_of_a_fence(info: str) -> None:
    assert parse(f"```{info}\nx\n```") == [Code("x", "python", (len(info) + 4,))]


def test_table() -> None:
    table = parse("| a | b |\n|:-:|--:|\n| `x` | y \\| z |\n| only |\n")[0]
    assert isinstance(table, Table)
    assert table.alignments == ("center", "right")
    assert ["".join(s.text for s in cell) for cell in table.rows[1]] == ["x", "y | z"]
    assert table.rows[1][0] == (Span("x", 23, code=True),)


def test_html_is_text_and_nothing_is_loaded() -> None:
    source = 'A <b>bold</b> <script src="http://e.v/il.js"></script>\n\n<div onclick="x()">\n\n![alt](http://e.v/i.png)'
    blocks = parse(source)
    assert prose(blocks[0]).text.startswith('A <b>bold</b> <script src="http')
    assert prose(blocks[1]).text == '<div onclick="x()">'
    assert prose(blocks[2]).spans == (
        Span("alt", source.index("alt"), link="http://e.v/i.png"),
        Span(" (http://e.v/i.png)"),
    )


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "javascript:x()", "data:text/html,x", "steam://run/1", "x/y"]
)
def test_only_web_and_mail_addresses_are_links(address: str) -> None:
    assert all(not span.link for span in prose(parse(f"[here]({address})")[0]).spans)
    assert prose(parse("[here](mailto:a@b.c)")[0]).spans[0].link == "mailto:a@b.c"


def test_text_behind_a_link_is_not_looked_for_inside_it() -> None:
    text = '[a](http://b.c/x "b") b `b` <http://b.d> b'
    spans = prose(parse(text)[0]).spans
    assert all(text[s.start : s.start + len(s.text)] == s.text for s in spans)
    assert [s.start for s in spans] == sorted(s.start for s in spans)
    assert spans[-1].start == len(text) - 2


def test_rule_and_headings() -> None:
    blocks = parse("# One\n\nTwo\n---\n\n***\n")
    assert [type(b) for b in blocks] == [Prose, Prose, Rule]
    assert [prose(b).level for b in blocks[:2]] == [1, 2]


def test_what_a_person_typed_is_kept_as_written() -> None:
    text = "  *not* <b>\n\n   - list\n```py\n  x\n```\n# after"
    blocks = parse_plain(text)
    assert [type(b) for b in blocks] == [Prose, Code, Prose]
    assert prose(blocks[0]).text == "  *not* <b>\n\n   - list"
    assert isinstance(blocks[1], Code) and (blocks[1].text, blocks[1].language) == ("  x", "py")
    assert prose(blocks[2]).text == "# after"
    assert parse_plain(" \n ") == []


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet=st.sampled_from("a `~\n"), max_size=60))
def test_no_letter_that_was_typed_is_lost(text: str) -> None:
    shown = "".join(b.text if isinstance(b, Code) else prose(b).text for b in parse_plain(text))
    inside = text.replace("`", "").replace("~", "")
    assert shown.replace("`", "").replace("~", "").count("a") >= inside.count("a") - _in_info_lines(text)


def _in_info_lines(text: str) -> int:
    return sum(line.count("a") for line in text.split("\n") if line.startswith(("```", "~~~")))


@settings(deadline=None, max_examples=300)
@given(texts, steps)
@example("`\r\n`b c", [1])
def test_growing_shows_at_every_moment_what_the_whole_would(text: str, sizes: list[int]) -> None:
    for blocks, _, at in grow(text, sizes):
        assert blocks == parse(text[:at])


@settings(deadline=None, max_examples=300)
@given(texts, steps)
def test_sealed_blocks_never_change(text: str, sizes: list[int]) -> None:
    before: list[Block] = []
    for blocks, sealed, _ in grow(text, sizes):
        assert blocks[: len(before)] == before
        assert sealed >= len(before)
        before = blocks[:sealed]


@settings(deadline=None, max_examples=300)
@given(texts_with_definitions, steps)
def test_the_end_is_the_same_however_it_arrived(text: str, sizes: list[int]) -> None:
    stream = MarkdownStream()
    before = 0
    for _, _, at in grow(text, sizes):
        stream.append(text[before:at])
        before = at
    stream.finish()
    assert stream.text == text
    assert stream.blocks == parse(text)
    assert stream.sealed == len(stream.blocks)


@settings(deadline=None, max_examples=300)
@given(texts)
def test_every_place_is_true(text: str) -> None:
    for block in parse(text):
        if isinstance(block, Prose):
            for span in block.spans:
                plain = not set("\\&") & set(text)
                if span.start >= 0 and plain:
                    assert text[span.start : span.start + len(span.text)] == span.text
        elif isinstance(block, Code):
            for line, start in zip(block.text.split("\n"), block.starts, strict=bool(block.text)):
                assert start == -1 or text[start : start + len(line)] == line


def test_a_definition_after_its_use_is_put_right_at_the_end() -> None:
    stream = MarkdownStream()
    for character in "see [here]\n\nmore\n\n[here]: http://x.y\n":
        stream.append(character)
    assert all(not span.link for span in prose(stream.blocks[0]).spans)
    assert stream.finish()
    assert prose(stream.blocks[0]).spans[-1].link == "http://x.y"


def test_an_open_fence_is_code_already() -> None:
    stream = MarkdownStream()
    stream.append("Look:\n\n```python\nprint(1)\nprint(")
    assert stream.blocks[-1] == Code("print(1)\nprint(", "python", (17, 26))


def test_a_fence_within_a_longer_fence_does_not_close_it() -> None:
    stream = MarkdownStream()
    for piece in ("````md\n", "```py\n", "x\n", "``", "`\n", "y\n", "````", "\nafter"):
        stream.append(piece)
    assert [b.text if isinstance(b, Code) else prose(b).text for b in stream.blocks] == ["```py\nx\n```\ny", "after"]


def test_a_long_list_is_sealed_item_by_item() -> None:
    stream = MarkdownStream()
    for number in range(50):
        stream.append(f"1. item {number}\n")
    assert stream.sealed >= 48
    assert [b.place for b in stream.blocks] == [Place(("list",), f"{n}.") for n in range(1, 51)]
