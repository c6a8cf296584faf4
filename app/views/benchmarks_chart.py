"""Curves or bars of measured figures. A value is read by hovering, or with the arrow keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.language import tr
from app.theme import LABEL, RADIUS, Theme
from app.views import figures
from app.views.style import theme_of, ui_font

LEGEND, BELOW, ABOVE, RIGHT = 26, 28, 10, 16  # pixels around the plot
MARK = 4.0  # half the width of a point's mark
COLOURS = ("accent", "good", "warning", "muted")  # never alone: each curve has a mark of its own


@dataclass(frozen=True)
class Point:
    """words: all there is to say about it."""

    x: float
    y: float
    words: str


@dataclass(frozen=True)
class Curve:
    """colour: which of COLOURS; None takes the next. dashed: what the others are compared with."""

    name: str
    points: tuple[Point, ...]
    colour: int | None = None
    dashed: bool = False


class BenchmarksChart(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.curves: tuple[Curve, ...] = ()
        self.bars = False
        self.selected: tuple[int, int] | None = None  # a curve, and a point of it
        self._labels: dict[float, str] = {}
        self._unit = ""
        self._hint = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumHeight(200)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Chart of the results"))

    def show_curves(
        self, curves: Sequence[Curve], labels: Mapping[float, str], unit: str, *, bars: bool = False, hint: str = ""
    ) -> None:
        """labels: what stands below the axis, by x. hint: said while there is nothing to draw."""
        self.curves = tuple(curve for curve in curves if curve.points)
        self._labels, self._unit, self.bars, self._hint = dict(labels), unit, bars, hint
        self.selected = None
        self._describe()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, 280)

    @property
    def words(self) -> str:
        """Of the point that is selected, or ""."""
        if self.selected is None:
            return ""
        curve, point = self.selected
        return self.curves[curve].points[point].words

    def place(self, curve: int, point: int) -> QPointF:
        """Of a point, in widget coordinates; of a bar, the middle of its upper edge."""
        area, (low, high) = self._area(), self._span()
        found = self.curves[curve].points[point]
        y = area.bottom() - area.height() * found.y / self._top()
        if self.bars:
            return QPointF(self._bar(curve, found).center().x(), y)
        return QPointF(area.left() + area.width() * (found.x - low) / (high - low), y)

    # Reading values

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        places = [(c, p) for c, curve in enumerate(self.curves) for p in range(len(curve.points))]

        def distance(one: tuple[int, int]) -> float:
            away = self.place(*one) - event.position()
            return away.x() ** 2 + away.y() ** 2 / 4  # columns are easier to hit than heights

        self._select(min(places, key=distance, default=None))

    def leaveEvent(self, event: QEvent) -> None:
        self._select(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None or not self.curves:
            super().keyPressEvent(event)
            return
        curve, point = self.selected or (0, -1 if step[1] > 0 else 0)
        curve = min(max(curve + step[0], 0), len(self.curves) - 1)
        point = min(max(point + step[1], 0), len(self.curves[curve].points) - 1)
        self._select((curve, point))

    def _select(self, place: tuple[int, int] | None) -> None:
        if place != self.selected:
            self.selected = place
            self._describe()
            self.update()

    def _describe(self) -> None:
        names = ", ".join(curve.name for curve in self.curves)
        self.setAccessibleDescription(self.words or names or self._hint)

    # Painting

    def _ticks(self) -> list[float]:
        return figures.ticks(max((point.y for curve in self.curves for point in curve.points), default=1.0))

    def _top(self) -> float:
        return self._ticks()[-1]

    def _span(self) -> tuple[float, float]:
        places = [point.x for curve in self.curves for point in curve.points]
        low, high = min(places, default=0.0), max(places, default=1.0)
        return (low - 0.5, high + 0.5) if self.bars or low == high else (low, high)

    def _area(self) -> QRectF:
        metrics = QFontMetrics(ui_font(LABEL, tabular=True))
        left = 12 + max(28, *(metrics.horizontalAdvance(self._number(value)) for value in self._ticks()))
        return QRectF(self.rect()).adjusted(left, ABOVE + LEGEND, -RIGHT, -BELOW)

    def _number(self, value: float) -> str:
        return f"{figures.tick(value * 100)} %" if self._unit == "%" else figures.tick(value)

    def _bar(self, curve: int, point: Point) -> QRectF:
        area, (low, high) = self._area(), self._span()
        step = area.width() / (high - low)
        width = min(step * 0.7 / max(len(self.curves), 1), 56.0)
        middle = area.left() + step * (point.x - low)
        left = middle + width * (curve - len(self.curves) / 2)
        height = area.height() * point.y / self._top()
        return QRectF(left + 1, area.bottom() - height, width - 2, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(LABEL, tabular=True))
        theme = theme_of(self)
        if not self.curves:
            painter.setPen(QColor(theme.muted))
            flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
            painter.drawText(QRectF(self.rect()).adjusted(24, 0, -24, 0), flags, self._hint)
        else:
            self._paint_grid(painter, theme)
            self._paint_legend(painter, theme)
            for index, curve in enumerate(self.curves):
                self._paint_curve(painter, theme, index, curve)
            if self.selected is not None:
                self._paint_words(painter, theme)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        painter.end()

    def _paint_grid(self, painter: QPainter, theme: Theme) -> None:
        area, (low, high) = self._area(), self._span()
        for value in self._ticks():
            y = round(area.bottom() - area.height() * value / self._top()) + 0.5
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(QColor(theme.muted))
            text = QRectF(0, y - 10, area.left() - 8, 20)
            flags = int(Qt.AlignmentFlag.AlignRight) | int(Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(text, flags, self._number(value))
        last = -1e9
        metrics = painter.fontMetrics()
        for x, label in sorted(self._labels.items()):
            middle = area.left() + area.width() * (x - low) / (high - low)
            width = metrics.horizontalAdvance(label)
            left = min(middle - width / 2, self.width() - width - 2)
            if left > last + 8:  # what has no room is left out
                painter.drawText(QPointF(left, area.bottom() + 20), label)
                last = left + width

    def _paint_legend(self, painter: QPainter, theme: Theme) -> None:
        x, metrics = self._area().left(), painter.fontMetrics()
        for index, curve in enumerate(self.curves):
            self._paint_mark(painter, QPointF(x + MARK, ABOVE + 6), index, theme)
            painter.setPen(QColor(theme.text))
            painter.drawText(QPointF(x + 4 * MARK, ABOVE + 6 + metrics.capHeight() / 2), curve.name)
            x += 4 * MARK + metrics.horizontalAdvance(curve.name) + 20
        painter.setPen(QColor(theme.muted))
        words = self._unit if self._unit != "%" else ""
        right = QRectF(0, ABOVE - 4, self.width() - RIGHT, 20)
        painter.drawText(right, int(Qt.AlignmentFlag.AlignRight) | int(Qt.AlignmentFlag.AlignVCenter), words)

    def _colour(self, index: int, theme: Theme) -> QColor:
        own = self.curves[index].colour
        return QColor(str(getattr(theme, COLOURS[(index if own is None else own) % len(COLOURS)])))

    def _paint_curve(self, painter: QPainter, theme: Theme, index: int, curve: Curve) -> None:
        colour = self._colour(index, theme)
        if self.bars:
            for place, point in enumerate(curve.points):
                shade = QColor(colour)
                shade.setAlphaF(1.0 if self.selected in (None, (index, place)) else 0.55)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(shade)
                painter.drawRoundedRect(self._bar(index, point), 3, 3)
            return
        places = [self.place(index, i) for i in range(len(curve.points))]
        line = Qt.PenStyle.DashLine if curve.dashed else Qt.PenStyle.SolidLine
        painter.setPen(QPen(colour, 1.75, line, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(places))
        for at in places:
            self._paint_mark(painter, at, index, theme)

    def _paint_mark(self, painter: QPainter, place: QPointF, index: int, theme: Theme, size: float = MARK) -> None:
        painter.setPen(QPen(QColor(theme.ground), 1))
        painter.setBrush(self._colour(index, theme))
        square = QRectF(place.x() - size, place.y() - size, 2 * size, 2 * size)
        if index % 4 == 0:
            painter.drawEllipse(square)
        elif index % 4 == 1:
            painter.drawRect(square.adjusted(0.5, 0.5, -0.5, -0.5))
        else:
            tip = -size if index % 4 == 2 else size
            corners = [QPointF(0, tip), QPointF(size, -tip * 0.8), QPointF(-size, -tip * 0.8)]
            painter.drawPolygon(QPolygonF([place + corner for corner in corners]))

    def _paint_words(self, painter: QPainter, theme: Theme) -> None:
        assert self.selected is not None
        place = self.place(*self.selected)
        if not self.bars:
            self._paint_mark(painter, place, self.selected[0], theme, MARK + 2)
        metrics = painter.fontMetrics()
        width, height = metrics.horizontalAdvance(self.words) + 20, metrics.height() + 12
        left = min(max(place.x() - width / 2, 4.0), max(self.width() - width - 4.0, 4.0))
        top = place.y() - height - 10 if place.y() - height - 10 > 2 else place.y() + 12
        box = QRectF(round(left), round(top), width, height)
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self.words)
