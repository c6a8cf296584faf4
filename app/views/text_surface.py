"""A piece of text that can be read, marked and selected: the one widget every block shows its words on."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.blocks import Span
from app.finding import Pattern
from app.mathematics import OBJECT
from app.token_runs import Mark
from app.views.formula import KIND, SOURCE, FormulaPainter, formula_format
from app.views.mark_words import mark_words
from app.views.reading_style import ReadingStyle
from app.views.style import blend

BREAK = "\u2028"  # a line break within a paragraph, as QTextDocument writes it
CARET = 2
BLEED = 3  # beside the text, for the rounded grounds of its first and last letters
ORIGIN = QPointF(BLEED, 0)  # of the text


class TextSurface(QWidget):
    """Paints a QTextDocument, tokens' marks behind it and a selection over it. Places are positions in the document.

    Lighter than a text editor by far, and without one's own idea of selecting: a selection runs over many surfaces,
    so the message holds it. Mouse events are left to the message too.
    """

    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.style_ = style
        self.document = QTextDocument(self)
        self.document.setDocumentMargin(0)
        self.document.setUndoRedoEnabled(False)
        self.document.setDefaultFont(style.body)
        self.caret = False
        self._marks: list[Mark] = []
        self._chips: dict[int, list[tuple[QRectF, Mark]]] = {}  # by block of the document, as they are needed
        self._pills: list[tuple[int, int]] = []
        self._pill_rectangles: list[QRectF] | None = None
        self._selection = (0, 0)
        self._pattern: Pattern | None = None
        self._hits: list[tuple[int, int]] | None = None  # as they are needed
        self._current_hit = -1
        self._round = -1  # that is pointed at
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)  # a text that grows is not painted anew as a whole
        self.setCursor(Qt.CursorShape.IBeamCursor)

    @property
    def length(self) -> int:
        return self.document.characterCount() - 1

    def set_style(self, style: ReadingStyle) -> None:
        self.style_ = style
        self.document.setDefaultFont(style.body)
        self.changed()

    def set_caret(self, shown: bool) -> None:
        if shown != self.caret:
            self.caret = shown
            self.update()

    def place(self, x: int, y: int, width: int, height: int) -> None:
        """Stand so that the text begins at x, y."""
        self.setGeometry(x - BLEED, y, width + 2 * BLEED, height)

    def changed(self, since: int = 0) -> None:
        """The text changed from this place on."""
        first = self.document.findBlock(since).blockNumber() if since else 0
        self._chips = {number: chips for number, chips in self._chips.items() if number < first}
        self._pill_rectangles = self._hits = None
        self.update_from(first, since)

    def update_from(self, number: int, since: int = 0) -> None:
        """Paint the text again from this block of the document on, or from the line before that of `since` in it."""
        block = self.document.findBlockByNumber(number)
        top = self.document.documentLayout().blockBoundingRect(block).top()
        line = block.layout().lineForTextPosition(since - block.position())
        if line.isValid() and line.lineNumber() > 1:  # what is added to a word may take it to the next line
            top += block.layout().lineAt(line.lineNumber() - 1).y()
        self.update(0, math.floor(top), self.width(), self.height())

    def set_pattern(self, pattern: Pattern | None, current: int = -1) -> None:
        """Mark what is looked for; current: which of the hits is the one being looked at."""
        if pattern is not self._pattern:
            self._hits = None
        elif current == self._current_hit:
            return
        self._pattern, self._current_hit = pattern, current
        self.update()

    @property
    def hits(self) -> list[tuple[int, int]]:
        """Where what is looked for begins and ends."""
        if self._hits is None:
            self._hits = []
            if self._pattern is not None:
                text = self.document.toPlainText()
                places = positions(text)
                self._hits = [(places[hit.start()], places[hit.end()]) for hit in self._pattern.finditer(text)]
        return self._hits

    def insert_span(self, cursor: QTextCursor, span: Span, *, strong: bool = False) -> None:
        """Write a span into the document; a formula as the one letter that stands for it."""
        if span.formula:
            layout = self.document.documentLayout()
            if layout.handlerForObject(KIND) is None:
                layout.registerHandler(KIND, FormulaPainter(self.document))
            cursor.insertText(OBJECT, formula_format(span, self.style_.body, self.style_.theme.text))
            return
        style = QTextCharFormat(self.style_.span_format(span))
        if strong:
            style.setFontWeight(600)
        cursor.insertText(span.text.replace("\n", BREAK), style)

    def set_marks(self, marks: list[Mark], since: int = 0) -> None:
        """Replace the marks that begin at `since` or later."""
        kept = bisect_left(self._marks, since, key=lambda mark: mark.start)
        if marks != self._marks[kept:]:
            self._marks[kept:] = marks
            self.changed(since)

    def set_pills(self, pills: list[tuple[int, int]]) -> None:
        """Stretches with a soft ground: code within a sentence."""
        self._pills = pills
        self._pill_rectangles = None

    def lay_out(self, width: int) -> int:
        """The height the text needs at this width; -1 for as wide as it is."""
        if self.document.textWidth() != width:
            self.document.setTextWidth(width)
            self.changed()
        return math.ceil(self.document.size().height())

    def place_at(self, point: QPointF) -> int:
        """The place between characters nearest to a point."""
        at = self.document.documentLayout().hitTest(point - ORIGIN, Qt.HitTestAccuracy.FuzzyHit)
        return max(0, min(at, self.length))

    def link_at(self, point: QPointF) -> str:
        return self.document.documentLayout().anchorAt(point - ORIGIN)

    def word_at(self, place: int) -> tuple[int, int]:
        cursor = QTextCursor(self.document)
        cursor.setPosition(place)
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        return cursor.selectionStart(), cursor.selectionEnd()

    @property
    def selection(self) -> tuple[int, int]:
        return self._selection

    def select(self, start: int, end: int) -> None:
        if (start, end) != self._selection:
            self._selection = (start, end)
            self.update()

    def selected_text(self) -> str:
        cursor = QTextCursor(self.document)
        cursor.setPosition(self._selection[0])
        cursor.setPosition(min(self._selection[1], self.length), QTextCursor.MoveMode.KeepAnchor)
        text = cursor.selectedText().replace(BREAK, "\n").replace("\u2029", "\n")
        return self._with_sources(text, self._selection[0]) if OBJECT in text else text

    def _with_sources(self, text: str, start: int) -> str:
        """Formulas as they were written."""
        pieces, places = [], positions(text)
        for at, letter in enumerate(text):
            if letter == OBJECT:
                cursor = QTextCursor(self.document)
                cursor.setPosition(start + places[at] + 1)
                pieces.append(cursor.charFormat().property(SOURCE) or letter)
            else:
                pieces.append(letter)
        return "".join(pieces)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(ORIGIN)
        chips = self._chips_within(event.rect())
        self._paint_grounds(painter, chips)
        self._paint_hits(painter, event.rect())
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette.setColor(QPalette.ColorRole.Text, QColor(self.style_.theme.text))
        context.clip = QRectF(event.rect()).translated(-ORIGIN)
        context.selections = self._selections()
        self.document.documentLayout().draw(painter, context)
        self._paint_underlines(painter, chips)
        if self.caret:
            painter.fillRect(self._caret_rectangle(), QColor(self.style_.theme.accent))
        painter.end()

    def _selections(self) -> list[QAbstractTextDocumentLayout.Selection]:
        theme, result = self.style_.theme, []
        if 0 <= self._current_hit < len(self.hits):
            result.append(self._stretch(*self.hits[self._current_hit], theme.warning, theme.ground))
        if self._selection[0] < self._selection[1]:
            result.append(self._stretch(*self._selection, theme.accent, theme.on_accent))
        return result

    def _stretch(self, start: int, end: int, ground: str, text: str) -> QAbstractTextDocumentLayout.Selection:
        selection = QAbstractTextDocumentLayout.Selection()
        selection.cursor = QTextCursor(self.document)
        selection.cursor.setPosition(start)
        selection.cursor.setPosition(min(end, self.length), QTextCursor.MoveMode.KeepAnchor)
        selection.format.setBackground(QColor(ground))
        selection.format.setForeground(QColor(text))
        return selection

    def _chips_within(self, area: QRect) -> list[tuple[QRectF, Mark]]:
        """The marks' rectangles in an area: long code has thousands, the eye sees few."""
        if not self._marks:
            return []
        block = self.document.findBlock(self.place_at(QPointF(area.topLeft())))
        last = self.document.findBlock(self.place_at(QPointF(area.bottomRight()))).blockNumber()
        chips = []
        while block.isValid() and block.blockNumber() <= last:
            if block.blockNumber() not in self._chips:
                self._chips[block.blockNumber()] = self._chips_of(block)
            chips += self._chips[block.blockNumber()]
            block = block.next()
        return chips

    def _chips_of(self, block: QTextBlock) -> list[tuple[QRectF, Mark]]:
        start, end = block.position(), block.position() + block.length()
        chips = []
        for mark in self._marks[bisect_right(self._marks, start, key=lambda mark: mark.end) :]:
            if mark.start >= end:
                break
            first, last = max(mark.start, start) - start, min(mark.end, end - 1) - start
            chips += [(rectangle, mark) for rectangle in self._in_block(block, first, last)]
        return chips

    def _paint_grounds(self, painter: QPainter, chips: list[tuple[QRectF, Mark]]) -> None:
        theme = self.style_.theme
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(blend(theme.text, theme.ground, 0.07)))
        if self._pill_rectangles is None:
            self._pill_rectangles = [r for start, end in self._pills for r in self.rectangles(start, end)]
        for rectangle in self._pill_rectangles:
            painter.drawRoundedRect(rectangle.adjusted(-1.5, 2, 1.5, -2), 4, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent_soft))
        for rectangle, mark in chips:
            if mark.run.origin in ("accepted", "recalled"):
                painter.drawRoundedRect(rectangle.adjusted(-1.5, 1, 1.5, -1), 4, 4)

    def _paint_hits(self, painter: QPainter, area: QRect) -> None:
        """Those in sight only."""
        if not self.hits:
            return
        first = self.document.findBlock(self.place_at(QPointF(area.topLeft()))).position()
        block = self.document.findBlock(self.place_at(QPointF(area.bottomRight())))
        last = block.position() + block.length()
        theme = self.style_.theme
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(blend(theme.warning, theme.ground, 0.28)))
        for start, end in self.hits[bisect_left(self.hits, (first, 0)) :]:
            if start >= last:
                break
            for rectangle in self.rectangles(start, end):
                painter.drawRoundedRect(rectangle.adjusted(-1, 2, 1, -2), 3, 3)

    def _paint_underlines(self, painter: QPainter, chips: list[tuple[QRectF, Mark]]) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.style_.theme.accent), 1))
        for rectangle, mark in chips:
            if mark.run.round == self._round:
                painter.drawRoundedRect(rectangle.adjusted(-1.5, 1, 1.5, -1), 4, 4)
        for rectangle, mark in chips:
            if mark.run.origin in ("recovered", "bonus"):
                painter.setPen(underline(self.style_, mark.run.origin))
                y = rectangle.bottom() - 2
                painter.drawLine(QPointF(rectangle.left(), y), QPointF(rectangle.right(), y))

    def rectangles(self, start: int, end: int) -> list[QRectF]:
        """Where characters [start, end) stand, a rectangle for each line, blanks at either end of a line left out."""
        result: list[QRectF] = []
        block = self.document.findBlock(start)
        while block.isValid() and block.position() < end:
            first, last = max(0, start - block.position()), min(block.length() - 1, end - block.position())
            result += self._in_block(block, first, last)
            block = block.next()
        return result

    def _in_block(self, block: QTextBlock, first: int, last: int) -> list[QRectF]:
        layout, text = block.layout(), _units(block.text())
        origin = self.document.documentLayout().blockBoundingRect(block).topLeft()
        result = []
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            start, end = max(first, line.textStart()), min(last, line.textStart() + line.textLength())
            while start < end and text[start].isspace():
                start += 1
            while start < end and text[end - 1].isspace():
                end -= 1
            if start < end:
                edges = sorted((_x(line.cursorToX(start)), _x(line.cursorToX(end))))
                top = origin.y() + line.y()
                result.append(QRectF(origin.x() + edges[0], top, edges[1] - edges[0], line.height()))
        return result

    def _caret_rectangle(self) -> QRectF:
        block = self.document.lastBlock()
        layout = block.layout()
        if not layout.lineCount():
            return QRectF(0, 3, CARET, 18)
        line = layout.lineAt(layout.lineCount() - 1)
        origin = self.document.documentLayout().blockBoundingRect(block).topLeft()
        x = origin.x() + _x(line.cursorToX(block.length() - 1)) + 2
        return QRectF(min(x, self.width() - BLEED - CARET), origin.y() + line.y() + 2, CARET, line.height() - 5)

    def _mark_at(self, point: QPointF) -> Mark | None:
        chips = self._chips_within(QRectF(point, point).toAlignedRect())
        return next((mark for rectangle, mark in chips if rectangle.contains(point - ORIGIN)), None)

    def leaveEvent(self, event: QEvent) -> None:
        self._point_out(-1)

    def _point_out(self, round_number: int) -> None:
        """Frame the tokens of one round; -1 for none."""
        if round_number != self._round:
            self._round = round_number
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        mark = self._mark_at(event.position())
        self._point_out(mark.run.round if mark is not None else -1)
        linked = not event.buttons() and self.link_at(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if linked else Qt.CursorShape.IBeamCursor)
        event.ignore()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = self._tip(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)

    def _tip(self, point: QPointF) -> str:
        link = self.link_at(point)
        if link:
            return link
        mark = self._mark_at(point)
        return "" if mark is None else mark_words(mark)


def underline(style: ReadingStyle, origin: str) -> QPen:
    """Recovered: a solid line; bonus: a dotted one. The colours differ too, but never alone."""
    if origin == "recovered":
        return QPen(QColor(style.theme.warning), 1.5)
    pen = QPen(QColor(style.theme.good), 2, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([1.0, 1.5])
    return pen


def positions(text: str) -> Sequence[int]:
    """For each character of `text` and its end, its place in a QTextDocument, which counts UTF-16 units."""
    if text.isascii() or max(text, default="") <= "\uffff":
        return range(len(text) + 1)
    result, at = [0], 0
    for character in text:
        at += 1 + (character > "\uffff")
        result.append(at)
    return result


def _units(text: str) -> str:
    """As many characters as UTF-16 units; only blanks matter, so any letter will do for half a character."""
    return text if text.isascii() else "".join(c if c <= "\uffff" else "xx" for c in text)


def _x(edge: object) -> float:
    """cursorToX gives the edge alone or with the place it settled on, by version."""
    x = edge[0] if isinstance(edge, tuple) else edge
    assert isinstance(x, float | int)
    return float(x)
