"""A strip that scrolls sideways only, for lines of code and tables wider than the column."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.views.text_surface import BLEED, TextSurface

BAR = 10  # height of the scroll bar


class SideScroll(QScrollArea):
    """Shows a TextSurface at its own width. The wheel's vertical part is left to the conversation."""

    def __init__(self, surface: TextSurface, parent: QWidget) -> None:
        super().__init__(parent)
        for part in (self, self.viewport()):
            part.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self.surface = surface
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(surface)

    def fit(self, width: int, content_width: int, content_height: int) -> int:
        """Show this width of the content; the height that takes, with a scroll bar only where there is more."""
        overflows = content_width > width
        shown = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if overflows else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(shown)
        self.surface.resize(max(width, content_width) + 2 * BLEED, content_height)
        height = content_height + (BAR if overflows else 0)
        self.resize(width + 2 * BLEED, height)
        return height

    def place(self, x: int, y: int) -> None:
        """Stand so that the text begins at x, y."""
        self.move(x - BLEED, y)

    def reveal(self, area: QRectF) -> None:
        """Scroll so that this area of the text is seen."""
        self.ensureVisible(round(area.right()) + BLEED, 0, 40, 0)
        self.ensureVisible(round(area.left()) + BLEED, 0, 40, 0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if sideways or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            super().wheelEvent(event)
        else:
            event.ignore()
