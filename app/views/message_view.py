"""One message: who speaks, its blocks, why it ended early, and its footer."""

from functools import partial

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget

from app.blocks import Block, Code, Prose, Rule, Table
from app.chat_message import ChatMessage
from app.markdown import parse_plain
from app.markdown_stream import MarkdownStream
from app.open_styles import closed
from app.theme import RADIUS
from app.token_runs import TokenRuns
from app.views.block_view import BlockView, RuleView, gap_between, shared_levels
from app.views.code_block import CodeBlock
from app.views.footer import HEIGHT, Footer
from app.views.notice import Notice
from app.views.reading_style import ReadingStyle
from app.views.selection import Selection
from app.views.style import set_kind
from app.views.table_block import TableBlock
from app.views.text_block import TextBlock
from app.views.text_surface import BLEED, TextSurface

MARGIN = 12  # around the text, so that the focus frame does not touch it
LABEL_HEIGHT = 20
LABEL_GAP = 5

VIEWS: dict[type[Block], type[BlockView]] = {Prose: TextBlock, Code: CodeBlock, Table: TableBlock, Rule: RuleView}


class MessageView(QWidget):
    regenerate_clicked = Signal(str)
    copied = Signal(str)
    link_clicked = Signal(str)
    selecting = Signal(object)  # this view: others give up their selection
    dragged = Signal(int)  # a selection was drawn to this height, counted in the parent

    def __init__(self, message: ChatMessage, style: ReadingStyle, show_tokens: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.message = message
        self.laid_width = -1
        self._style = style
        self._runs = TokenRuns()
        self._show_tokens = show_tokens
        self._stream = MarkdownStream()
        self._blocks: list[Block] = []
        self._views: list[BlockView] = []
        self._sealed = 0
        self._label = QLabel(self._name(), self)
        set_kind(self._label, "heading")
        self._notice: Notice | None = None
        self._footer: Footer | None = None
        self._caret: TextSurface | None = None
        self._framed = False
        self._presses = 0  # a third press selects the paragraph
        self.selection = Selection(self, lambda: self._views)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self._name())
        self.extend()
        if message.state != "streaming":
            self.finish()

    @property
    def block_views(self) -> list[BlockView]:
        return self._views

    @property
    def footer(self) -> Footer | None:
        return self._footer

    @property
    def notice(self) -> Notice | None:
        return self._notice

    def extend(self) -> None:
        """The message grew: show its new end."""
        if self.message.role == "assistant":
            self._stream.append(self.message.text[len(self._stream.text) :])
            self._show(self._stream.blocks, self._stream.sealed)
        else:
            self._show(parse_plain(self.message.text), 0)

    def finish(self) -> None:
        """The message is whole, or its state or figures changed."""
        if self.message.role == "assistant":
            self.extend()
            self._stream.finish()
            self._show(self._stream.blocks, self._stream.sealed)
            self._show_end()
        self.setAccessibleDescription(self.message.text)

    def set_style(self, style: ReadingStyle) -> None:
        self._style = style
        for view in self._views:
            view.set_style(style)
        for part in (self._notice, self._footer):
            if part is not None:
                part.set_style(style)
        self.laid_width = -1
        self.update()

    def set_show_tokens(self, shown: bool) -> None:
        self._show_tokens = shown
        self._mark(0, fresh=True)

    def lay_out(self, width: int) -> int:
        """Arrange at this width, margins included; the height this takes."""
        self.laid_width = width
        return self._arrange(0)

    def _name(self) -> str:
        names = {"user": self.tr("You"), "assistant": self.tr("Foreword"), "system": self.tr("System")}
        return names[self.message.role]

    def _show(self, blocks: list[Block], sealed: int) -> None:
        """Bring the views in line with the blocks. What was sealed before is not even looked at."""
        streaming = self.message.state == "streaming"
        shown = list(blocks) or ([Prose(())] if streaming else [])
        if streaming and isinstance(shown[-1], Prose):
            shown[-1] = closed(shown[-1], self.message.text)
        first = self._sealed
        while first < min(len(shown), len(self._blocks)) and shown[first] == self._blocks[first]:
            first += 1
        for index in range(first, len(shown)):
            self._show_one(index, shown)
        while len(self._views) > len(shown):
            self._discard(self._views.pop())
        self._blocks = shown
        for view in self._views[self._sealed : sealed]:
            view.seal()
        self._sealed = min(sealed, len(shown))
        self._set_caret(streaming)
        self._mark(first, fresh=False)
        if self.laid_width > 0:
            self._arrange(first)

    def _show_one(self, index: int, blocks: list[Block]) -> None:
        block = blocks[index]
        before = blocks[index - 1] if index else None
        kind = VIEWS[type(block)]
        if index == len(self._views) or type(self._views[index]) is not kind:
            view = kind(self._style, self)
            if index < len(self._views):
                self._discard(self._views[index])
                self._views[index] = view
            else:
                self._views.append(view)
            view.show_block(block)
            view.show()
        elif block != self._blocks[index]:
            self._views[index].show_block(block)
        self._views[index].set_gap(gap_between(before, block), shared_levels(before, block))

    def _discard(self, view: BlockView) -> None:
        if self._caret in view.surfaces:
            self._caret = None
        view.hide()
        view.deleteLater()

    def _set_caret(self, shown: bool) -> None:
        """A bar where the next word will stand."""
        surfaces = self._views[-1].surfaces if shown and self._views else []
        caret = surfaces[-1] if surfaces else None
        if caret is not self._caret:
            if self._caret is not None:
                self._caret.set_caret(False)
            if caret is not None:
                caret.set_caret(True)
            self._caret = caret

    def _mark(self, first: int, *, fresh: bool) -> None:
        self._runs.update(self.message.runs)
        runs = self._runs if self._show_tokens and self.message.role == "assistant" else None
        for view in self._views[first:]:
            view.mark(runs, fresh)

    def _show_end(self) -> None:
        if self._notice is None:
            self._notice = Notice(self._style, self)
        self._notice.setVisible(self._notice.show_message(self.message))
        if self._footer is None:
            self._footer = Footer(self._style, self)
            self._footer.copy_clicked.connect(self.copy_message)
            self._footer.regenerate_clicked.connect(lambda: self.regenerate_clicked.emit(self.message.id))
            self._footer.show()
        self._footer.show_statistics(self.message.statistics)
        if self.laid_width > 0:
            self._arrange(len(self._views))

    def _arrange(self, first: int) -> int:
        """Lay out the blocks from `first` on and what follows them; the whole height."""
        inner = self.laid_width - 2 * MARGIN
        self._label.setGeometry(MARGIN, MARGIN, inner, LABEL_HEIGHT)
        y = MARGIN + LABEL_HEIGHT + LABEL_GAP
        if first:
            y = self._views[first - 1].geometry().bottom() + 1
        for view in self._views[first:]:
            height = view.lay_out(inner)
            view.move(MARGIN - BLEED, y)
            y += height
        if self._notice is not None and not self._notice.isHidden():
            height = self._notice.height_at(inner)
            self._notice.setGeometry(MARGIN, y + 12, inner, height)
            y += 12 + height
        if self._footer is not None:
            self._footer.setGeometry(MARGIN, y + 8, inner, HEIGHT)
            y += 8 + HEIGHT
        self.resize(self.laid_width, y + MARGIN)
        return y + MARGIN

    def copy_message(self) -> None:
        QGuiApplication.clipboard().setText(self.message.text)
        self.copied.emit(self.message.id)

    def _copy_selection(self) -> None:
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
            self._copy_selection()
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
        spot = self.selection.spot_at(event.position())
        if self._presses == 2:
            self.selection.select_surface(spot)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.selection.extend(spot)
        else:
            self.selection.begin(spot)
        self._presses = 1

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
            self.selection.select_word(self.selection.spot_at(event.position()))
            self._presses = 2
            QTimer.singleShot(QApplication.doubleClickInterval(), self, self._forget_presses)

    def _forget_presses(self) -> None:
        self._presses = 0

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu(event.pos()).popup(event.globalPos())

    def menu(self, point: QPoint) -> QMenu:
        """What can be done here; every link of the message is in it, so that the keyboard reaches them."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.selection.text():
            menu.addAction(self.tr("Copy"), self._copy_selection)
        menu.addAction(self.tr("Copy message"), self.copy_message)
        menu.addAction(self.tr("Select all"), self.selection.select_all)
        links = [span.link for block in self._blocks if isinstance(block, Prose) for span in block.spans if span.link]
        if links:
            menu.addSeparator()
        for link in list(dict.fromkeys(links))[:20]:
            shown = link if len(link) <= 60 else link[:59] + "…"
            action = menu.addAction(self.tr("Open {address}").format(address=shown))
            action.setData(link)
            action.triggered.connect(partial(self.link_clicked.emit, link))
        return menu

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._framed = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
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
