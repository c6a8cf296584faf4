"""A switch for a setting that is on or off."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.views.easing import Easing

TRACK_WIDTH, TRACK_HEIGHT, MARGIN = 36, 20, 3


class Toggle(QAbstractButton):
    edited = Signal(object)  # bool, when the person switches it

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._knob = Easing(self.update, self)
        self.toggled.connect(lambda on: self._knob.to(float(on)))
        self.clicked.connect(lambda: self.edited.emit(self.isChecked()))

    def show_value(self, value: object) -> None:
        if self.isChecked() != bool(value):
            self.setChecked(bool(value))
            self._knob.finish()

    def flush(self) -> None:
        """Nothing is held back."""

    def sizeHint(self) -> QSize:
        return QSize(TRACK_WIDTH + 2 * MARGIN, TRACK_HEIGHT + 2 * MARGIN)

    def paintEvent(self, event: QPaintEvent) -> None:
        palette, on = self.palette(), self._knob.value
        track = QRectF(MARGIN, (self.height() - TRACK_HEIGHT) / 2, TRACK_WIDTH, TRACK_HEIGHT)
        off_colour, on_colour = palette.color(QPalette.ColorRole.Dark), palette.color(QPalette.ColorRole.Highlight)
        knob_off, knob_on = palette.color(QPalette.ColorRole.Base), palette.color(QPalette.ColorRole.HighlightedText)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_between(off_colour, on_colour, on))
        painter.drawRoundedRect(track, TRACK_HEIGHT / 2, TRACK_HEIGHT / 2)
        painter.setBrush(_between(knob_off, knob_on, on))
        radius = TRACK_HEIGHT / 2 - 3
        x = track.left() + TRACK_HEIGHT / 2 + on * (TRACK_WIDTH - TRACK_HEIGHT)
        painter.drawEllipse(QPointF(x, track.center().y()), radius, radius)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(on_colour, 1.5))
            ring = track.adjusted(-2.25, -2.25, 2.25, 2.25)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)
        painter.end()


def _between(a: QColor, b: QColor, share: float) -> QColor:
    return QColor.fromRgbF(
        a.redF() + (b.redF() - a.redF()) * share,
        a.greenF() + (b.greenF() - a.greenF()) * share,
        a.blueF() + (b.blueF() - a.blueF()) * share,
    )
