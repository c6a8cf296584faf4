"""One message: who speaks, its thought and its blocks, why it ended early, and its footer."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMenu, QWidget

from app.blocks import Block, Prose
from app.chat_message import ChatMessage
from app.markdown import parse_plain
from app.markdown_stream import MarkdownStream
from app.message_tree import Version
from app.open_styles import closed
from app.theme import RADIUS
from app.thoughts import Thought, thought_of
from app.token_runs import TokenRuns
from app.views.attachment_chip import ChipRow, chip_of
from app.views.block_column import BlockColumn
from app.views.block_view import BlockView
from app.views.footer import HEIGHT, OVERHANG, Footer
from app.views.hit_marks import HitMarks
from app.views.message_editor import MessageEditor
from app.views.message_head import HEAD_HEIGHT, HEAD_OVERHANG, MessageHead
from app.views.message_menu import message_menu
from app.views.notice import Notice
from app.views.reading_style import ReadingStyle
from app.views.selection import Selection
from app.views.text_surface import BLEED
from app.views.thought_view import LINE_INSET, ThoughtView

MARGIN = 12  # around the text, so that the focus frame does not touch it
HEAD_GAP = 5
FLASH_MS = 1600  # how long a message that was jumped to is framed


class MessageView(QWidget):
    regenerate_clicked = Signal(str)
    edited = Signal(str, str)  # the message, and its new words
    continue_clicked = Signal(str)
    branch_clicked = Signal(str)
    compare_clicked = Signal(str)
    delete_clicked = Signal(str)
    version_stepped = Signal(str, int)
    copied = Signal(str)
    details_clicked = Signal(str)
    attachment_opened = Signal(object)  # an Attachment
    link_clicked = Signal(str)
    selecting = Signal(object)  # this view: others give up their selection
    dragged = Signal(int)  # a selection was drawn to this height, counted in the parent
    resized = Signal()  # the person folded or unfolded something, or an editor grew

    def __init__(self, message: ChatMessage, style: ReadingStyle, show_tokens: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self.message = message
        self.laid_width = -1
        self._page = parent  # what it scrolls in
        self._style = style
        self._runs = TokenRuns()
        self._show_tokens = show_tokens
        self._stream = MarkdownStream()
        self._split = Thought()
        self.head = MessageHead(message.role, style, self)
        self._column = BlockColumn(style, self)
        self._column.refitted.connect(self._refit)
        self.thought: ThoughtView | None = None
        self._files: ChipRow | None = None
        self.notice: Notice | None = None
        self.footer: Footer | None = None
        self.editor: MessageEditor | None = None  # while its words are being changed
        self._framed = False
        self.selection = Selection(self, lambda: self.block_views)
        self.hits = HitMarks(self, lambda: self.block_views, lambda: self.thought)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.head.name)
        self._connect_head()
        self._show_files()
        self.extend()
        if message.state != "streaming":
            self.finish()

    @property
    def block_views(self) -> list[BlockView]:
        thought = self.thought.column.views if self.thought is not None and self.thought.unfolded else []
        return [*thought, *self._column.views]

    @property
    def links(self) -> list[str]:
        """Every address in the message, once."""
        return self._column.links

    def show_version(self, version: Version | None) -> None:
        """Which of several versions this is; None where it is the only one."""
        self.head.show_version(version)

    def extend(self) -> None:
        """The message grew: show its new end."""
        if self.message.role != "assistant":
            self._show(parse_plain(self.message.text), 0)
            return
        split = thought_of(self.message.text)
        if split.answer != self._split.answer or not self.message.text.startswith(self._stream.text, split.answer):
            self._stream = MarkdownStream()
            self._column.clear()
        self._split = split
        self._runs.offset = split.answer
        self._stream.append(self.message.text[split.answer + len(self._stream.text) :])
        self._show_thought()
        self._show(self._stream.blocks, self._stream.sealed)

    def finish(self) -> None:
        """The message is whole, or its state or figures changed."""
        if self.message.role == "assistant":
            self.extend()
            self._stream.finish()
            self._show(self._stream.blocks, self._stream.sealed)
            self._show_end()
        self.setAccessibleDescription(self.message.text)

    def resume(self) -> None:
        """The message goes on growing after it was whole."""
        for part in (self.notice, self.footer):
            if part is not None:
                part.hide()
        self._stream = MarkdownStream()
        self._column.clear()
        self.extend()

    def set_style(self, style: ReadingStyle) -> None:
        self._style = style
        for part in (self.head, self._column, self.thought, self.notice, self.footer):
            if part is not None:
                part.set_style(style)
        if self._files is not None:
            self._files.set_theme(style.theme)
        self.laid_width = -1
        self.update()

    def set_show_tokens(self, shown: bool) -> None:
        self._show_tokens = shown
        self._mark(0, fresh=True)

    def lay_out(self, width: int) -> int:
        """Arrange at this width, margins included; the height this takes."""
        self.laid_width = width
        return self._arrange(0)

    def begin_edit(self) -> None:
        """Put an editor in the place of the words."""
        if self.editor is not None or self.message.state == "streaming":
            return
        self.editor = MessageEditor(self.message.text, self.message.role, self)
        self.editor.cancelled.connect(self.end_edit)
        self.editor.saved.connect(self._save_edit)
        self.editor.height_changed.connect(self._resize)
        self._resize()  # before it is shown: so it is laid out once, at its whole width
        self.editor.show()
        self.editor.begin()

    def end_edit(self) -> None:
        if self.editor is not None:
            self.editor.hide()
            self.editor.deleteLater()
            self.editor = None
            self._resize()
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def point_out(self, words: str) -> int:
        """Frame this message for a moment and select the first of these words; their height in it."""
        self._framed = True
        self.update()
        QTimer.singleShot(FLASH_MS, self, self._forget_frame)
        return self.selection.select_first(words)

    def _save_edit(self, text: str) -> None:
        self.end_edit()
        if text != self.message.text:
            self.edited.emit(self.message.id, text)

    def _refit(self, first: int = 0) -> None:
        """A block, from `first` on, or what stands around them, is higher or lower now."""
        if self.laid_width > 0:
            self._arrange(first)
        self.resized.emit()

    def _resize(self) -> None:
        self._refit(len(self._column.views))

    def _connect_head(self) -> None:
        head = self.head
        head.edit_clicked.connect(self.begin_edit)
        head.copy_clicked.connect(self.copy_message)
        head.more_clicked.connect(lambda place: self.menu().popup(place))
        head.versions.stepped.connect(lambda step: self.version_stepped.emit(self.message.id, step))

    def _show_files(self) -> None:
        if self.message.attachments:
            self._files = ChipRow(self._style.theme, self, removable=False)
            self._files.opened.connect(lambda place: self.attachment_opened.emit(self.message.attachments[place]))
            self._files.show_chips([chip_of(one) for one in self.message.attachments])

    def _show_thought(self) -> None:
        text = self.message.text[self._split.start : self._split.end]
        if not text.strip() and not self._split.open:  # none, or it turned out to be none
            if self.thought is not None:
                self.thought.hide()
                self.thought.deleteLater()
                self.thought = None
            return
        if self.thought is None:
            self.thought = ThoughtView(self._style, self)
            self.thought.toggled.connect(self._resize)
            self.thought.show()
        self.thought.show_thought(text, self.message.thought_s, self._split.open and self.message.state == "streaming")

    def _show(self, blocks: list[Block], sealed: int) -> None:
        """Bring the views in line with the blocks."""
        streaming = self.message.state == "streaming"
        shown = list(blocks) or ([Prose(())] if streaming and not self._split.open else [])
        if streaming and shown and isinstance(shown[-1], Prose):
            shown[-1] = closed(shown[-1], self._stream.text)
        first = self._column.show_blocks(shown, sealed)
        self._column.set_caret(streaming)
        self._mark(first, fresh=False)
        self.hits.mark_again()
        if self.laid_width > 0:
            self._arrange(first)

    def _mark(self, first: int, *, fresh: bool) -> None:
        if not self._show_tokens:
            if fresh:
                self._column.mark(None, first, fresh=fresh)
            return
        self._runs.update(self.message.runs)
        self._column.mark(self._runs if self.message.role == "assistant" else None, first, fresh=fresh)

    def _show_end(self) -> None:
        if self.notice is None:
            self.notice = Notice(self._style, self)
            self.notice.continue_clicked.connect(lambda: self.continue_clicked.emit(self.message.id))
        self.notice.setVisible(self.notice.show_message(self.message))
        if self.footer is None:
            self.footer = Footer(self._style, self)
            self.footer.copy_clicked.connect(self.copy_message)
            self.footer.regenerate_clicked.connect(lambda: self.regenerate_clicked.emit(self.message.id))
            self.footer.edit_clicked.connect(self.begin_edit)
            self.footer.details_clicked.connect(lambda: self.details_clicked.emit(self.message.id))
            self.footer.more_clicked.connect(lambda place: self.menu().popup(place))
        self.footer.show()
        self.footer.show_statistics(self.message.statistics)
        if self.laid_width > 0:
            self._arrange(len(self._column.views))

    def _arrange(self, first: int) -> int:
        """Lay out the blocks from `first` on and what is around them; the whole height."""
        inner = self.laid_width - 2 * MARGIN
        self.head.setGeometry(MARGIN, MARGIN, inner + HEAD_OVERHANG, self._style.px(HEAD_HEIGHT))
        y = MARGIN + self._style.px(HEAD_HEIGHT) + HEAD_GAP
        for part in self._parts():
            part.setVisible(self.editor is None)
        if self.editor is not None:
            height = self.editor.height_at(inner, self._page.height() - y - MARGIN)
            self.editor.setGeometry(MARGIN, y, inner, height)
            self.resize(self.laid_width, y + height + MARGIN)
            return y + height + MARGIN
        if self.thought is not None:
            height = self.thought.lay_out(inner)
            self.thought.move(MARGIN - LINE_INSET, y)
            y += height + (8 if self._column.views else 0)
        self._column.move(MARGIN - BLEED, y)
        y += self._column.lay_out(inner, first)
        if self._files is not None:
            height = self._files.height_at(inner)
            self._files.setGeometry(MARGIN, y + 8, inner, height)
            y += 8 + height
        if self.notice is not None and self.notice.text():
            height = self.notice.height_at(inner)
            self.notice.setGeometry(MARGIN, y + 12, inner, height)
            y += 12 + height
        if self.footer is not None and self.message.state != "streaming":
            self.footer.setGeometry(MARGIN, y + 8, inner + OVERHANG, self._style.px(HEIGHT))
            y += 8 + self._style.px(HEIGHT)
        self.resize(self.laid_width, y + MARGIN)
        return y + MARGIN

    def _parts(self) -> Iterator[QWidget]:
        """What gives way to an editor."""
        yield self._column
        if self.thought is not None:
            yield self.thought
        if self._files is not None:
            yield self._files
        if self.message.state != "streaming":
            if self.notice is not None and self.notice.text():
                yield self.notice
            if self.footer is not None:
                yield self.footer

    def copy_message(self) -> None:
        QGuiApplication.clipboard().setText(self.message.text)
        self.copied.emit(self.message.id)

    def copy_selection(self) -> None:
        """The selection; without one, the whole message as it was written."""
        selected = self.selection.text()
        if selected:
            QGuiApplication.clipboard().setText(selected)
        else:
            self.copy_message()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _ours(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.selecting.emit(self)
            self.selection.select_all()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self.selection.surfaces:
            super().mousePressEvent(event)
            return
        self.selecting.emit(self)
        self.selection.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self.selection.surfaces:
            self.selection.extend(self.selection.spot_at(event.position()))
            self.dragged.emit(self.y() + round(event.position().y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not self.selection.text():
            under = self.selection.surface_at(event.position())
            link = under[0].link_at(under[1]) if under is not None else ""
            if link:
                self.link_clicked.emit(link)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.selection.surfaces:
            self.selection.double_click(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu().popup(event.globalPos())

    def menu(self) -> QMenu:
        return message_menu(self)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.head.set_busy(True)

    def leaveEvent(self, event: QEvent) -> None:
        self.head.set_busy(self.hasFocus())

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.head.set_busy(True)
        self._framed = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.head.set_busy(self.underMouse())
        self._forget_frame()

    def _forget_frame(self) -> None:
        self._framed = False
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._framed:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self._style.theme.accent), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS, RADIUS)
            painter.end()


def _ours(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Copy) or event.matches(QKeySequence.StandardKey.SelectAll)
