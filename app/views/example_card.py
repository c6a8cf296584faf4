"""One example question, offered while a conversation is empty."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.language import tr
from app.theme import RADIUS
from app.views.reading_style import ReadingStyle
from app.views.style import blend

HEIGHT = 68
PAD = 16


class ExampleCard(QAbstractButton):
    def __init__(self, topic: str, question: str, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.question = question
        self._topic = topic
        self._style = style
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(question)
        self.setToolTip(tr("Ask this"))
        self.setFixedHeight(HEIGHT)

    def set_style(self, style: ReadingStyle) -> None:
        self._style = style
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(480, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._style.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        share = 0.10 if self.isDown() else 0.05 if self.underMouse() else 0.0
        painter.setBrush(QColor(blend(theme.text, theme.raised, share)))
        focused = self.hasFocus()
        painter.setPen(QPen(QColor(theme.accent if focused else theme.line), 2 if focused else 1))
        inset = 1.0 if focused else 0.5
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)
        inner = QRectF(PAD, 11, self.width() - 2 * PAD - 24, HEIGHT - 22)
        painter.setFont(self._style.strong_label)
        painter.setPen(QColor(theme.muted))
        painter.drawText(inner, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, self._topic)
        painter.setFont(self._style.body)
        painter.setPen(QColor(theme.text))
        shown = painter.fontMetrics().elidedText(self.question, Qt.TextElideMode.ElideRight, int(inner.width()))
        painter.drawText(inner, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, shown)
        arrow = self._style.icon("chevron-right")
        arrow.paint(painter, self.width() - PAD - 18, (HEIGHT - 18) // 2, 18, 18)
        painter.end()
