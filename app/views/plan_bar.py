"""The memory plan as a bar: what each part would take, and what stays free. Names and figures stand below it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.language import tr
from app.load_report import megabytes
from app.theme import LABEL, LIGHT, Theme
from app.views.style import blend, ui_font
from inference.plan.memory_plan import MemoryPlan, PartName, Place

BAR, GAP, LINE, SWATCH = 18, 12, 22, 10


def part_name(name: PartName) -> str:
    return {
        "weights": tr("weights"),
        "cache": tr("chat (keys and values)"),
        "snapshots": tr("states to go back to"),
        "prediction layer": tr("own prediction layer"),
        "trained heads": tr("trained drafts"),
        "draft weights": tr("draft"),
        "draft cache": tr("draft's chat"),
        "buffers": tr("computing"),
        "program": tr("program"),
        "card": tr("driver"),
        "loading": tr("only while loading"),
    }[name]


@dataclass(frozen=True)
class Segment:
    """nbytes 0 is not drawn. colour: #rrggbb."""

    label: str
    nbytes: int
    colour: str


class PlanBar(QWidget):
    """Bytes of one place, RAM or the card. What does not fit reaches over the end, which is marked."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._plan: MemoryPlan | None = None
        self._place: Place = "ram"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Memory"))

    def show_plan(self, plan: MemoryPlan | None, place: Place = "ram") -> None:
        """None empties it."""
        self._plan, self._place = plan, place
        if plan is not None:
            self.setAccessibleDescription("; ".join(f"{s.label} {megabytes(s.nbytes)}" for s in self.segments))
        self.updateGeometry()
        self.update()

    @property
    def segments(self) -> Sequence[Segment]:
        if self._plan is None:
            return ()
        parts = [part for part in self._plan.parts if part.place == self._place and part.nbytes]
        return [Segment(part_name(part.name), part.nbytes, self._colour(part.name)) for part in parts]

    @property
    def free_left(self) -> int:
        """Bytes that stay free; below 0 what is missing."""
        return self._plan.free(self._place) - self._plan.needed(self._place) if self._plan else 0

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(self.width(), 240)))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return BAR + GAP + LINE * max(1, len(self._lines(width)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.setFixedHeight(self.heightForWidth(self.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._plan is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        free, needed = self._plan.free(self._place), self._plan.needed(self._place)
        whole = max(free, needed, 1)
        track = QRectF(0, 0, self.width(), BAR)
        path = QPainterPath()
        path.addRoundedRect(track, 6, 6)
        painter.setClipPath(path)
        painter.fillRect(track, QColor(self._theme.track))
        x = 0.0
        for segment in self.segments:
            width = self.width() * segment.nbytes / whole
            painter.fillRect(QRectF(x, 0, max(width - 1, 0.5), BAR), QColor(segment.colour))
            x += width
        if needed > free:  # where the memory ends
            end = self.width() * free / whole
            painter.fillRect(
                QRectF(end, 0, self.width() - end, BAR), QColor(blend(self._theme.error, self._theme.ground, 0.35))
            )
            painter.fillRect(QRectF(end - 1.5, 0, 3, BAR), QColor(self._theme.error))
        painter.setClipping(False)
        self._paint_legend(painter)
        painter.end()

    def _paint_legend(self, painter: QPainter) -> None:
        painter.setFont(ui_font(LABEL, tabular=True))
        y = BAR + GAP
        for line in self._lines(self.width()):
            x = 0
            for entry in line:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(entry.colour))
                painter.drawRoundedRect(QRectF(x, y + 5, SWATCH, SWATCH), 2, 2)
                painter.setPen(QColor(self._theme.text))
                text = self._entry_text(entry)
                painter.drawText(QRectF(x + SWATCH + 6, y, self.width(), LINE - 2), Qt.AlignmentFlag.AlignVCenter, text)
                x += self._entry_width(entry)
            y += LINE

    def _lines(self, width: int) -> list[list[Segment]]:
        """The legend, broken where the width ends."""
        left = self.free_left
        label = tr("stays free") if left >= 0 else tr("missing")
        rest = Segment(label, abs(left), self._theme.track if left >= 0 else self._theme.error)
        lines: list[list[Segment]] = [[]]
        x = 0
        for entry in (*self.segments, rest):
            size = self._entry_width(entry)
            if lines[-1] and x + size > width:
                lines.append([])
                x = 0
            lines[-1].append(entry)
            x += size
        return lines

    def _entry_text(self, entry: Segment) -> str:
        return f"{entry.label}  {megabytes(entry.nbytes)}"

    def _entry_width(self, entry: Segment) -> int:
        metrics = QFontMetrics(ui_font(LABEL, tabular=True))
        return SWATCH + 6 + metrics.horizontalAdvance(self._entry_text(entry)) + 18

    def _colour(self, name: PartName) -> str:
        t = self._theme
        return {
            "weights": t.accent,
            "cache": t.good,
            "snapshots": blend(t.good, t.ground, 0.3),
            "prediction layer": blend(t.accent, t.ground, 0.3),
            "trained heads": blend(t.accent, t.ground, 0.75),
            "draft weights": blend(t.accent, t.ground, 0.55),
            "draft cache": blend(t.good, t.ground, 0.55),
            "buffers": t.warning,
            "program": t.idle,
            "card": t.idle,
            "loading": blend(t.warning, t.ground, 0.5),
        }[name]
