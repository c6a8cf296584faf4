"""Styles that have begun but not ended, shown as they will most likely end. Only while a reply is being written:
stars and brackets that turn into something else a moment later would make the text jump.
"""

import re
from dataclasses import replace

from app.blocks import Prose, Span

# A marker that may open: nothing but a blank, a bracket or a quotation mark before it, and no blank behind it.
_OPENER = re.compile(r"""(?<![^\s("'“‘（【*_])(\*\*|__|\*(?!\*)|_(?!_)|`)(?=\S|$)""")
_LINK = re.compile(r"(?<!\S)\[([^\[\]\n]+)\](?:\([^()\s]*)?$")


def closed(block: Prose, text: str) -> Prose:
    """The last paragraph of `text` as if what is open in it ended here."""
    spans = _rejoined(block.spans)
    for _ in range(2):  # "**`" is common, more is not
        spans = _close(spans, text)
    return block if spans == block.spans else replace(block, spans=spans)


def _rejoined(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """The address of a link whose end is still to come is not a link of its own."""
    before, last = spans[-2:] if len(spans) > 1 else (Span(""), Span(""))
    if not (last.link and last.link == last.text and before.text.endswith("](")):
        return spans
    return (*spans[:-2], replace(before, text=before.text + last.text))


def _close(spans: tuple[Span, ...], text: str) -> tuple[Span, ...]:
    for index in range(len(spans) - 1, -1, -1):
        span = spans[index]
        if span.code or span.link or span.start < 0:
            continue
        last = index == len(spans) - 1
        link = _LINK.search(span.text) if last else None
        if link is not None and _stands(span, link.start(), "[", text):
            label = replace(span, text=link[1], start=span.start + link.start() + 1)
            return (*spans[:index], *_cut(span, link.start()), label)
        for found in reversed(list(_OPENER.finditer(span.text))):
            marker = found[1]
            if not _stands(span, found.start(), marker, text) or (marker == "`" and not last):
                continue
            rest = replace(span, text=span.text[found.end() :], start=span.start + found.end())
            if last:
                rest = replace(rest, text=rest.text.removesuffix(marker[0]))  # half of what ends it is here already
            styled = (_styled(piece, marker) for piece in (rest, *spans[index + 1 :]) if piece.text)
            return (*spans[:index], *_cut(span, found.start()), *styled)
    return spans


def _stands(span: Span, at: int, marker: str, text: str) -> bool:
    """Whether the marker is Markdown there and not an escaped character."""
    place = span.start + at
    return text.startswith(marker, place) and text[place - 1 : place] != "\\"


def _cut(span: Span, at: int) -> tuple[Span, ...]:
    return (replace(span, text=span.text[:at]),) if at else ()


def _styled(span: Span, marker: str) -> Span:
    if marker == "`":
        return replace(span, code=True)
    return replace(span, bold=True) if len(marker) == 2 else replace(span, italic=True)
