"""Speed and acceptance over the length of a reply, as two lines."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import counts
from app.course import Moment
from app.language import tr
from app.theme import LABEL, Theme
from app.views import figures
from app.views.style import ui_font

HEIGHT = 148
LEFT, RIGHT, TOP, BOTTOM = 44.0, 48.0, 10.0, 42.0


class CourseChart(QWidget):
    """tok/s against the left edge, a solid line; acceptance against the right one, a dashed line."""

    def __init__(self, course: Sequence[Moment], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._course = course
        self._theme = theme
        self.ticks = figures.ticks(max((one.tokens_per_second for one in course), default=0.0), most=4)
        self.ceiling = self.ticks[-1]
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName(tr("Speed and acceptance over the reply"))

    def sizeHint(self) -> QSize:
        return QSize(420, HEIGHT)

    @property
    def area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(LEFT, TOP, -RIGHT, -BOTTOM)

    def speed_line(self) -> list[QPointF]:
        """In widget coordinates."""
        return [self._point(one.tokens, one.tokens_per_second / self.ceiling) for one in self._course]

    def acceptance_line(self) -> list[QPointF]:
        return [self._point(one.tokens, one.acceptance) for one in self._course if one.acceptance is not None]

    def _point(self, tokens: int, share: float) -> QPointF:
        area, last = self.area, self._course[-1].tokens or 1
        return QPointF(area.left() + area.width() * tokens / last, area.bottom() - area.height() * min(1.0, share))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(LABEL, tabular=True))
        self._paint_grid(painter)
        theme = self._theme
        for line, colour, style in (
            (self.acceptance_line(), theme.good, Qt.PenStyle.DashLine),
            (self.speed_line(), theme.accent, Qt.PenStyle.SolidLine),
        ):
            if len(line) > 1:
                painter.strokePath(smooth(line), QPen(QColor(colour), 1.75, style, Qt.PenCapStyle.RoundCap))
        self._paint_legend(painter)
        painter.end()

    def _paint_grid(self, painter: QPainter) -> None:
        area, theme = self.area, self._theme
        metrics = QFontMetricsF(painter.font())
        middle = metrics.capHeight() / 2
        for value in self.ticks:
            y = area.bottom() - area.height() * value / self.ceiling
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(QColor(theme.accent))
            speed = figures.tick(value)
            painter.drawText(QPointF(area.left() - 8 - metrics.horizontalAdvance(speed), y + middle), speed)
        painter.setPen(QColor(theme.good))
        for share in (0.0, 0.5, 1.0) if self.acceptance_line() else ():
            y = area.bottom() - area.height() * share
            painter.drawText(QPointF(area.right() + 8, y + middle), f"{100 * share:.0f} %")
        painter.setPen(QColor(theme.muted))
        last = counts.tokens(self._course[-1].tokens)
        y = area.bottom() + metrics.ascent() + 5
        painter.drawText(QPointF(area.left(), y), "0")
        painter.drawText(QPointF(area.right() - metrics.horizontalAdvance(last), y), last)

    def _paint_legend(self, painter: QPainter) -> None:
        metrics, theme = QFontMetricsF(painter.font()), self._theme
        x, y = self.area.left(), self.height() - 5.0
        entries = [(tr("tok/s"), theme.accent, Qt.PenStyle.SolidLine)]
        if self.acceptance_line():
            entries.append((tr("acceptance"), theme.good, Qt.PenStyle.DashLine))
        for name, colour, style in entries:
            painter.setPen(QPen(QColor(colour), 1.75, style))
            painter.drawLine(QPointF(x, y - metrics.capHeight() / 2), QPointF(x + 22, y - metrics.capHeight() / 2))
            painter.setPen(QColor(theme.muted))
            painter.drawText(QPointF(x + 28, y), name)
            x += 28 + metrics.horizontalAdvance(name) + 20


def smooth(points: list[QPointF]) -> QPainterPath:
    """A curve from the first point to the last that rounds the corners between, and never leaves their range."""
    path = QPainterPath(points[0])
    for a, b in pairwise(points[1:]):
        path.quadTo(a, (a + b) / 2)
    path.lineTo(points[-1])
    return path
