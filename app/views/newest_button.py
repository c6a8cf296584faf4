"""A small round button over the conversation: back to where the words come."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.language import tr
from app.views.reading_style import ReadingStyle
from app.views.style import blend

SIDE = 30  # no wider than what lies between the narrowest column and the scroll bar

ICON = 16


class NewestButton(QAbstractButton):
    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self.setFixedSize(SIDE, SIDE)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setToolTip(tr("Go to the newest words"))
        self.setAccessibleName(tr("Newest"))

    def set_style(self, style: ReadingStyle) -> None:
        self._style = style
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(SIDE, SIDE)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._style.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        share = 0.12 if self.isDown() else 0.06 if self.underMouse() else 0.0
        painter.setBrush(QColor(blend(theme.text, theme.raised, share)))
        focused = self.hasFocus()
        painter.setPen(QPen(QColor(theme.accent if focused else theme.line), 2 if focused else 1))
        painter.drawEllipse(QRectF(1, 1, SIDE - 2, SIDE - 2))
        self._style.icon("arrow-down", theme.text).paint(painter, (SIDE - ICON) // 2, (SIDE - ICON) // 2, ICON, ICON)
        painter.end()
