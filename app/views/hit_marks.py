"""The words that are looked for, marked in one message; one of them may be the hit being looked at."""

from collections.abc import Callable

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from app.finding import Pattern
from app.views.block_view import BlockView
from app.views.text_surface import TextSurface
from app.views.thought_view import ThoughtView


class HitMarks:
    """Hits are counted through the whole message, its thought first, folded or not."""

    def __init__(
        self, host: QWidget, blocks: Callable[[], list[BlockView]], thought: Callable[[], ThoughtView | None]
    ) -> None:
        self._host = host
        self._blocks = blocks
        self._thought = thought
        self._pattern: Pattern | None = None
        self._current = -1
        self._in_thought = 0

    def mark(self, pattern: Pattern | None, current: int = -1, in_thought: int = 0) -> None:
        """current: the hit being looked at, -1 for none here; in_thought: how many are in the message's thought."""
        if pattern is None and self._pattern is None:
            return
        self._pattern, self._current, self._in_thought = pattern, current, in_thought
        if pattern is None:
            for surface in self._surfaces():
                surface.set_pattern(None)
        self.mark_again()

    def mark_again(self) -> None:
        """The surfaces are others now."""
        if self._pattern is None:
            return
        at = self._folded()
        for surface in self._surfaces():
            surface.set_pattern(self._pattern)
            if self._current >= 0:
                inside = self._current - at
                at += len(surface.hits)
                surface.set_pattern(self._pattern, inside if 0 <= inside < len(surface.hits) else -1)

    def reveal(self) -> tuple[int, int]:
        """Bring the current hit into sight within the message; its top and bottom in it. Unfolds a thought for it."""
        thought = self._thought()
        if thought is not None and 0 <= self._current < self._folded():
            thought.line.setChecked(True)
            self.mark_again()
        at = self._folded()
        for block in self._blocks():
            for surface in block.surfaces:
                inside = self._current - at
                at += len(surface.hits)
                if 0 <= inside < len(surface.hits):
                    areas = surface.rectangles(*surface.hits[inside])
                    if areas:
                        block.reveal(surface, areas[0])
                        top = surface.mapTo(self._host, QPoint(0, 0)).y() + round(areas[0].top())
                        return top, top + round(areas[0].height())
        return 0, 0

    def _surfaces(self) -> list[TextSurface]:
        return [surface for block in self._blocks() for surface in block.surfaces]

    def _folded(self) -> int:
        """Hits that nobody can see now."""
        thought = self._thought()
        return self._in_thought if thought is not None and not thought.unfolded else 0
