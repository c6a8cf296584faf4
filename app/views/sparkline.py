"""The course of one number over a reply, as a small line."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPaintEvent, QPen, QTransform
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import LIGHT, Theme

MOST = 100  # points kept, one every two pixels or so; when there are more, neighbours are averaged in pairs
FIRST_SPAN = 40  # points a short reply is drawn over, so that the line grows to the right before it is squeezed


class Sparkline(QWidget):
    def __init__(self, colour: str, parent: QWidget | None = None, *, ground: str = "ground") -> None:
        """colour, ground: names of theme colours; ground is what it stands on."""
        super().__init__(parent)
        self._colour_name, self._ground_name = colour, ground
        self._theme: Theme = LIGHT
        self._idle = False
        self._every = 1  # samples averaged into one point
        self._pending: list[float] = []
        self.points: list[float] = []
        self.marks: list[tuple[float, bool]] = []  # where something else began, in points, and whether it is shaded
        self.ceiling = 0.0  # the value of the upper edge; 0 follows the largest point
        self._course = QPainterPath()  # through the points but the last; in points to the right and values up
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # else all that it stands on is painted first
        self.setFixedHeight(32)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_idle(self, idle: bool) -> None:
        if idle != self._idle:
            self._idle = idle
            self.update()

    def clear(self) -> None:
        self.points, self._pending, self._every, self.marks = [], [], 1, []
        self._course = QPainterPath()
        self.update()

    def add(self, value: float) -> None:
        """Append a sample of this reply; memory and painting stay bounded however long it gets."""
        self._pending.append(value)
        if len(self._pending) < self._every:
            return
        self._append(max(0.0, sum(self._pending) / len(self._pending)))
        self._pending = []
        if len(self.points) > MOST:
            points, self.points = self.points, []
            for a, b in zip(points[::2], points[1::2], strict=False):
                self._append((a + b) / 2)
            self.marks = [(at / 2, shaded) for at, shaded in self.marks]
            self._every *= 2
        self.update()

    def _append(self, value: float) -> None:
        """A curve grows by a piece and is only stretched afterwards: painting it costs no walk over the points."""
        last = len(self.points) - 1
        if last < 0:
            self._course = QPainterPath(QPointF(0.0, value))
        elif last > 0:
            bend, middle = QPointF(last, self.points[-1]), QPointF(last + 0.5, (self.points[-1] + value) / 2)
            self._course.quadTo(bend, middle)
        self.points.append(value)

    def mark(self, *, shaded: bool) -> None:
        """Something else begins here: a line, and a shade over what follows until the next mark."""
        self.marks.append((float(len(self.points)), shaded))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, 32)

    def line(self) -> QPainterPath:
        """The course in widget coordinates."""
        area = self._area()
        ceiling = self.ceiling or max(self.points, default=0.0) * 1.1 or 1.0
        stretch = QTransform(self._step(), 0.0, 0.0, -area.height() / ceiling, area.left(), area.bottom())
        path = stretch.map(self._course)
        if self.points:
            path.lineTo(stretch.map(QPointF(len(self.points) - 1, self.points[-1])))
        return path

    def bands(self) -> list[QRectF]:
        """What is shaded, in widget coordinates."""
        area, step = self._area(), self._step()
        ends = [at for at, _ in self.marks[1:]] + [float(len(self.points))]
        return [
            QRectF(area.left() + step * at, area.top(), step * (end - at), area.height())
            for (at, shaded), end in zip(self.marks, ends, strict=False)
            if shaded
        ]

    def _area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(4, 4, -4, -4)

    def _step(self) -> float:
        """Pixels from one point to the next."""
        return self._area().width() / max(len(self.points) - 1, FIRST_SPAN)

    def _paint_marks(self, painter: QPainter) -> None:
        area, step = self._area(), self._step()
        for band in self.bands():
            painter.fillRect(band, QColor(self._theme.track if self._idle else self._theme.accent_soft))
        painter.setPen(QPen(QColor(self._theme.idle), 1, Qt.PenStyle.DotLine))
        for at, _ in self.marks:
            x = round(area.left() + step * at) + 0.5
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(getattr(self._theme, self._ground_name)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_marks(painter)
        colour = QColor(self._theme.idle if self._idle else str(getattr(self._theme, self._colour_name)))
        base = self.height() - 4.0
        painter.setPen(QPen(QColor(self._theme.line), 1))
        painter.drawLine(QPointF(4, base + 1.5), QPointF(self.width() - 4, base + 1.5))
        if len(self.points) >= 2:
            path = self.line()
            end = path.currentPosition()
            shade = QLinearGradient(0, 0, 0, self.height())
            colour.setAlphaF(0.18)
            shade.setColorAt(0, colour)
            colour.setAlphaF(0.0)
            shade.setColorAt(1, colour)
            under = QPainterPath(path)
            under.lineTo(end.x(), base)
            under.lineTo(self._area().left(), base)
            painter.fillPath(under, shade)
            colour.setAlphaF(1.0)
            painter.strokePath(path, QPen(colour, 1.75, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(end, 2.75, 2.75)
        painter.end()
