"""An arc that shows one number out of a scale, with the number itself in the middle."""

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import DISPLAY, LABEL, LIGHT, Theme
from app.views.easing import Easing
from app.views.style import ui_font

START, SWEEP = 225.0, 270.0  # degrees, counted counter-clockwise from three o'clock; the arc runs clockwise
THICKNESS = 10.0
SIZE, SMALLEST = 160, 128
SMALL = 104  # where two stand beside each other


class Gauge(QWidget):
    """Shows `hint` until it has a value. The latest value wins; the arc and the number walk to it in 150 ms."""

    def __init__(
        self,
        caption: str,
        short: str,
        hint: str,
        *,
        write: Callable[[float], str],
        colour: str,
        parent: QWidget | None = None,
    ) -> None:
        """short: the caption where there is little room. write: the number as text. colour: a theme colour's name."""
        super().__init__(parent)
        self._caption, self._short, self._hint, self._write, self._colour_name = caption, short, hint, write, colour
        self._theme: Theme = LIGHT
        self._has_value = False
        self._idle = False
        self._still = QPixmap()
        self._drawn: tuple[object, ...] = ()  # what it shows
        self._number_font, self._baseline = QFont(), 0.0
        self.scale = 1.0
        self.number = Easing(self.update, self)
        self.fraction = Easing(self.update, self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # else all that it stands on is painted first
        self.setMinimumHeight(SMALLEST)
        self.setMaximumHeight(SIZE)
        self.setAccessibleName(caption)
        self.setAccessibleDescription(hint)

    @property
    def value(self) -> float | None:
        """The latest value given, not the one being painted."""
        return self.number.target if self._has_value else None

    @property
    def idle(self) -> bool:
        return self._idle

    @property
    def easing(self) -> bool:
        return self.number.running or self.fraction.running

    @property
    def colour(self) -> str:
        return self._theme.idle if self._idle else str(getattr(self._theme, self._colour_name))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_idle(self, idle: bool) -> None:
        """Grey while speculation is off or paused."""
        if idle != self._idle:
            self._idle = idle
            self.update()

    def show_value(self, value: float, scale: float) -> None:
        """value out of scale; a first value after `clear` walks up from nothing."""
        self._has_value = True
        self.scale = scale
        self.number.to(value)
        self.fraction.to(min(1.0, max(0.0, value / scale)) if scale > 0 else 0.0)
        self.setAccessibleDescription(f"{self._write(value)} {self._caption}")
        self.update()

    def clear(self, hint: str | None = None) -> None:
        """No value: an empty arc and the hint."""
        self._has_value = False
        if hint is not None:
            self._hint = hint
        self.number.to(0.0, at_once=True)
        self.fraction.to(0.0, at_once=True)
        self.setAccessibleDescription(self._hint)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(SIZE, SIZE)

    def arc_rect(self) -> QRectF:
        """The circle the arc lies on; the arc's open quarter at the bottom is left to the scale's two ends."""
        side = min(self.width(), self.height()) - THICKNESS - 2.0  # a pixel each side for the soft edge
        return QRectF((self.width() - side) / 2, THICKNESS / 2 + 1.0, side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        circle = self.arc_rect()
        painter.drawPixmap(0, 0, self._ground(circle, painter.deviceTransform().m11()))
        if self._has_value:
            if self.fraction.value > 0:
                self._paint_arc(painter, circle, self.fraction.value, self.colour)
            self._paint_number(painter, circle)
        else:
            self._paint_hint(painter, circle)
        painter.end()

    def _ground(self, circle: QRectF, ratio: float) -> QPixmap:
        """Track, caption and scale: drawn once, as only the number and its arc change while a reply runs."""
        drawn = (self.size(), ratio, self._theme, self.scale, self._has_value)
        if drawn != self._drawn:
            self._drawn = drawn
            self._still = QPixmap(self.size() * ratio)
            self._still.setDevicePixelRatio(ratio)
            self._still.fill(Qt.GlobalColor.transparent)  # which keeps coloured edges from its letters
            self._number_font = ui_font(round(DISPLAY * self._share(circle)), strong=True, tabular=True)
            self._baseline = circle.center().y() + QFontMetrics(self._number_font).capHeight() * 0.42
            painter = QPainter(self._still)
            painter.fillRect(self.rect(), QColor(self._theme.ground))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_arc(painter, circle, 1.0, self._theme.track)
            if self._has_value:
                self._paint_captions(painter, circle)
            painter.end()
        return self._still

    def _paint_arc(self, painter: QPainter, circle: QRectF, fraction: float, colour: str) -> None:
        pen = QPen(QColor(colour), THICKNESS, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawArc(circle, round(START * 16), round(-SWEEP * fraction * 16))

    def _share(self, circle: QRectF) -> float:
        """How large the gauge is of the size that its letters were chosen for."""
        return min(1.0, circle.width() / (SIZE - THICKNESS))

    def _paint_number(self, painter: QPainter, circle: QRectF) -> None:
        painter.setFont(self._number_font)
        painter.setPen(QColor(self._theme.text))
        text = self._write(self.number.value)
        half = painter.fontMetrics().horizontalAdvance(text) / 2
        painter.drawText(QPointF(circle.center().x() - half, self._baseline), text)

    def _paint_captions(self, painter: QPainter, circle: QRectF) -> None:
        share, middle = self._share(circle), circle.center().x()
        painter.setFont(ui_font(LABEL))
        painter.setPen(QColor(self._theme.muted))
        metrics = painter.fontMetrics()
        caption, inner = self._caption, circle.width() - 2 * THICKNESS
        if metrics.horizontalAdvance(caption) > inner * 0.9 * share:  # the arc is narrower there than in the middle
            caption = self._short
        below = self._baseline + LABEL + 10 * share**2
        painter.drawText(QPointF(middle - metrics.horizontalAdvance(caption) / 2, below), caption)
        # What the arc's two ends stand for, so that its length can be read.
        reach = circle.width() / 2 * math.cos(math.radians(START - 180))
        for x, end in ((middle - reach, "0"), (middle + reach, self._write(self.scale).removesuffix(".0"))):
            painter.drawText(QPointF(x - metrics.horizontalAdvance(end) / 2, circle.bottom() + 1), end)

    def _paint_hint(self, painter: QPainter, circle: QRectF) -> None:
        inset = THICKNESS / 2 + 7
        inner = circle.adjusted(inset, inset, -inset, -inset)
        painter.setFont(ui_font(LABEL))
        painter.setPen(QColor(self._theme.muted))
        flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
        needed = painter.fontMetrics().boundingRect(inner.toRect(), flags, self._hint)
        fits = math.hypot(needed.width(), needed.height()) <= 1.2 * inner.width()  # lines seldom reach into the corners
        painter.drawText(inner, flags, self._hint if fits else self._short)
