"""A paragraph, a heading or a list item."""

from dataclasses import replace
from itertools import islice

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QWidget

from app.blocks import Block, Prose, Span
from app.token_runs import Mark, TokenRuns
from app.views.block_view import BlockView
from app.views.reading_style import ReadingStyle, line_height
from app.views.text_surface import TextSurface, positions


class TextBlock(BlockView):
    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._surface = TextSurface(style, self)
        self.surfaces = [self._surface]
        self._block = Prose(())

    def show_block(self, block: Block) -> None:
        assert isinstance(block, Prose)
        before, self._block = self._block, block
        if before.level != block.level or not self._surface.length:
            font = self.style_.heading(block.level) if block.level else self.style_.body
            self._surface.document.setDefaultFont(font)
        cursor = QTextCursor(self._surface.document)
        cursor.beginEditBlock()
        spans = block.spans
        kept = _common(before.spans, spans) if before.level == block.level else 0
        grown = before.spans[kept].text if kept + 1 == len(before.spans) == len(spans) else ""
        formulas = any(span.formula for span in spans)
        if (
            grown
            and not formulas
            and spans[kept] == replace(before.spans[kept], text=spans[kept].text)
            and spans[kept].text.startswith(grown)
        ):
            cursor.movePosition(QTextCursor.MoveOperation.End)
            since = cursor.position()
            spans = (*spans[:kept], replace(spans[kept], text=spans[kept].text[len(grown) :]))
        else:
            since = positions("".join(span.shown for span in spans[:kept]))[-1]
            cursor.setPosition(since)
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            cursor.setBlockFormat(line_height(self.style_.line, at_least=formulas))
        for span in spans[kept:]:
            self._surface.insert_span(cursor, span)
        cursor.endEditBlock()
        self._surface.set_pills(_pills(block.spans))
        self._surface.changed(since)
        super().show_block(block)

    def set_style(self, style: ReadingStyle) -> None:
        super().set_style(style)
        block, self._block = self._block, Prose(())
        self._surface.document.clear()
        self.show_block(block)

    def lay_out_content(self, width: int) -> int:
        width = min(width, max(self.style_.measure - self.inset, 200))
        height = self._surface.lay_out(width)
        self._surface.place(self.left, self.gap, width, height)
        return height

    def mark(self, runs: TokenRuns | None, fresh: bool) -> None:
        self._surface.set_marks(span_marks(self._block.spans, runs))

    def plain_text(self) -> str:
        return f"{self.place.marker} {self._block.text}".strip()


def span_marks(spans: tuple[Span, ...], runs: TokenRuns | None, shown: int = 0) -> list[Mark]:
    """Marks for spans that follow each other in a document from place `shown` on."""
    if runs is None:
        return []
    result = []
    for span in spans:
        places = positions(span.shown)
        if span.formula:
            result += [
                Mark(shown, shown + 1, mark.run) for mark in islice(runs.marks(span.start, len(span.text), 0), 1)
            ]
            shown += 1
            continue
        for mark in runs.marks(span.start, len(span.text), 0):
            result.append(Mark(shown + places[mark.start], shown + places[mark.end], mark.run))
        shown += places[-1]
    return result


def _common(before: tuple[Span, ...], after: tuple[Span, ...]) -> int:
    """How many spans at the beginning are the same."""
    for index, (a, b) in enumerate(zip(before, after, strict=False)):
        if a != b:
            return index
    return min(len(before), len(after))


def _pills(spans: tuple[Span, ...]) -> list[tuple[int, int]]:
    result, at = [], 0
    for span in spans:
        end = at + positions(span.shown)[-1]
        if span.code:
            result.append((at, end))
        at = end
    return result
