"""Fonts, colours and character formats of the conversation, made once for a theme and shared by all its blocks."""

from functools import cached_property

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QIcon, QTextBlockFormat, QTextCharFormat

from app.blocks import Span
from app.highlight import COLOURS, Kind
from app.theme import BODY, LABEL, TITLE, Theme
from app.views.icons import icon
from app.views.style import mono_font, ui_font

LINE = 24  # pixels from one line of text to the next
CODE_LINE = 21
CHARACTERS = 80  # in a line of text, at most, on average
SAMPLE = "the quick brown fox jumps over a lazy dog, and runs into the deep woods again"
INDENT = 24  # of one list or quote
ICON = 18


class ReadingStyle:
    """zoom: how much larger than usual everything is."""

    def __init__(self, theme: Theme, zoom: float = 1.0) -> None:
        self.theme = theme
        self.zoom = zoom
        self.body = ui_font(self.px(BODY))
        self.label = ui_font(self.px(LABEL))
        self.strong_label = ui_font(self.px(LABEL), strong=True)
        self.code = mono_font(self.px(BODY - 1))
        self.line, self.code_line, self.indent = self.px(LINE), self.px(CODE_LINE), self.px(INDENT)
        # Longer lines tire the eye; code and tables may use the whole column.
        self.measure = round(CHARACTERS * QFontMetricsF(self.body).horizontalAdvance(SAMPLE) / len(SAMPLE))
        self._icons: dict[tuple[str, str], QIcon] = {}
        self._formats: dict[Span, QTextCharFormat] = {}

    def px(self, pixels: float) -> int:
        """So many pixels of the usual size."""
        return round(pixels * self.zoom)

    @property
    def sheet(self) -> str:
        """A style sheet for the labels and buttons of the transcript; none at the usual size."""
        if self.zoom == 1.0:
            return ""
        size = f"font-size: {self.px(LABEL)}px;"
        return f"QLabel[kind=heading], QLabel[kind=muted], QToolButton {{ {size} }}"

    def heading(self, level: int) -> QFont:
        return ui_font(self.px(TITLE if level <= 2 else BODY), strong=True)

    def icon(self, name: str, colour: str = "") -> QIcon:
        key = (name, colour or self.theme.muted)
        if key not in self._icons:
            self._icons[key] = icon(*key, ICON)
        return self._icons[key]

    def span_format(self, span: Span) -> QTextCharFormat:
        """How a span is written over the font of its paragraph."""
        style = Span("", bold=span.bold, italic=span.italic, struck=span.struck, code=span.code, link=span.link)
        if style not in self._formats:
            self._formats[style] = self._span_format(style)
        return self._formats[style]

    def _span_format(self, style: Span) -> QTextCharFormat:
        result = QTextCharFormat()
        if style.code:
            result.setFont(self.code)
            result.setFontLetterSpacing(100)
        if style.bold:
            result.setFontWeight(QFont.Weight.DemiBold)
        if style.italic:
            result.setFontItalic(True)
        if style.struck:
            result.setFontStrikeOut(True)
        if style.link:
            result.setAnchor(True)
            result.setAnchorHref(style.link)
            result.setForeground(QColor(self.theme.accent))
            result.setFontUnderline(True)
        return result

    @cached_property
    def syntax(self) -> dict[Kind, QTextCharFormat]:
        result = {}
        for kind, colour in COLOURS[self.theme.name].items():
            result[kind] = QTextCharFormat()
            result[kind].setForeground(QColor(colour))
            result[kind].setFontItalic(kind == "comment")
        return result


ICON_SIZE = QSize(ICON, ICON)


def line_height(pixels: int, *, at_least: bool = False) -> QTextBlockFormat:
    """A paragraph whose lines are this far apart whatever faces they mix, so that Chinese moves nothing.

    at_least: lines with something higher in them take more room.
    """
    result = QTextBlockFormat()
    kinds = QTextBlockFormat.LineHeightTypes
    result.setLineHeight(pixels, (kinds.MinimumHeight if at_least else kinds.FixedHeight).value)
    return result
