"""A chat that is carried over the list with the mouse: into a folder, to the pinned chats, or out of both."""

from PySide6.QtCore import QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QApplication, QListView

from app.language import tr
from app.theme import LIGHT
from app.views.carried_chip import CarriedChip
from app.views.chat_list_model import ChatListModel, Group, Heading, Line, Row, group_of

EDGE, EDGE_MS = 32, 16  # the list scrolls while the mouse is so near to its upper or lower edge
RADIUS, FRAME, WASH = 8, 2, 30  # of what takes the chat; WASH of 255


class CarriedChat(QObject):
    """The list tells where the mouse goes."""

    dropped = Signal(str, object)  # a chat, and the Group it is to be in

    def __init__(self, view: QListView, lines: ChatListModel) -> None:
        super().__init__(view)
        self.theme = LIGHT
        self._view = view
        self._lines = lines
        self._row: Row | None = None  # what the mouse was pressed on
        self._pressed = self._mouse = QPoint()
        self._folders: dict[str, str] = {}  # names by id
        self._target: Group | None = None
        self.chip: CarriedChip | None = None  # while a chat is carried
        self._scroll = QTimer(self, interval=EDGE_MS)
        self._scroll.timeout.connect(self._scroll_on)
        lines.modelReset.connect(self._renew)
        view.verticalScrollBar().valueChanged.connect(self._look)

    @property
    def target(self) -> Group | None:
        """Where the chat would go; None where it would stay."""
        return self._target

    def press(self, row: Row, mouse: QPoint) -> None:
        self.cancel()
        self._row, self._pressed = row, mouse

    def move(self, mouse: QPoint) -> None:
        self._mouse = mouse
        if self._row is None:
            return
        if self.chip is None:
            if (mouse - self._pressed).manhattanLength() < QApplication.startDragDistance():
                return
            self.chip = CarriedChip(self._view.window(), self._row.title)
            self._view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            self._renew()
        self._look()

    def drop(self, mouse: QPoint) -> None:
        self.move(mouse)
        row, target = self._row, self._target
        self.cancel()
        if row is not None and target is not None:
            self.dropped.emit(row.id, target)

    def cancel(self) -> None:
        self._row = self._target = None
        self._scroll.stop()
        if self.chip is not None:
            self.chip.deleteLater()
            self.chip.hide()
            self.chip = None
            self._view.viewport().unsetCursor()
            self._view.viewport().update()

    def paint(self) -> None:
        """A frame around all that is one place for the chat."""
        if self._target is None:
            return
        accent = QColor(self.theme.accent)
        wash = QColor(accent)
        wash.setAlpha(WASH)
        painter = QPainter(self._view.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(accent, FRAME))
        painter.setBrush(wash)
        painter.drawRoundedRect(self._extent(self._target).adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        painter.end()

    def _renew(self) -> None:
        """The lines are others; the chat may be gone from them."""
        if self.chip is None or self._row is None:
            return
        place = self._lines.place(self._row.id)
        if place < 0:
            self.cancel()
            return
        headings = (line for line in self._lines.lines if isinstance(line, Heading))
        self._folders = {heading.folder: heading.text for heading in headings if heading.folder}
        self._look()

    def _look(self) -> None:
        """What is under the mouse?"""
        if self.chip is None or self._row is None:
            return
        inside = self._view.viewport().rect().contains(self._mouse)
        here = group_of(self._line_at(self._mouse), self._folders) if inside else None
        self._target = None if here == group_of(self._row, self._folders) else here
        self.chip.show_at(self._view.viewport().mapTo(self._view.window(), self._mouse), self._deed())
        self._view.viewport().update()
        if self._step() and not self._scroll.isActive():
            self._scroll.start()

    def _deed(self) -> str:
        if self._target is None or self._row is None:
            return ""
        if self._target.pinned:
            return tr("Pin to the top")
        if self._target.folder:
            return tr('Move to "{name}"').format(name=self._folders[self._target.folder])
        return tr("Unpin") if self._row.pinned else tr("Take out of the folder")

    def _line_at(self, mouse: QPoint) -> Line | None:
        index = self._view.indexAt(mouse)
        return self._lines.lines[index.row()] if index.isValid() else None

    def _extent(self, group: Group) -> QRect:
        """Of its lines in sight, and one beyond at either end: an edge that is not in sight is not drawn."""
        port = self._view.viewport().rect()
        extent = QRect()
        for row in range(max(self._view.indexAt(port.topLeft()).row() - 1, 0), len(self._lines.lines)):
            line, rect = self._lines.lines[row], self._view.visualRect(self._lines.index(row))
            if group_of(line, self._folders) == group:
                above = rect.height() // 4 if isinstance(line, Heading) and extent.isNull() else 0  # it is set low
                extent = extent.united(rect.adjusted(0, above, 0, 0))
            if rect.top() > port.bottom():
                break
        if extent.isNull():  # below the last line
            last = self._view.visualRect(self._lines.index(len(self._lines.lines) - 1))
            return last.translated(0, last.height())
        return extent

    def _step(self) -> int:
        """How far the list scrolls at once where the mouse is: the farther, the nearer it is to the edge."""
        port = self._view.viewport().rect()
        if not port.left() <= self._mouse.x() <= port.right():
            return 0
        up, down = EDGE - self._mouse.y(), EDGE - (port.bottom() - self._mouse.y())
        return -min(up, 2 * EDGE) // 3 if up > 0 else min(down, 2 * EDGE) // 3 if down > 0 else 0

    def _scroll_on(self) -> None:
        bar = self._view.verticalScrollBar()
        before = bar.value()
        bar.setValue(before + self._step())
        if bar.value() == before:
            self._scroll.stop()
