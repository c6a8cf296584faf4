"""What the colours of tokens mean."""

from typing import get_args

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.views.reading_style import ReadingStyle
from app.views.text_surface import underline
from inference.events import Origin

HEIGHT = 32  # where text has its usual size
GAP = 20


class Legend(QWidget):
    """Accepted, recovered and bonus, each drawn as it is in the text."""

    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self.set_style(style)
        self.setAccessibleName(", ".join(f"{name}: {meaning}" for _, name, meaning in self._items()))
        self.setToolTip("\n".join(f"{name}: {meaning}" for _, name, meaning in self._items()))

    def set_style(self, style: ReadingStyle) -> None:
        self._style = style
        self.setFixedHeight(round(HEIGHT * style.zoom))
        self.update()

    def _items(self) -> list[tuple[Origin, str, str]]:
        items: list[tuple[Origin, str, str]] = [
            ("accepted", tr("accepted token"), tr("the draft wrote it, the target agreed")),
            ("recovered", tr("recovered"), tr("the target's own, in place of a rejected draft token")),
            ("bonus", tr("bonus"), tr("the target's own, after a draft it accepted whole")),
        ]
        assert {item[0] for item in items} < set(get_args(Origin))
        return items

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self._style.label)
        width = sum(metrics.horizontalAdvance(name) + GAP for _, name, _ in self._items())
        return QSize(round(width), self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._style.label)
        metrics = QFontMetricsF(self._style.label)
        theme, zoom, height, x = self._style.theme, self._style.zoom, self.height(), 4.0
        for origin, name, _ in self._items():
            width = metrics.horizontalAdvance(name)
            if origin == "accepted":
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(theme.accent_soft))
                painter.drawRoundedRect(QRectF(x - 4, 6 * zoom, width + 8, height - 12 * zoom), 4, 4)
            else:
                painter.setPen(underline(self._style, origin))
                painter.drawLine(QPointF(x, height - 8 * zoom), QPointF(x + width, height - 8 * zoom))
            painter.setPen(QColor(theme.muted))
            painter.drawText(QRectF(x, 0, width + 1, height - 1), Qt.AlignmentFlag.AlignVCenter, name)
            x += width + GAP
        painter.end()
