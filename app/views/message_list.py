"""The scrolling column of messages. Only those near the viewport exist as widgets; the others are an estimate."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from itertools import accumulate

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPalette, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QWidget

from app.chat_message import ChatMessage
from app.language import tr
from app.message_tree import Version
from app.theme import READING_WIDTH
from app.views.message_entry import Entry, estimate
from app.views.message_view import MARGIN, MessageView
from app.views.reading_style import LINE, ReadingStyle
from app.views.scroll_keys import value_after
from app.views.zoom_wheel import ZoomWheel

TOP, BOTTOM, BETWEEN = 20, 24, 8  # each message has MARGIN around it as well
SIDE = 40  # at least this much beside the column
AHEAD = 1.5  # pages above and below that are made while nothing else is to do: a step of a page finds them there
AHEAD_MS = 10  # between two messages made ahead
KEPT = 40  # views kept though they are out of sight
NEAR = 4  # pixels from the end that still count as being there


class MessageList(QAbstractScrollArea):
    """Sticks to the end while the reader is there; otherwise what the reader looks at stays where it is."""

    made = Signal(object)  # a MessageView, just created
    at_end_changed = Signal(bool)
    zoom_stepped = Signal(int)  # larger, or smaller
    focus_left = Signal()  # the message that had it is gone

    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._versions: Mapping[str, Version] = {}
        self._show_tokens = False
        self._entries: list[Entry] = []
        self._at_end = True
        self._settling = False
        self._zoom = ZoomWheel()
        self._ahead = QTimer(self, singleShot=True, interval=AHEAD_MS)
        self._ahead.timeout.connect(self._make_ahead)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._fill_ground()
        self.setAccessibleName(tr("Conversation"))
        self.verticalScrollBar().setSingleStep(LINE * 2)

    def _fill_ground(self) -> None:
        """The ground is opaque, so that scrolling moves what is painted instead of painting it again."""
        palette = self.viewport().palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(self._style.theme.ground))
        self.viewport().setPalette(palette)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.viewport().setAutoFillBackground(True)

    @property
    def views(self) -> list[MessageView]:
        """Those that exist at the moment."""
        return [entry.view for entry in self._entries if entry.view is not None]

    @property
    def at_end(self) -> bool:
        return self._at_end

    @property
    def column_width(self) -> int:
        return max(160, min(self._style.px(READING_WIDTH), self.width() - 2 * SIDE))

    def __len__(self) -> int:
        return len(self._entries)

    def replace(self, messages: list[ChatMessage], versions: Mapping[str, Version]) -> None:
        self._versions = versions
        self._drop(0)
        self._entries = [Entry(message, self._estimate(message)) for message in messages]
        self._set_at_end(True)
        self._settle()
        self._ahead.start()

    def update_messages(self, messages: list[ChatMessage], versions: Mapping[str, Version]) -> None:
        """Show these in place of others; those that stay, stay where they are."""
        self._versions = versions
        same = 0
        for entry, message in zip(self._entries, messages, strict=False):
            if entry.message is not message:
                break
            same += 1
        kept = {id(entry.message): entry for entry in self._entries[same:]}
        new = [
            kept.pop(id(message)) if id(message) in kept else Entry(message, self._estimate(message))
            for message in messages[same:]
        ]
        for entry in kept.values():
            self._release(entry)
        self._entries[same:] = new
        for entry in self._entries:
            if entry.view is not None:
                entry.view.show_version(versions.get(entry.message.id))
        self._settle()
        self._set_at_end(self.verticalScrollBar().value() >= self.verticalScrollBar().maximum() - NEAR)

    @property
    def messages(self) -> list[ChatMessage]:
        return [entry.message for entry in self._entries]

    @property
    def first_in_sight(self) -> int:
        """Place of the message at the top of the viewport."""
        return self._held()[0]

    def show_hit(self, place: int, mark: Callable[[MessageView], None]) -> None:
        """Bring the hit that `mark` marks in the message at `place` into sight."""
        entry = self._entries[place]
        self._set_at_end(False)
        if entry.view is None or entry.view.laid_width < 0:
            self._hold(place, -BETWEEN)
        assert entry.view is not None
        mark(entry.view)
        top, bottom = entry.view.hits.reveal()
        page = self.viewport().height()
        seen = entry.view.y()
        if seen + top < LINE or seen + bottom > page - LINE:
            self._hold(place, top - page // 3)
        self._set_at_end(self.verticalScrollBar().value() >= self.verticalScrollBar().maximum() - NEAR)

    def view_of(self, message_id: str) -> MessageView | None:
        """None while it is out of sight."""
        return self._entries[self._index(message_id)].view

    def go_to(self, message_id: str, words: str | None = "") -> None:
        """Bring a message, and the first of these words in it, into sight and point it out; None: only into sight."""
        index = self._index(message_id)
        self._set_at_end(False)
        self._hold(index, -BETWEEN)
        view = self._entries[index].view
        if view is not None and words is not None:
            inside = view.point_out(words)
            if inside > self.viewport().height() // 2:
                self._hold(index, inside - self.viewport().height() // 3)
        self._set_at_end(self.verticalScrollBar().value() >= self.verticalScrollBar().maximum() - NEAR)

    def add(self, message: ChatMessage) -> None:
        self._entries.append(Entry(message, self._estimate(message)))
        if message.role == "user":  # whoever has just asked wants to see it
            self._set_at_end(True)
        self._settle()

    def extend(self, message_id: str) -> None:
        entry = self._entries[self._index(message_id)]
        if entry.view is None:
            entry.height = self._estimate(entry.message)
        else:
            entry.view.extend()
            if entry.view.height() == entry.height:
                return
            entry.height = entry.view.height()
            if self._at_end:
                self._paint_now()
        self._settle()

    def resume(self, message_id: str) -> None:
        """A message that was whole goes on growing."""
        entry = self._entries[self._index(message_id)]
        if entry.view is not None:
            entry.view.resume()
            entry.height = entry.view.height()
        self._set_at_end(True)
        self._settle()

    def finish(self, message_id: str) -> None:
        entry = self._entries[self._index(message_id)]
        if entry.view is not None:
            entry.view.finish()
            entry.height = entry.view.height()
        self._settle()

    def remove_from(self, message_id: str) -> None:
        self._drop(self._index(message_id))
        self._settle()

    def set_style(self, style: ReadingStyle) -> None:
        self._style = style
        self._fill_ground()
        self.viewport().setStyleSheet(style.sheet)
        for entry in self._entries:
            if entry.view is None:
                entry.height = self._estimate(entry.message)
            else:
                entry.view.set_style(style)
        self._settle()

    def set_show_tokens(self, shown: bool) -> None:
        self._show_tokens = shown
        for view in self.views:
            view.set_show_tokens(shown)

    def go_to_end(self) -> None:
        self._set_at_end(True)
        self._settle()

    def _index(self, message_id: str) -> int:
        for index in range(len(self._entries) - 1, -1, -1):
            if self._entries[index].message.id == message_id:
                return index
        raise KeyError(message_id)

    def _drop(self, first: int) -> None:
        for entry in self._entries[first:]:
            self._release(entry)
        del self._entries[first:]

    def _release(self, entry: Entry) -> None:
        if entry.view is not None:
            focused = QApplication.focusWidget()
            entry.view.hide()
            entry.view.deleteLater()
            if focused is not None and (focused is entry.view or entry.view.isAncestorOf(focused)):
                self.focus_left.emit()  # else it went to whatever comes next in the window
            entry.view = None

    def _estimate(self, message: ChatMessage) -> int:
        return estimate(message, self.column_width, self._style)

    def _set_at_end(self, at_end: bool) -> None:
        if at_end != self._at_end:
            self._at_end = at_end
            self.at_end_changed.emit(at_end)

    def _tops(self) -> list[int]:
        """Where each message begins, and at the end the height of it all."""
        tops = [*accumulate((entry.height + BETWEEN for entry in self._entries), initial=TOP)]
        tops[-1] += BOTTOM
        return tops

    def _settle(self) -> None:
        """Make, measure and place what is near the viewport, with what the reader looks at held in place."""
        if not self._settling:
            self._hold(*self._held())

    def _held(self) -> tuple[int, int]:
        """The message at the top of the viewport, and at which of its heights that cuts it."""
        tops, value = self._tops(), self.verticalScrollBar().value()
        held = max(0, min(bisect_right(tops, value), len(self._entries)) - 1)
        return held, value - tops[held]

    def _hold(self, held: int, offset: int) -> None:
        """Settle with this message's height `offset` at the top of the viewport."""
        self._settling = True
        bar, page = self.verticalScrollBar(), self.viewport().height()
        tops = self._tops()
        while True:
            end = max(0, tops[-1] - page)
            value = end if self._at_end else max(0, min(end, tops[held] + offset))
            if not self._measure(tops, value - page // 2, value + page + page // 2):
                break
            tops = self._tops()
        shown = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if end else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if shown != self.verticalScrollBarPolicy():
            self.setVerticalScrollBarPolicy(shown)  # the column is centred in the whole width: nothing moves
        bar.setPageStep(page)
        bar.setRange(0, end)
        bar.setValue(value)
        self._place(tops, value)
        self._settling = False
        if not end:
            self._set_at_end(True)  # all of it is in sight

    def _measure(self, tops: list[int], top: int, bottom: int) -> bool:
        """Have real heights between top and bottom; whether any differs from what was assumed."""
        width, changed = self.column_width + 2 * MARGIN, False
        first = max(0, bisect_right(tops, top) - 1)
        for index, entry in enumerate(self._entries[first : bisect_right(tops, bottom)], first):
            if tops[index] + entry.height < top:
                continue
            changed = self._make(entry, width) or changed
        return changed

    def _make(self, entry: Entry, width: int) -> bool:
        """Have the view of a message, laid out; whether it is higher or lower than was assumed."""
        if entry.view is None:
            entry.view = MessageView(entry.message, self._style, self._show_tokens, self.viewport())
            entry.view.dragged.connect(self._follow_drag)
            entry.view.resized.connect(lambda view=entry.view: self._take_height(view))
            entry.view.show_version(self._versions.get(entry.message.id))
            self.made.emit(entry.view)
            entry.view.show()
        if entry.view.laid_width == width:
            return False
        before, entry.height = entry.height, entry.view.lay_out(width)
        return entry.height != before

    def _make_ahead(self) -> None:
        """The nearest message that is not there yet."""
        tops, value, page = self._tops(), self.verticalScrollBar().value(), self.viewport().height()
        width = self.column_width + 2 * MARGIN
        first = max(0, bisect_right(tops, value - AHEAD * page) - 1)
        near = range(first, min(len(self._entries), bisect_right(tops, value + page + AHEAD * page)))
        for index in sorted(near, key=lambda index: abs(tops[index] - value - page // 2)):
            entry = self._entries[index]
            if entry.view is None or entry.view.laid_width != width:
                held = self._held()
                self._make(entry, width)
                self._hold(*held)
                self._ahead.start()
                return

    def _place(self, tops: list[int], value: int) -> None:
        x = (self.width() - self.column_width) // 2 - MARGIN
        page = self.viewport().height()
        spare = len(self.views) - KEPT
        self._shift(x, tops, value)
        for entry, top in zip(self._entries, tops, strict=False):
            if entry.view is None:
                continue
            near = top + entry.height > value - 2 * page and top < value + 3 * page  # more than is made ahead
            stale = entry.view.laid_width != self.column_width + 2 * MARGIN
            busy = entry.message.state == "streaming" or entry.view.editor is not None
            if not near and (spare > 0 or stale) and not busy:
                self._release(entry)
                spare -= 1
            else:
                entry.view.move(x, top - value)

    def _paint_now(self) -> None:
        """While something is still to be painted, Qt paints everything again instead of moving it."""
        QApplication.sendEvent(self.window(), QEvent(QEvent.Type.UpdateRequest))

    def _shift(self, x: int, tops: list[int], value: int) -> None:
        """Where all messages only went up or down together, move what is painted."""
        placed = ((entry.view, top - value) for entry, top in zip(self._entries, tops, strict=False))
        steps = {(x - view.x(), y - view.y()) for view, y in placed if view is not None}
        if len(steps) == 1:
            across, down = steps.pop()
            if across == 0 and 0 < abs(down) < self.viewport().height():
                self.viewport().scroll(0, down)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        if self._settling:
            return
        bar = self.verticalScrollBar()
        self._set_at_end(bar.value() >= bar.maximum() - NEAR)
        self._settle()
        self._ahead.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.oldSize().width() != event.size().width():
            for entry in self._entries:
                if entry.view is None:
                    entry.height = self._estimate(entry.message)
        for view in self.views:
            if view.editor is not None:
                view.laid_width = -1  # an editor is never higher than the page
        self._settle()
        self._ahead.start()

    def _take_height(self, view: MessageView) -> None:
        """The person made a message higher or lower: what stands above stays where it is."""
        for entry in self._entries:
            if entry.view is view and view.laid_width > 0:
                entry.height = view.height()
        self._set_at_end(False)
        self._settle()
        if view.editor is not None and view.geometry().bottom() >= self.viewport().height():
            self._hold(self._index(view.message.id), view.height() - self.viewport().height())
        self._set_at_end(self.verticalScrollBar().value() >= self.verticalScrollBar().maximum() - NEAR)

    def _follow_drag(self, y: int) -> None:
        """A selection drawn past an edge takes the page along."""
        past = min(0, y) + max(0, y - self.viewport().height())
        if past:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + max(-LINE, min(LINE, past)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = self._zoom.steps(event)
        if steps is None:
            super().wheelEvent(event)
        elif steps:
            self.zoom_stepped.emit(steps)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        to = value_after(event.key(), self.verticalScrollBar())
        event.setAccepted(to is not None)
        if to is not None:
            self.verticalScrollBar().setValue(to)
