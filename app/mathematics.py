"""Formulas in TeX: what is one in a text, and how it looks. Set by ziamath from its own typeface; nothing is loaded."""

import re
from dataclasses import dataclass
from functools import lru_cache

LONGEST = 1500  # characters; longer ones stay source, as setting them would hold up the window
DEEPEST = 24  # braces within braces
OBJECT = "\ufffc"  # stands for a formula in a document

_LEFT_OUT = re.compile(r"\\(label\s*\{[^{}]*\}|nonumber|notag)")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_ESCAPED = re.compile(r"\\[\\{}]")
_UNKNOWN = re.compile(r">\\[A-Za-z]")  # a command that nobody knows, in MathML
_MONEY = re.compile(r"\d[\d.,]*(\s|$)(?!\s*[-+=<>*/^])")  # an amount, and no calculation behind it
_VIEW_BOX = re.compile(r'viewBox="([^"]+)"')
_NO_GLYPH = re.compile("[\u2e80-\uffef\U00010000-\U0001d3ff\U0001d800-\U0010ffff]")  # the typeface of formulas has none


@dataclass(frozen=True)
class Picture:
    """An SVG of this size in pixels; `depth` of its height stand below the line of writing."""

    svg: bytes
    width: float
    height: float
    depth: float


def inline_end(text: str, start: int, opener: str, closer: str) -> int:
    """Where the formula that opens at text[start:] ends, its signs included; -1 where none does.

    Dollars: no blank within at either end, no letter or digit beside them, no amount of money between them.
    """
    first = start + len(opener)
    end = text.find(closer, first, first + LONGEST)
    while end > 0 and text[end - 1] == "\\" and closer[0] == "$":
        end = text.find(closer, end + 1, first + LONGEST)
    if end <= first or "\n\n" in text[first:end]:
        return -1
    inside = text[first:end]
    if opener == "$":
        around = text[start - 1 : start] + text[end + 1 : end + 2]
        if inside != inside.strip() or any(letter.isalnum() and letter.isascii() for letter in around):
            return -1
        if _MONEY.match(inside) and "\\" not in inside:
            return -1
    return end + len(closer) if inside.strip() else -1


@lru_cache(maxsize=1024)
def is_formula(tex: str) -> bool:
    """Whether it can be set: well-formed, of known commands, not too long."""
    return bool(_mathml(tex, inline=True))


@lru_cache(maxsize=512)
def picture_of(tex: str, size: float, colour: str, *, display: bool) -> Picture | None:
    """The formula in letters of `size` pixels; None for what cannot be set."""
    source = _mathml(tex, inline=not display)
    if not source:
        return None
    from xml.etree import ElementTree

    from ziamath.config import config
    from ziamath.zmath import Math

    config.svg2 = False  # paths only
    try:
        tree = ElementTree.fromstring(source)  # noqa: S314 (made a line above, by us)
        tree.attrib["mathcolor"] = colour
        svg = Math(tree, size, margin=0.5).svg()
    except _troubles():
        return None
    box = _VIEW_BOX.search(svg)
    if box is None or "<image" in svg or "href" in svg:
        return None
    _, top, width, height = map(float, box[1].split())  # the line of writing is at 0
    return Picture(svg.encode(), width, height, max(0.0, height + top))


@lru_cache(maxsize=1024)
def _mathml(tex: str, *, inline: bool) -> str:
    """MathML of the formula, "" for what is none."""
    source = _TAG.sub(r"\\qquad(\1)", _LEFT_OUT.sub("", tex)).strip()
    if not source or len(source) > LONGEST or _depth(source) > DEEPEST or _NO_GLYPH.search(source):
        return ""
    from xml.etree import ElementTree

    from latex2mathml.converter import convert

    try:
        mathml = convert(source, display="inline" if inline else "block")
        ElementTree.fromstring(mathml)  # noqa: S314
    except _troubles():
        return ""
    return "" if _UNKNOWN.search(mathml) else mathml


def _depth(source: str) -> int:
    """How many braces are open at most; more than any formula may have where they do not close."""
    deepest = depth = 0
    for sign in _ESCAPED.sub("", source):
        depth += (sign == "{") - (sign == "}")
        deepest = max(deepest, depth)
        if depth < 0:
            break
    return deepest if depth == 0 else DEEPEST + 1


@lru_cache(maxsize=1)
def _troubles() -> tuple[type[Exception], ...]:
    """What the two libraries raise over wrong TeX; they have no common class for it."""
    from latex2mathml import exceptions

    known = (one for one in vars(exceptions).values() if isinstance(one, type) and issubclass(one, Exception))
    builtin = (AssertionError, ArithmeticError, AttributeError, LookupError, RecursionError, SyntaxError)
    return (*known, *builtin, StopIteration, TypeError, ValueError)
