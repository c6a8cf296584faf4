"""What a message consists of once its Markdown is read: a flat list of blocks, each knowing where it stands.

Lists and quotes are not blocks of their own: every paragraph in them is, with its `Place`. So a long list streams
item by item, and an item that is finished is never drawn again.
"""

from dataclasses import dataclass
from typing import Literal

from app.mathematics import OBJECT

BULLET = "•"

Container = Literal["list", "quote"]
Alignment = Literal["left", "center", "right"]


@dataclass(frozen=True)
class Place:
    """The lists and quotes around a block, outermost first, and the bullet or number it carries."""

    containers: tuple[Container, ...] = ()
    marker: str = ""


TOP = Place()


@dataclass(frozen=True)
class Span:
    """Text of one style. `start` is where its first character stands in the Markdown text, -1 where it has no place."""

    text: str
    start: int = -1
    bold: bool = False
    italic: bool = False
    struck: bool = False
    code: bool = False
    link: str = ""
    formula: str = ""  # the TeX of a formula; `text` has its dollars or brackets too

    @property
    def shown(self) -> str:
        """As it stands in a document: a formula is one letter there."""
        return OBJECT if self.formula else self.text


@dataclass(frozen=True)
class Prose:
    """A paragraph (level 0) or a heading (1 to 6)."""

    spans: tuple[Span, ...]
    level: int = 0
    place: Place = TOP

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True)
class Code:
    """A code block. `starts[i]` is where line i stands in the Markdown text, -1 where unknown."""

    text: str
    language: str = ""
    starts: tuple[int, ...] = ()
    place: Place = TOP


@dataclass(frozen=True)
class Formula:
    """A formula on lines of its own."""

    span: Span
    place: Place = TOP


@dataclass(frozen=True)
class Table:
    """Rows of cells, the heading first; every row has as many cells as `alignments`."""

    rows: tuple[tuple[tuple[Span, ...], ...], ...]
    alignments: tuple[Alignment, ...]
    place: Place = TOP


@dataclass(frozen=True)
class Rule:
    """A line across."""

    place: Place = TOP


Block = Prose | Code | Formula | Table | Rule


def spans_of(block: Block) -> tuple[Span, ...]:
    """Every span of a block, in reading order; none of code, which has no styles."""
    if isinstance(block, Prose):
        return block.spans
    if isinstance(block, Formula):
        return (block.span,)
    if isinstance(block, Table):
        return tuple(span for row in block.rows for cell in row for span in cell)
    return ()
