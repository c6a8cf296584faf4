"""Markdown to blocks: CommonMark, tables, strikethrough. HTML stays text, images become links, nothing is loaded."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, repeat
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, autolink, backtick, image, link
from markdown_it.token import Token

from app.bare_links import bare_links
from app.blocks import BULLET, Alignment, Block, Code, Container, Formula, Place, Prose, Rule, Span, Table
from app.markdown_math import add_mathematics

Environment = MutableMapping[str, Any]  # link reference definitions seen so far

_LINE_END = re.compile(r"\r\n?|\n")
_LANGUAGE = re.compile(r"[\w+#.\-]+")
_FENCE = re.compile(r"^(`{3,}|~{3,})([^`\n]*)\n(.*?)(?:^\1[`~]*[ \t]*$\n?|\Z)", re.MULTILINE | re.DOTALL)
_TASK = re.compile(r"\[([ xX])\] ")
LONGEST_ADDRESS = 120  # that is shown of a picture's
_OPENABLE = re.compile(r"(https?|mailto):", re.IGNORECASE)


@dataclass(frozen=True)
class Section:
    """One top-level construct, or one item of a top-level list: its blocks and the lines [first, last) it takes.

    number: of the item, where the list is numbered; 0 otherwise.
    """

    first_line: int
    last_line: int
    blocks: tuple[Block, ...]
    number: int = 0


def parse(text: str) -> list[Block]:
    """The blocks of a whole text."""
    return [block for section in parse_sections(text, 0, {}) for block in section.blocks]


def parse_plain(text: str) -> list[Block]:
    """What a person typed: kept as written, only fenced code becomes a code block."""
    blocks: list[Block] = []
    at = 0
    for found in _FENCE.finditer(text):
        blocks += _as_written(text, at, found.start())
        code = found[3].removesuffix("\n")
        starts = found.start(3) + line_starts(code)
        blocks.append(Code(code, _language(found[2]), starts.offsets))
        at = found.end()
    return blocks + _as_written(text, at, len(text))


def _as_written(text: str, start: int, end: int) -> list[Block]:
    piece = text[start:end]
    stripped = piece.strip("\r\n")
    if not stripped.strip():
        return []
    return [Prose((Span(stripped, start + piece.index(stripped)),))]


@dataclass(frozen=True)
class LineStarts:
    """Where each line begins. `complete` lines have their line end; a last lone carriage return may still grow."""

    offsets: tuple[int, ...]
    complete: int

    def __radd__(self, base: int) -> "LineStarts":
        return LineStarts(tuple(base + offset for offset in self.offsets), self.complete)

    def line_at(self, offset: int) -> int:
        return bisect_right(self.offsets, offset) - 1


def line_starts(text: str) -> LineStarts:
    offsets = (0, *(found.end() for found in _LINE_END.finditer(text)))
    return LineStarts(offsets, len(offsets) - 1 - text.endswith("\r"))


def parse_sections(text: str, base: int, env: Environment, number: int = 0) -> list[Section]:
    """The sections of `text`, which stands at `base` in the whole message. Definitions go into `env`.

    number: what a numbered list right at the beginning starts with, whatever it says there: it goes on from before.
    """
    reader = _Reader(text, base, number)
    sections: list[Section] = []
    for token in _parser().parse(text, env):
        reader.read(token)
        in_list = token.type in ("bullet_list_close", "ordered_list_close")
        ends = token.type == "list_item_close" if token.level == 1 else token.level == 0 and not in_list
        if ends and token.nesting <= 0:
            first, last = reader.lines
            sections.append(Section(first, last, tuple(reader.take()), reader.number))
    return sections


@cache
def _parser() -> MarkdownIt:
    """text_join would glue escapes and text together, and with them lose where each piece came from."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 60})
    parser.enable(["table", "strikethrough"]).disable(["text_join", "html_block", "html_inline"])
    add_mathematics(parser)
    for name, rule in {"link": link, "image": image, "autolink": autolink, "backticks": backtick}.items():
        parser.inline.ruler.at(name, _remembering(rule))
    return parser


def _remembering(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """The rule, keeping with its first token the text it consumed: what is behind a link must not be searched in it."""

    def remembering(state: StateInline, silent: bool) -> bool:
        position, tokens = state.pos, len(state.tokens)
        pending = bool(state.pending)
        matched = rule(state, silent)
        first = tokens + pending  # pending text is flushed before the rule's own first token
        if matched and not silent and len(state.tokens) > first:
            state.tokens[first].meta["source"] = state.src[position : state.pos]
        return matched

    return remembering


def _language(info: str) -> str:
    found = _LANGUAGE.search(info)
    return found[0].strip(".") if found else ""


class _Reader:
    """Walks the parser's tokens and collects blocks."""

    def __init__(self, text: str, base: int, number: int) -> None:
        self.lines = (0, 0)
        self.number = 0
        self._first_number = number
        self._text = text
        self._base = base
        self._starts = line_starts(text).offsets
        self._blocks: list[Block] = []
        self._containers: list[Container] = []
        self._markers: list[Iterator[str]] = []
        self._marker = ""
        self._level = 0
        self._rows: list[list[tuple[Span, ...]]] | None = None
        self._alignments: list[Alignment] = []
        self._cursor = 0

    def take(self) -> list[Block]:
        blocks, self._blocks = self._blocks, []
        return blocks

    def read(self, token: Token) -> None:
        if token.map is not None and (token.level == 0 or (token.level == 1 and token.type == "list_item_open")):
            self.lines = (token.map[0], token.map[1])
            self.number = 0
        match token.type:
            case "inline":
                self._inline(token)
            case "heading_open":
                self._level = int(token.tag[1:])
            case "heading_close":
                self._level = 0
            case "fence":
                self._code(token, _language(token.info), 1)
            case "code_block":
                self._code(token, "", 0)
            case "formula_block":
                self._formula(token)
            case "hr":
                self._blocks.append(Rule(self._place()))
            case "table_open" | "tr_open" | "th_open" | "table_close":
                self._table(token)
            case _:
                self._container(token)

    def _container(self, token: Token) -> None:
        match token.type:
            case "blockquote_open":
                self._flush_marker()
                self._containers.append("quote")
            case "bullet_list_open":
                self._first_number = 0
                self._markers.append(repeat(BULLET))
            case "ordered_list_open":
                start = self._first_number or int(token.attrs.get("start", 1))
                self._first_number = 0
                self._markers.append(f"{number}." for number in count(start))
            case "bullet_list_close" | "ordered_list_close":
                self._markers.pop()
            case "list_item_open":
                self._flush_marker()
                self._containers.append("list")
                self._marker = next(self._markers[-1])
                if token.level == 1 and self._marker != BULLET:
                    self.number = int(self._marker[:-1])
            case "list_item_close" | "blockquote_close":
                self._flush_marker()
                self._containers.pop()

    def _table(self, token: Token) -> None:
        match token.type:
            case "table_open":
                self._rows, self._alignments = [], []
            case "tr_open":
                assert self._rows is not None
                self._rows.append([])
                if token.map is not None:
                    self._cursor = self._starts[token.map[0]]
            case "th_open":
                style = str(token.attrs.get("style", ""))
                self._alignments.append("right" if "right" in style else "center" if "center" in style else "left")
            case "table_close":
                assert self._rows is not None
                rows, self._rows = tuple(tuple(row) for row in self._rows), None
                self._blocks.append(Table(rows, tuple(self._alignments), self._place()))

    def _place(self) -> Place:
        marker, self._marker = self._marker, ""
        return Place(tuple(self._containers), marker)

    def _flush_marker(self) -> None:
        """An item that begins with nothing, or with another list: its bullet stands alone."""
        if self._marker:
            self._blocks.append(Prose((), place=self._place()))

    def _code(self, token: Token, language: str, skip: int) -> None:
        """skip: how many lines stand before the code (the fence)."""
        assert token.map is not None
        text = token.content.removesuffix("\n")
        first = token.map[0] + skip
        starts = tuple(self._line_start(first + i, line) for i, line in enumerate(text.split("\n"))) if text else ()
        self._blocks.append(Code(text, language, starts, self._place()))

    def _formula(self, token: Token) -> None:
        """What is not finished, or wrong, is shown as it was written."""
        assert token.map is not None
        first = self._starts[token.map[0]]
        at = self._text.find(token.content, first)
        start = self._base + at if at >= 0 else -1
        tex = str(token.meta["tex"])
        if tex:
            self._blocks.append(Formula(Span(token.content, start, formula=tex), self._place()))
        else:
            self._blocks.append(Prose((Span(token.content, start, code=True),), place=self._place()))

    def _line_start(self, number: int, line: str) -> int:
        """Where `line` stands in the text: it is the end of line `number`, what is before it was indentation."""
        if number >= len(self._starts):
            return -1
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._text)
        raw = self._text[self._starts[number] : end].rstrip("\r\n")
        return self._base + self._starts[number] + len(raw) - len(line) if raw.endswith(line) else -1

    def _inline(self, token: Token) -> None:
        if self._rows is not None:
            spans = _Inline(self._text, self._base, self._cursor, len(self._text)).read(token.children or [])
            self._cursor = spans.cursor
            self._rows[-1].append(spans.result)
            return
        assert token.map is not None
        first, last = token.map
        end = self._starts[last] if last < len(self._starts) else len(self._text)
        spans = _Inline(self._text, self._base, self._starts[first], end).read(token.children or [])
        place, result = self._place(), spans.result
        task = _TASK.match(result[0].text) if place.marker and result and not result[0].code else None
        if task is not None:
            place = replace(place, marker="☐" if task[1] == " " else "☑")
            head = result[0]
            start = head.start + task.end() if head.start >= 0 else -1
            result = (replace(head, text=head.text[task.end() :], start=start), *result[1:])
        self._blocks.append(Prose(result, self._level, place))


class _Inline:
    """Inline tokens to spans, each found again in the text it was made from."""

    def __init__(self, text: str, base: int, cursor: int, end: int) -> None:
        self.cursor = cursor
        self._text = text
        self._base = base
        self._end = end
        self._spans: list[Span] = []
        self._style = Span("")
        self._ends: list[int] = []  # where each open link ends

    @property
    def result(self) -> tuple[Span, ...]:
        return tuple(self._spans)

    def read(self, tokens: Sequence[Token]) -> "_Inline":
        for token in tokens:
            self._read(token)
        return self

    def _read(self, token: Token) -> None:
        match token.type:
            case "text":
                self._text_of(token.content)
            case "text_special":  # an escape or an entity: two or more characters that stand for one
                start, end = self._find(token.markup)
                self._append(replace(self._style, text=token.content, start=self._base + start if start >= 0 else -1))
                self.cursor = max(self.cursor, end)
            case "softbreak" | "hardbreak":
                self._add("\n", self._style)
            case "code_inline":
                self._add_within(token, token.content, replace(self._style, code=True))
            case "formula" | "formula_source":
                start, end = self._find(token.content)
                style = replace(self._style, text=token.content, start=self._base + start if start >= 0 else -1)
                known = token.type == "formula"
                self._append(replace(style, formula=str(token.meta["tex"])) if known else replace(style, code=True))
                self.cursor = max(self.cursor, end)
            case "image":
                address = str(token.attrs["src"])
                alternative = "".join(child.content for child in token.children or [])
                self._add_within(token, alternative or address, replace(self._style, link=_openable(address)))
                if alternative and alternative != address:  # nothing is loaded: it says what would be, and from where
                    where = address if len(address) <= LONGEST_ADDRESS else address[: LONGEST_ADDRESS - 1] + "…"
                    self._append(replace(self._style, text=f" ({where})", start=-1))
            case "link_open":
                self._ends.append(self._consumed(token)[1])
                self._style = replace(self._style, link=_openable(str(token.attrs["href"])))
            case "link_close":
                self.cursor = max(self.cursor, self._ends.pop())
                self._style = replace(self._style, link="")
            case "strong_open" | "strong_close":
                self._style = replace(self._style, bold=token.nesting > 0)
            case "em_open" | "em_close":
                self._style = replace(self._style, italic=token.nesting > 0)
            case "s_open" | "s_close":
                self._style = replace(self._style, struck=token.nesting > 0)

    def _text_of(self, content: str) -> None:
        """Addresses in it are links, but for those in the words of another link."""
        linked = [(content, self._style.link)] if self._style.link else bare_links(content)
        for piece, address in linked:
            self._add(piece, replace(self._style, link=address))

    def _add_within(self, token: Token, piece: str, style: Span) -> None:
        """A piece that is looked for only in what its token consumed."""
        start, end = self._consumed(token)
        if start < 0:
            self._append(replace(style, text=piece, start=-1))
            return
        whole, self._end, self.cursor = self._end, end, start
        self._add(piece, style)
        self._end, self.cursor = whole, end

    def _consumed(self, token: Token) -> tuple[int, int]:
        return self._find(str(token.meta.get("source", "")))

    def _find(self, piece: str) -> tuple[int, int]:
        """Where `piece` begins and ends after the cursor, or (-1, -1)."""
        at = self._text.find(piece, self.cursor, self._end) if piece else -1
        return (at, at + len(piece)) if at >= 0 else (-1, -1)

    def _add(self, piece: str, style: Span) -> None:
        """A piece as one span where it stands in the text as it is, else word by word."""
        if not piece:
            return
        start, end = self._find(piece)
        if start >= 0:
            self.cursor = end
            self._append(replace(style, text=piece, start=self._base + start))
            return
        words = re.findall(r"\S+|\s+", piece)
        if len(words) == 1:
            self._append(replace(style, text=piece, start=-1))
            return
        for word in words:
            self._add(word, style)

    def _append(self, span: Span) -> None:
        """Neighbours of one style that also stand side by side in the text become one span."""
        last = self._spans[-1] if self._spans else None
        if last is not None and not span.formula and span == replace(last, text=span.text, start=span.start):
            apart = span.start - last.start - len(last.text)
            if (last.start >= 0 and span.start >= 0 and apart == 0) or last.start == span.start == -1:
                self._spans[-1] = replace(last, text=last.text + span.text)
                return
        self._spans.append(span)


def _openable(address: str) -> str:
    """Only addresses of the web and of mail are links; anything else stays text."""
    return address if _OPENABLE.match(address) else ""
