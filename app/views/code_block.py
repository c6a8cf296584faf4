"""A code block: a card with its language, a copy button, and lines that scroll sideways."""

import math
from time import monotonic, thread_time

from PySide6.QtCore import QRect, QRectF, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from app.blocks import Block, Code
from app.colour_reading import read_apart
from app.highlight import Coloured, Token, coloured, is_quick, settled
from app.language import tr
from app.theme import RADIUS
from app.token_runs import Mark, TokenRuns
from app.views.block_view import BlockView
from app.views.reading_style import ICON_SIZE, ReadingStyle, line_height
from app.views.side_scroll import SideScroll
from app.views.style import set_kind
from app.views.text_surface import TextSurface, positions

PAD = 16
HEAD = 40  # the strip with the language and the button
READ_S, SLOWEST_S = 0.15, 0.6  # while code grows, colours are looked for so often: more seldom
READ_SHARE = 0.006  # where that would take more of a core, since reading takes longer than all else of a frame


class CodeBlock(BlockView):
    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._block = Code("")
        self._settled = 0  # colours before this place are not looked at again while the code grows
        self._read_at = -READ_S
        self._pause_s = READ_S  # until colours are looked for again
        self._due = QTimer(self, singleShot=True)  # also where the code has stopped growing by then
        self._due.timeout.connect(self._read_on)
        self._read_to = (0, 0)  # from where, and up to where, colours were last looked for
        self._reading = False  # a thread looks for colours
        self._formats: list[list[Token]] = []  # of each line, places counted from its beginning
        self._marked = (0, 0)  # likewise with marks: lines that are whole, and where the next one begins
        self._head_at = (0, 0, 0)  # where its parts were arranged for
        self._language = QLabel(self)
        set_kind(self._language, "heading")
        self._copy = QToolButton(self)
        self._copy.setText(tr("Copy"))
        self._copy.setToolTip(tr("Copy this code"))
        self._copy.setAccessibleName(tr("Copy code"))
        self._copy.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._copy.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._copy.clicked.connect(self._copy_code)
        self._wrap = QToolButton(self)
        self._wrap.setCheckable(True)
        self._wrap.setToolTip(tr("Wrap long lines"))
        self._wrap.setAccessibleName(tr("Wrap long lines"))
        self._wrap.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._wrap.setIconSize(ICON_SIZE)
        self._wrap.toggled.connect(self._wrap_lines)
        self._surface = TextSurface(style, self)
        self._scroll = SideScroll(self._surface, self)
        self.surfaces = [self._surface]
        self._dress()

    def show_block(self, block: Block) -> None:
        assert isinstance(block, Code)
        before, self._block = self._block, block
        self._language.setText(block.language or tr("code"))
        cursor = QTextCursor(self._surface.document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        grew = block.text.startswith(before.text) and block.language == before.language
        if not grew:
            self._settled, self._marked = 0, (0, 0)
            self._formats = []
            cursor.select(QTextCursor.SelectionType.Document)
        if not grew or not before.text:
            cursor.setBlockFormat(line_height(self.style_.code_line))
        changed = cursor.position() if grew else 0
        cursor.insertText(block.text[len(before.text) if grew else 0 :])
        self._surface.changed(changed)
        left_s = self._read_at + self._pause_s - monotonic()
        if not grew or left_s <= 0:
            self._read_on()
        else:
            self._keep_colours()
            if not self._due.isActive():
                self._due.start(math.ceil(1000 * left_s))
        super().show_block(block)

    def _read_on(self) -> None:
        self._read(self._settled)
        self._settled = settled(self._block.text, self._settled)

    def seal(self) -> None:
        super().seal()
        if self._read_to != (0, len(self._block.text)):
            self._settled = 0
            self._read(0)

    def set_style(self, style: ReadingStyle) -> None:
        super().set_style(style)
        self._dress()
        cursor = QTextCursor(self._surface.document)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.setBlockFormat(line_height(style.code_line))
        known, self._formats = self._formats, []
        self._show(0, known)

    def _dress(self) -> None:
        self._copy.setIcon(self.style_.icon("copy"))
        for button in (self._copy, self._wrap):
            button.setStyleSheet(f"color: {self.style_.theme.muted}")
        self._wrap.setIcon(self.style_.icon("wrap"))
        document, option = self._surface.document, QTextOption()
        document.setDefaultFont(self.style_.code)
        modes = QTextOption.WrapMode
        option.setWrapMode(modes.WrapAtWordBoundaryOrAnywhere if self._wrap.isChecked() else modes.NoWrap)
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        option.setTabStopDistance(4 * QFontMetricsF(self.style_.code).horizontalAdvance(" "))
        document.setDefaultTextOption(option)

    def _wrap_lines(self) -> None:
        """Long lines go on below, or to the right."""
        self._dress()
        self._surface.changed()
        self.refitted.emit()

    def _copy_code(self) -> None:
        QGuiApplication.clipboard().setText(self._block.text)
        self._copy.setText(tr("Copied"))
        self._copy.setIcon(self.style_.icon("check"))
        self._arrange_head(self.content_width)

    def leaveEvent(self, event: object) -> None:
        """The button says "Copied" until the pointer leaves the block: no timer."""
        if self._copy.text() != tr("Copy"):
            self._copy.setText(tr("Copy"))
            self._dress()
            self._arrange_head(self.content_width)

    def _keep_colours(self) -> None:
        """A line to which text was added has lost the colours that it had."""
        number = len(self._formats) - 1
        block = self._surface.document.findBlockByNumber(number)
        if number >= 0 and self._formats[number]:
            block.layout().setFormats(self._ranges(block.text(), self._formats[number]))
            self._surface.document.markContentsDirty(block.position(), block.length())

    def _read(self, start: int) -> None:
        """Syntax colours of the lines from text[start:] on; `start` is the beginning of a line."""
        language, text = self._block.language, self._block.text
        self._due.stop()
        self._read_at, self._read_to = monotonic(), (start, len(text))
        if self._reading:
            return  # what it finds comes first
        if is_quick(language, len(text) - start):
            began_s = thread_time()
            self._show(text.count("\n", 0, start), coloured(language, text, start).lines)
            self._pause_s = min(max(READ_S, (thread_time() - began_s) / READ_SHARE), SLOWEST_S)
        else:
            self._reading = True
            read_apart(language, text, start, self._take)

    def _take(self, found: Coloured) -> None:
        """What a thread found, unless the code has become another; and once more where it has grown since."""
        self._reading = False
        if self._block.text.startswith(found.text) and self._block.language == found.language:
            self._show(found.text.count("\n", 0, found.start), found.lines)
        if self._read_to != (found.start, len(found.text)):
            self._read(min(self._read_to[0], settled(found.text, found.start)))

    def _show(self, first: int, found: list[list[Token]]) -> None:
        """Colour the lines from number `first` on."""
        block, dirty = self._surface.document.findBlockByNumber(first), first + len(found)
        for number, pieces in enumerate(found, start=first):
            known = self._formats[number] if number < len(self._formats) else []
            if pieces != known or number + 1 >= len(self._formats):  # text added to a line loses the line's formats
                block.layout().setFormats(self._ranges(block.text(), pieces))
                self._surface.document.markContentsDirty(block.position(), block.length())
                dirty = min(dirty, number)
            block = block.next()
        self._formats[first:] = found
        if dirty < first + len(found):
            self._surface.update_from(dirty)

    def _ranges(self, text: str, pieces: list[Token]) -> list[QTextLayout.FormatRange]:
        places = positions(text)
        result = []
        for piece in pieces:
            form = QTextLayout.FormatRange()
            form.start = places[piece.start]
            form.length = places[piece.start + piece.length] - places[piece.start]
            form.format = self.style_.syntax[piece.kind]
            result.append(form)
        return result

    def lay_out_content(self, width: int) -> int:
        inner = width - 2 * PAD
        if self._wrap.isChecked():
            height = self._surface.lay_out(inner)
            height = self._scroll.fit(inner, inner, height)
        else:
            height = self._surface.lay_out(-1)
            height = self._scroll.fit(inner, math.ceil(self._surface.document.idealWidth()) + 2, height)
        self._scroll.place(self.left + PAD, self.gap + self._head)
        if (width, self.gap, self._head) != self._head_at:  # not for each line that code grows by
            self._arrange_head(width)
        return self._head + height + (PAD if height == self._surface.height() else PAD // 2)

    @property
    def _head(self) -> int:
        return self.style_.px(HEAD)

    def _arrange_head(self, width: int) -> None:
        self._head_at = width, self.gap, self._head
        self._copy.adjustSize()
        button = self._copy.size()
        right = self.left + width - button.width() - 8
        self._copy.move(right, self.gap + (self._head - button.height()) // 2)
        self._wrap.resize(button.height(), button.height())
        right -= self._wrap.width() + 2
        self._wrap.move(right, self.gap + (self._head - self._wrap.height()) // 2)
        self._language.setGeometry(self.left + PAD, self.gap, right - self.left - PAD, self._head)

    def mark(self, runs: TokenRuns | None, fresh: bool) -> None:
        if runs is None:
            self._surface.set_marks([])
            self._marked = (0, 0)
            return
        first, at = (0, 0) if fresh else self._marked
        since = shown = self._surface.document.findBlockByNumber(first).position()
        marks: list[Mark] = []
        for line, start in zip(self._block.text[at:].split("\n"), self._block.starts[first:], strict=False):
            places = positions(line)
            for mark in runs.marks(start, len(line), 0):
                marks.append(Mark(shown + places[mark.start], shown + places[mark.end], mark.run))
            shown += places[-1] + 1
        self._surface.set_marks(marks, since)
        self._marked = (self._block.text.count("\n"), self._block.text.rfind("\n") + 1)

    def reveal(self, surface: TextSurface, area: QRectF) -> None:
        self._scroll.reveal(area)

    def plain_text(self) -> str:
        return self._block.text

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The lower edge of the card is painted again where it was and where it is, the rest only at another width."""
        super().resizeEvent(event)
        wide = event.oldSize().width() != self.width()
        top = 0 if wide else min(event.oldSize().height(), self.height()) - RADIUS - 1
        self.update(0, top, self.width(), self.height() - top)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        line, ground = QColor(self.style_.theme.line), QColor(self.style_.theme.raised)
        card = QRect(self.left, self.gap, self.content_width, self.height() - self.gap)
        top, height = event.rect().top(), event.rect().height()
        if card.top() + RADIUS < top and top + height < card.bottom() - RADIUS:  # between the corners it costs little
            painter.fillRect(card.left(), top, card.width(), height, line)
            painter.fillRect(card.left() + 1, top, card.width() - 2, height, ground)
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(line)
            painter.setBrush(ground)
            painter.drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()
