"""A selection that runs over all the text of a message, as if it were one."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.views.block_view import BlockView
from app.views.text_surface import TextSurface


@dataclass(frozen=True, order=True)
class Spot:
    """A place in one of the surfaces of a message."""

    surface: int
    place: int


class Selection:
    def __init__(self, host: QWidget, blocks: Callable[[], list[BlockView]]) -> None:
        self._host = host
        self._blocks = blocks
        self._anchor = Spot(0, 0)
        self._presses = 0  # a third press selects the paragraph

    @property
    def surfaces(self) -> list[TextSurface]:
        return [surface for block in self._blocks() for surface in block.surfaces]

    def surface_at(self, point: QPointF) -> tuple[TextSurface, QPointF] | None:
        """The surface under a point of the host, and the point in it."""
        for surface in self.surfaces:
            inside = QPointF(surface.mapFrom(self._host, point))
            if surface.rect().contains(inside.toPoint()):
                return surface, inside
        return None

    def spot_at(self, point: QPointF) -> Spot:
        """The place nearest to a point of the host."""
        spot = Spot(0, 0)
        for index, surface in enumerate(self.surfaces):
            origin = surface.mapTo(self._host, QPoint(0, 0))
            if point.y() < origin.y():
                break
            inside = point - QPointF(origin)
            below = inside.y() > surface.height()
            spot = Spot(index, surface.length if below else surface.place_at(inside))
        return spot

    def begin(self, spot: Spot) -> None:
        self._anchor = spot
        self.extend(spot)

    def extend(self, spot: Spot) -> None:
        """Select from where it began to here."""
        low, high = min(self._anchor, spot), max(self._anchor, spot)
        for index, surface in enumerate(self.surfaces):
            start = low.place if index == low.surface else 0
            end = high.place if index == high.surface else surface.length
            inside = low.surface <= index <= high.surface
            surface.select(start if inside else 0, end if inside else 0)

    def select_word(self, spot: Spot) -> None:
        surface = self.surfaces[spot.surface]
        start, end = surface.word_at(spot.place)
        self.begin(Spot(spot.surface, start))
        self.extend(Spot(spot.surface, end))

    def select_surface(self, spot: Spot) -> None:
        self.begin(Spot(spot.surface, 0))
        self.extend(Spot(spot.surface, self.surfaces[spot.surface].length))

    def select_all(self) -> None:
        surfaces = self.surfaces
        if surfaces:
            self.begin(Spot(0, 0))
            self.extend(Spot(len(surfaces) - 1, surfaces[-1].length))

    def press(self, event: QMouseEvent) -> None:
        """The left button goes down: begin, go on (Shift), or take the paragraph (a third press)."""
        spot = self.spot_at(event.position())
        if self._presses == 2:
            self.select_surface(spot)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.extend(spot)
        else:
            self.begin(spot)
        self._presses = 1

    def double_click(self, event: QMouseEvent) -> None:
        self.select_word(self.spot_at(event.position()))
        self._presses = 2
        QTimer.singleShot(QApplication.doubleClickInterval(), self._host, self._forget_presses)

    def select_first(self, words: str) -> int:
        """Select the first place that has these words; its height in the host, 0 when there is none."""
        for surface in self.surfaces if words else []:
            found = surface.document.find(words)
            if not found.isNull():
                surface.select(found.selectionStart(), found.selectionEnd())
                line = surface.document.documentLayout().blockBoundingRect(found.block())
                return surface.mapTo(self._host, QPoint(0, 0)).y() + round(line.y())
        return 0

    def _forget_presses(self) -> None:
        self._presses = 0

    def clear(self) -> None:
        for surface in self.surfaces:
            surface.select(0, 0)

    def text(self) -> str:
        """What is selected, bullets and numbers included where an item is selected from its beginning."""
        result, before = "", ""
        for block in self._blocks():
            for surface in block.surfaces:
                start, end = surface.selection
                if start >= end:
                    continue
                marker = f"{block.place.marker} " if block.place.marker and start == 0 else ""
                between = "\n" if marker and before else "\n\n"
                result += (between if result else "") + marker + surface.selected_text()
                before = marker
        return result
