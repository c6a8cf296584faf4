"""Syntax colours: Pygments cuts code into tokens, a few kinds of them have a colour in each theme."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound

Kind = Literal["keyword", "string", "number", "comment", "function", "type", "constant", "name", "removed", "added"]

# The first that contains a token's type decides; names, punctuation and all else keep the colour of text.
_KINDS: tuple[tuple[_TokenType, Kind], ...] = (
    (Comment, "comment"),
    (String, "string"),
    (Number, "number"),
    (Keyword.Constant, "constant"),
    (Keyword.Type, "type"),
    (Keyword, "keyword"),
    (Operator.Word, "keyword"),
    (Name.Function, "function"),
    (Name.Class, "type"),
    (Name.Exception, "type"),
    (Name.Namespace, "type"),
    (Name.Builtin.Pseudo, "constant"),
    (Name.Builtin, "function"),
    (Name.Constant, "constant"),
    (Name.Decorator, "name"),
    (Name.Attribute, "name"),
    (Name.Tag, "keyword"),
    (Generic.Deleted, "removed"),
    (Generic.Inserted, "added"),
    (Generic.Heading, "keyword"),
    (Generic.Subheading, "keyword"),
    (Generic.Prompt, "comment"),
)

# On the raised ground and on the ground of accepted tokens alike, 4.5:1 or better (a test computes it).
COLOURS: dict[str, dict[Kind, str]] = {
    "light": {
        "keyword": "#7a2bb5",
        "string": "#166b45",
        "number": "#8a4f00",
        "comment": "#5d6472",
        "function": "#1d53c9",
        "type": "#0b6374",
        "constant": "#a3265f",
        "name": "#8a4f00",
        "removed": "#a8201a",
        "added": "#166b45",
    },
    "dark": {
        "keyword": "#cf9dff",
        "string": "#78d3a8",
        "number": "#e9b872",
        "comment": "#9ba1ae",
        "function": "#83b3ff",
        "type": "#6fcfe0",
        "constant": "#ff9ac1",
        "name": "#e9b872",
        "removed": "#ff948b",
        "added": "#78d3a8",
    },
}

WINDOW = 900  # characters read again at most while code streams; what is before them is settled


@dataclass(frozen=True)
class Token:
    start: int
    length: int
    kind: Kind


def tokens(language: str, text: str, start: int = 0) -> list[Token]:
    """The coloured tokens of text[start:], places counted in `text`. Unknown languages have none."""
    lexer = _lexer(language.lower())
    if lexer is None:
        return []
    result = []
    for at, which, value in lexer.get_tokens_unprocessed(text[start:]):
        kind = _kind(which)
        if kind is not None and value.strip():
            result.append(Token(start + at, len(value), kind))
    return result


@dataclass(frozen=True)
class Coloured:
    """The coloured tokens of each line of text[start:], cut at its end, places counted from the line's beginning."""

    language: str
    text: str
    start: int  # the beginning of a line
    lines: list[list[Token]]


def coloured(language: str, text: str, start: int = 0) -> Coloured:
    found: list[list[Token]] = [[] for _ in range(text.count("\n", start) + 1)]
    line, line_start = 0, start
    for token in tokens(language, text, start):
        at = token.start
        for piece in text[at : at + token.length].split("\n"):
            gone = text.count("\n", line_start, at)
            if gone:
                line, line_start = line + gone, text.rfind("\n", 0, at) + 1
            if piece:
                found[line].append(Token(at - line_start, len(piece), token.kind))
            at += len(piece) + 1
    return Coloured(language, text, start, found)


def is_quick(language: str, length: int) -> bool:
    """Whether so many characters are read within a frame. The first reading of a language makes its patterns: 0.1 s."""
    return length <= 2 * WINDOW and (not language or language.lower() in _made)


def settled(text: str, before: int) -> int:
    """Where reading may begin again in code that grows, so that the cost does not: the last line of some way back that
    is not indented; after WINDOW characters any line. Wrong within a long string: the very last reading begins at 0.
    """
    at = text.rfind("\n", before, len(text) - WINDOW // 4)
    while at > before and text[at + 1 : at + 2] in (" ", "\t", "\n", ")", "]", "}"):
        at = text.rfind("\n", before, at)
    if at > before:
        return at + 1
    return before if len(text) - before <= WINDOW else text.rfind("\n", before, len(text) - WINDOW // 4) + 1 or before


_made: dict[str, Lexer | None] = {}  # by language, each name as it came


def _lexer(language: str) -> Lexer | None:
    if language and language not in _made:
        try:
            _made[language] = get_lexer_by_name(language, ensurenl=False, stripnl=False)
        except ClassNotFound:
            _made[language] = None
    return _made.get(language)


@lru_cache(maxsize=512)
def _kind(which: _TokenType) -> Kind | None:
    return next((kind for parent, kind in _KINDS if parent in which.split()), None)
