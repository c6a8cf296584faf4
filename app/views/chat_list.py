"""The list of chats: quick with ten thousand of them, for only the lines in sight are asked for."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QListView

from app.theme import Theme
from app.views.beside_heading import Move, beside_heading
from app.views.carried_chat import CarriedChat
from app.views.chat_list_delegate import ChatListDelegate
from app.views.chat_list_model import IDENTIFIER, LINE, ChatListModel, Heading, HitLine, Line

Index = QModelIndex | QPersistentModelIndex


class ChatList(QListView):
    """Chats under headings that cannot be chosen; a folder's heading folds it. A chat can be carried to others."""

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
        self.grouped = True  # chats stand under what they belong to, not under what was looked for
        self.carried = CarriedChat(self, self.lines)
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
        self._delegate.theme = self.carried.theme = theme
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

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.carried.cancel()
        super().focusOutEvent(event)

    def event(self, event: QEvent) -> bool:
        """Esc drops what is carried where it was, before it stops a reply."""
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escape and self.carried.chip is not None:
            if event.type() == QEvent.Type.KeyPress:
                self.carried.cancel()
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.current:
            self.delete_pressed.emit(self.current)
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.carried.paint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.carried.cancel()
        line = self.line_at(event.position().toPoint())
        if isinstance(line, Heading) and line.folder and event.button() == Qt.MouseButton.LeftButton:
            self.heading_pressed.emit(line.folder)
            return
        if isinstance(line, HitLine) and self.indexAt(event.position().toPoint()) == self.currentIndex():
            self.chosen.emit(line)  # once more to the same place
        super().mousePressEvent(event)
        if (
            self.grouped
            and event.button() == Qt.MouseButton.LeftButton
            and not isinstance(line, Heading | HitLine | None)
        ):
            self.carried.press(line, event.position().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt would choose each chat that the mouse is drawn over."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.carried.move(event.position().toPoint())
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.carried.drop(event.position().toPoint())

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
