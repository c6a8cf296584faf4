"""The list of chats: quick with ten thousand of them, for only the lines in sight are asked for."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.theme import BODY, LABEL, LIGHT, Theme
from app.views.beside_heading import Move, beside_heading
from app.views.chat_list_model import IDENTIFIER, LINE, ChatListModel, Heading, HitLine, Line
from app.views.icons import icon
from app.views.style import ui_font

HEIGHT, HIT_HEIGHT = 37, 58
PAD = 12
Index = QModelIndex | QPersistentModelIndex


class ChatListDelegate(QStyledItemDelegate):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line = index.data(LINE)
        return QSize(100, HIT_HEIGHT if isinstance(line, HitLine) else HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = index.data(LINE)
        if isinstance(line, Heading):
            self._paint_heading(painter, option, line)
        elif isinstance(line, HitLine):
            self._paint_hit(painter, option, index, line)
        else:
            super().paint(painter, option, index)

    def _paint_heading(self, painter: QPainter, option: QStyleOptionViewItem, line: Heading) -> None:
        rect = _rect(option).adjusted(PAD + 2, 0, -PAD, -7)
        painter.save()
        if line.folder:
            name = "chevron-right" if line.folded else "chevron-down"
            icon(name, self.theme.muted, 14).paint(painter, QRect(rect.x() - 3, rect.bottom() - 15, 14, 14))
            rect.setLeft(rect.x() + 15)
        font = ui_font(LABEL, strong=True)
        painter.setFont(font)
        painter.setPen(QColor(self.theme.muted))
        text = QFontMetrics(font).elidedText(line.text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, text)
        painter.restore()

    def _paint_hit(self, painter: QPainter, option: QStyleOptionViewItem, index: Index, line: HitLine) -> None:
        """The chat's title, and below it the words around what was found."""
        self.initStyleOption(option, index)
        option.text = ""
        widget = option.widget
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, widget)
        rect = _rect(option).adjusted(PAD, 8, -PAD, -8)
        painter.save()
        title, small, strong = ui_font(BODY - 1), ui_font(LABEL), ui_font(LABEL, strong=True)
        painter.setFont(title)
        painter.setPen(QColor(self.theme.text))
        shown = QFontMetrics(title).elidedText(line.title, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, shown)
        before, found, after = line.line[: line.start], line.line[line.start : line.end], line.line[line.end :]
        before = QFontMetrics(small).elidedText(before, Qt.TextElideMode.ElideLeft, rect.width() // 2)
        x, room = rect.x(), rect.width()
        for text, font in ((before, small), (found, strong), (after, small)):
            colour = self.theme.text if font is strong else self.theme.muted
            width = self._paint_part(painter, text, font, colour, QRect(x, rect.y(), room, rect.height()))
            x, room = x + width, room - width
            if room <= 0:
                break
        painter.restore()

    def _paint_part(self, painter: QPainter, text: str, font: QFont, colour: str, rect: QRect) -> int:
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, shown)
        return rect.width() if shown != text else metrics.horizontalAdvance(text)


def _rect(option: QStyleOptionViewItem) -> QRect:
    return QRect(option.rect)


class ChatList(QListView):
    """Chats under headings that cannot be chosen; a folder's heading folds it."""

    chosen = Signal(object)  # a Row or HitLine
    delete_pressed = Signal(str)
    heading_pressed = Signal(str)  # a folder's id

    def __init__(self) -> None:
        super().__init__()
        self.lines = ChatListModel()
        self.setModel(self.lines)
        self._delegate = ChatListDelegate(self)
        self.setItemDelegate(self._delegate)
        self._quiet = False
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setEditTriggers(QListView.EditTrigger.EditKeyPressed | QListView.EditTrigger.DoubleClicked)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setUniformItemSizes(True)

    @property
    def current(self) -> str:
        """The chat that is marked, or ""."""
        return self.currentIndex().data(IDENTIFIER) or ""

    def show_lines(self, lines: list[Line], current: str) -> None:
        self._quiet = True
        before, at = self.current, self.verticalScrollBar().value()
        self.setUniformItemSizes(not any(isinstance(line, HitLine) for line in lines[-1:]))
        focused = QApplication.focusWidget()
        typing = focused is not None and focused is not self and self.isAncestorOf(focused)
        self.lines.show_lines(lines)
        self._quiet = False
        self.mark(current)
        if typing:  # the editor of a name went with the lines
            self.setFocus()
        if current == before:  # nothing moves under the reader
            self.executeDelayedItemsLayout()
            self.verticalScrollBar().setValue(at)

    def mark(self, chat: str) -> None:
        """Mark a chat without saying that it was chosen; "" marks none."""
        if chat and chat == self.current:
            return
        self._quiet = True
        place = self.lines.place(chat) if chat else -1
        self.setCurrentIndex(self.lines.index(place) if place >= 0 else QModelIndex())
        if place < 0:
            self.clearSelection()
        self._quiet = False

    def go(self, step: int) -> None:
        """Choose the line `step` places further down; headings are passed over."""
        places = [place for place, line in enumerate(self.lines.lines) if not isinstance(line, Heading)]
        if not places:
            return
        here = self.currentIndex().row()
        place = places.index(here) + step if here in places else 0
        self.setCurrentIndex(self.lines.index(places[max(0, min(place, len(places) - 1))]))

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.viewport().update()

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Only the sign of a reply comes and goes: Qt would lay out ten thousand lines anew for it."""
        self.update(first)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        line = current.data(LINE) if current.isValid() else None
        if line is not None and not self._quiet:
            self.chosen.emit(line)

    def moveCursor(self, move: Move, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        return beside_heading(super().moveCursor(move, modifiers), move)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt goes to the first line where none is marked; who only passes by chooses none."""
        marked, self._quiet = self.currentIndex().isValid(), True
        super().focusInEvent(event)
        if not marked:
            self.setCurrentIndex(QModelIndex())
        self._quiet = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.current:
            self.delete_pressed.emit(self.current)
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        line = self.line_at(event.position().toPoint())
        if isinstance(line, Heading) and line.folder and event.button() == Qt.MouseButton.LeftButton:
            self.heading_pressed.emit(line.folder)
            return
        if isinstance(line, HitLine) and self.indexAt(event.position().toPoint()) == self.currentIndex():
            self.chosen.emit(line)  # once more to the same place
        super().mousePressEvent(event)

    def line_at(self, place: QPoint) -> Line | None:
        index = self.indexAt(place)
        return self.lines.lines[index.row()] if index.isValid() else None

    def edit_chat(self, chat: str) -> None:
        """Rename in place."""
        place = self.lines.place(chat)
        if place >= 0:
            self.setFocus()
            self.setCurrentIndex(self.lines.index(place))
            self.edit(self.lines.index(place))
