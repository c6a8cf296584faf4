"""How the lines of the list of chats are painted."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.theme import BODY, LABEL, LIGHT
from app.views.chat_list_model import LINE, Heading, HitLine
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

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Over the line: Qt's own place hangs into the next one."""
        editor.setGeometry(_rect(option).adjusted(3, 1, -3, -1))

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
