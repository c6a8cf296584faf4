"""A formula on lines of its own, in the middle of the column; a wide one scrolls sideways."""

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QTextCursor, QTextOption
from PySide6.QtWidgets import QWidget

from app.blocks import Block, Formula, Span
from app.token_runs import TokenRuns
from app.views.block_view import BlockView
from app.views.reading_style import ReadingStyle
from app.views.side_scroll import SideScroll
from app.views.text_block import span_marks
from app.views.text_surface import TextSurface


class FormulaBlock(BlockView):
    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._block = Formula(Span(""))
        self._surface = TextSurface(style, self)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self._surface.document.setDefaultTextOption(option)
        self._scroll = SideScroll(self._surface, self)
        self.surfaces = [self._surface]

    def show_block(self, block: Block) -> None:
        assert isinstance(block, Formula)
        self._block = block
        self._surface.document.clear()
        self._surface.insert_span(QTextCursor(self._surface.document), block.span)
        self._surface.changed()
        super().show_block(block)

    def set_style(self, style: ReadingStyle) -> None:
        super().set_style(style)
        self.show_block(self._block)

    def lay_out_content(self, width: int) -> int:
        height = self._surface.lay_out(-1)
        content = math.ceil(self._surface.document.idealWidth()) + 2
        column = min(width, max(self.style_.measure - self.inset, 200))
        if content <= column:  # as wide as it is, so that it stands in the middle
            height = self._scroll.fit(content, content, height)
            self._scroll.place(self.left + (column - content) // 2, self.gap)
        else:
            height = self._scroll.fit(width, content, height)
            self._scroll.place(self.left, self.gap)
        return height

    def mark(self, runs: TokenRuns | None, fresh: bool) -> None:
        self._surface.set_marks(span_marks((self._block.span,), runs))

    def reveal(self, surface: TextSurface, area: QRectF) -> None:
        self._scroll.reveal(area)

    def plain_text(self) -> str:
        return self._block.span.text
