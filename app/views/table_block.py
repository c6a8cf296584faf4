"""A table: hairlines between rows, a strong heading, sideways scrolling when the columns do not fit."""

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QTextBlockFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableFormat,
)
from PySide6.QtWidgets import QWidget

from app.blocks import Block, Table
from app.token_runs import Mark, TokenRuns
from app.views.block_view import BlockView
from app.views.reading_style import ReadingStyle, line_height
from app.views.side_scroll import SideScroll
from app.views.text_block import span_marks
from app.views.text_surface import TextSurface

NARROWEST = 96  # a column is wrapped down to this many pixels before the table scrolls
EDGE = 2  # of the table frame, so that the first column stands under the text above

_SIDES = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


class TableBlock(BlockView):
    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._block = Table((), ())
        self._surface = TextSurface(style, self)
        self._scroll = SideScroll(self._surface, self)
        self.surfaces = [self._surface]
        self._ideal = 0

    def show_block(self, block: Block) -> None:
        assert isinstance(block, Table)
        before, self._block = self._block, block
        document = self._surface.document
        edit = QTextCursor(document)
        edit.beginEditBlock()
        if before.alignments != block.alignments or len(before.rows) > len(block.rows):
            document.clear()
            before = Table((), block.alignments)
        table = self._table()
        if table is None:
            table = edit.insertTable(len(block.rows), len(block.alignments), self._format())
        elif len(block.rows) > len(before.rows):
            table.appendRows(len(block.rows) - len(before.rows))
        for number, row in enumerate(block.rows):
            known = before.rows[number] if number < len(before.rows) else None
            for column in range(min(len(row), len(block.alignments))):
                if known is None or known[column : column + 1] != row[column : column + 1]:
                    self._fill(table, number, column)
        edit.endEditBlock()
        self._surface.changed()
        self._ideal = -1
        super().show_block(block)

    def _table(self) -> QTextTable | None:
        frames = self._surface.document.rootFrame().childFrames()
        return frames[0] if frames and isinstance(frames[0], QTextTable) else None

    def _format(self) -> QTextTableFormat:
        result = QTextTableFormat()
        result.setCellSpacing(0)
        result.setCellPadding(7)
        result.setBorder(1)
        result.setBorderCollapse(True)
        result.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
        result.setHeaderRowCount(1)
        result.setWidth(QTextLength())
        return result

    def _fill(self, table: QTextTable, row: int, column: int) -> None:
        cell = table.cellAt(row, column)
        form = cell.format().toTableCellFormat()
        form.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBottomBorder(1)
        form.setBottomBorderBrush(QBrush(QColor(self.style_.theme.line)))
        form.setLeftPadding(0 if column == 0 else 14)
        form.setRightPadding(14)
        cell.setFormat(form)
        cursor = cell.firstCursorPosition()
        cursor.setPosition(cell.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        spans = self._block.rows[row][column]
        block_format = QTextBlockFormat(line_height(self.style_.line, at_least=any(span.formula for span in spans)))
        block_format.setAlignment(_SIDES[self._block.alignments[column]])
        cursor.setBlockFormat(block_format)
        for span in spans:
            self._surface.insert_span(cursor, span, strong=row == 0)

    def set_style(self, style: ReadingStyle) -> None:
        super().set_style(style)
        block, self._block = self._block, Table((), ())
        self.show_block(block)

    def lay_out_content(self, width: int) -> int:
        if self._ideal < 0:
            self._surface.lay_out(-1)
            self._ideal = math.ceil(self._surface.document.idealWidth()) + 1
        narrowest = NARROWEST * len(self._block.alignments)
        content = min(self._ideal, max(width, narrowest))
        height = self._scroll.fit(width, content, self._surface.lay_out(content))
        self._scroll.place(self.left - EDGE, self.gap)
        return height

    def mark(self, runs: TokenRuns | None, fresh: bool) -> None:
        marks: list[Mark] = []
        table = self._table()
        if runs is not None and table is not None:
            for number, row in enumerate(self._block.rows):
                for column, spans in enumerate(row[: len(self._block.alignments)]):
                    marks += span_marks(spans, runs, table.cellAt(number, column).firstPosition())
        self._surface.set_marks(marks)

    def reveal(self, surface: TextSurface, area: QRectF) -> None:
        self._scroll.reveal(area)

    def plain_text(self) -> str:
        return "\n".join("\t".join("".join(s.text for s in cell) for cell in row) for row in self._block.rows)
