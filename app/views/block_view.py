"""What every block of a message shares: where it stands in lists and quotes, and its bullet."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.blocks import BULLET, TOP, Block, Prose, Rule
from app.token_runs import TokenRuns
from app.views.reading_style import ReadingStyle
from app.views.style import blend
from app.views.text_surface import BLEED, TextSurface

DEEPEST = 8  # levels beyond this are not indented further


class BlockView(QWidget):
    """One block. The content stands `gap` below the block before, and to the right of bullets and quote bars."""

    refitted = Signal()  # the person changed how high it is

    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.style_ = style
        self.place = TOP
        self.gap = 0
        self.renders = 0  # how often content was drawn anew; sealed blocks stay at what they were
        self.surfaces: list[TextSurface] = []
        self._joined = 0  # quote bars that go on from the block before
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)

    @property
    def inset(self) -> int:
        """How far lists and quotes push the content to the right."""
        return self.style_.indent * min(len(self.place.containers), DEEPEST)

    @property
    def left(self) -> int:
        """Where the content begins: BLEED from the edge, and it ends as far from the other."""
        return BLEED + self.inset

    @property
    def content_width(self) -> int:
        return self.width() - BLEED - self.left

    def show_block(self, block: Block) -> None:
        """Show this block, reusing what is there where it only grew."""
        if block.place != self.place:
            self.place = block.place
            self.update()
        self.renders += 1

    def seal(self) -> None:
        """The block is final."""
        self.setAccessibleName(self.plain_text())

    def set_style(self, style: ReadingStyle) -> None:
        self.style_ = style
        for surface in self.surfaces:
            surface.set_style(style)

    def set_gap(self, gap: int, joined: int) -> None:
        if (gap, joined) != (self.gap, self._joined):
            self.gap, self._joined = gap, joined
            self.update()

    def lay_out(self, width: int) -> int:
        """Arrange at this width; the height this takes, gap included."""
        height = self.gap + self.lay_out_content(max(80, width - self.inset))
        self.resize(width + 2 * BLEED, height)
        return height

    def lay_out_content(self, width: int) -> int:
        return 1

    def mark(self, runs: TokenRuns | None, fresh: bool) -> None:
        """Show which tokens were accepted, recovered and bonus; None for none. fresh: what was marked is void."""

    def reveal(self, surface: TextSurface, area: QRectF) -> None:
        """Scroll sideways, where the content does, so that this area of a surface is seen."""

    def plain_text(self) -> str:
        return ""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.place == TOP:
            return  # most are, and even a painter that paints nothing takes its time
        painter = QPainter(self)
        quote = QColor(blend(self.style_.theme.muted, self.style_.theme.ground, 0.4))
        for level, container in enumerate(self.place.containers[:DEEPEST]):
            if container == "quote":
                top = 0 if level < self._joined else self.gap
                painter.fillRect(QRectF(BLEED + level * self.style_.indent, top, 3, self.height() - top), quote)
        if self.place.marker:
            self._paint_marker(painter)
        painter.end()

    def _paint_marker(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        zoom = self.style_.zoom
        if self.place.marker == BULLET:  # drawn, for faces disagree about its size
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.style_.theme.muted))
            painter.drawEllipse(
                QPointF(self.left - 13 * zoom, self.gap + self.style_.line / 2 + 1), 2.5 * zoom, 2.5 * zoom
            )
            return
        painter.setFont(self.style_.body)
        painter.setPen(QColor(self.style_.theme.muted))
        metrics = QFontMetricsF(self.style_.body)
        x = self.left - 8 - metrics.horizontalAdvance(self.place.marker)
        baseline = self.gap + (self.style_.line - metrics.height()) / 2 + metrics.ascent()
        painter.drawText(QPointF(max(x, self.left - 2 * self.style_.indent), baseline), self.place.marker)


class RuleView(BlockView):
    """A hairline across."""

    def lay_out_content(self, width: int) -> int:
        return 1

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.fillRect(QRectF(self.left, self.gap, self.content_width, 1), QColor(self.style_.theme.line))
        painter.end()


def gap_between(before: Block | None, block: Block) -> int:
    """Fixed by what the two are, so that a list that turns out to be loose moves nothing."""
    if before is None:
        return 0
    if isinstance(block, Prose) and block.level:
        return 24 if block.level <= 2 else 20
    if isinstance(before, Rule) or isinstance(block, Rule):
        return 20
    if isinstance(before, Prose) and before.level:
        return 8
    shared = block.place.containers[: shared_levels(before, block)]
    if isinstance(before, Prose) and isinstance(block, Prose) and block.place.marker and "list" in shared:
        return 6
    return 12


def shared_levels(before: Block | None, block: Block) -> int:
    """How many levels, counted from the outside, both blocks stand in alike."""
    if before is None:
        return 0
    same = 0
    for a, b in zip(before.place.containers, block.place.containers, strict=False):
        if a != b:
            break
        same += 1
    return same
