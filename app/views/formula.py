"""A formula as a letter of a document: measured and painted like one, and sharp at every size."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QPointF, QRect, QRectF, QSizeF
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtSvg import QSvgRenderer

from app.blocks import Span
from app.mathematics import Picture, picture_of

KIND = QTextFormat.ObjectTypes.UserObject.value + 1
SOURCE = QTextFormat.Property.UserProperty.value + 1  # with its dollars or brackets
TEX, SIZE, COLOUR, DISPLAY = SOURCE + 1, SOURCE + 2, SOURCE + 3, SOURCE + 4


def formula_format(span: Span, font: QFont, colour: str) -> QTextCharFormat:
    """For the one letter that stands for it."""
    result = QTextCharFormat()
    result.setObjectType(KIND)
    result.setFont(font)
    display = span.text.startswith(("$$", "\\["))
    for key, value in ((SOURCE, span.text), (TEX, span.formula), (SIZE, font.pixelSize() * 1.06), (COLOUR, colour)):
        result.setProperty(key, value)
    result.setProperty(DISPLAY, display)
    picture = _picture(result)
    metrics = QFontMetricsF(font)
    # A letter reaches below the line of writing as its font does, or as far as above it; nothing between can be said.
    deep = picture is not None and picture.depth > metrics.descent() + 1
    alignments = QTextCharFormat.VerticalAlignment
    result.setVerticalAlignment(alignments.AlignMiddle if deep else alignments.AlignBaseline)
    return result


class FormulaPainter(QPyTextObject):
    """Register it with a document's layout for KIND."""

    def intrinsicSize(self, document: QTextDocument, place: int, form: QTextFormat) -> QSizeF:
        char = form.toCharFormat()
        picture = _picture(char)
        metrics = QFontMetricsF(char.font())
        if picture is None:
            return QSizeF(metrics.horizontalAdvance(char.property(SOURCE)), metrics.height())
        above = picture.height - picture.depth
        if char.verticalAlignment() == QTextCharFormat.VerticalAlignment.AlignMiddle:
            return QSizeF(picture.width + 2, 2 * max(above, picture.depth))
        return QSizeF(picture.width + 2, max(above, metrics.ascent()) + metrics.descent())

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, document: QTextDocument, place: int, form: QTextFormat
    ) -> None:
        area, char = QRectF(rect), form.toCharFormat()
        picture = _picture(char)
        metrics = QFontMetricsF(char.font())
        middle = char.verticalAlignment() == QTextCharFormat.VerticalAlignment.AlignMiddle
        baseline = area.center().y() if middle and picture is not None else area.bottom() - metrics.descent()
        if picture is None:
            painter.setFont(char.font())
            painter.setPen(QColor(char.property(COLOUR)))
            painter.drawText(QPointF(area.left(), baseline), char.property(SOURCE))
            return
        top = baseline - (picture.height - picture.depth)
        _renderer(picture.svg).render(painter, QRectF(area.left() + 1, top, picture.width, picture.height))


def _picture(form: QTextCharFormat) -> Picture | None:
    tex, size, colour = form.property(TEX), form.property(SIZE), form.property(COLOUR)
    return picture_of(tex, round(float(size), 1), colour, display=bool(form.property(DISPLAY)))


@lru_cache(maxsize=256)
def _renderer(svg: bytes) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(svg))
