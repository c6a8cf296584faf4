"""Whatever the keyboard reaches in a scrolled area is brought into sight."""

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

AROUND = 24  # pixels that stay free above and below


class FocusFollower(QObject):
    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._area = area
        application = QApplication.instance()
        assert isinstance(application, QApplication)  # or there would be no widgets
        application.focusChanged.connect(self._follow)

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        port = self._area.viewport()
        if before is None or now is None or not port.isAncestorOf(now):  # None before: the window is come back to
            return
        place = QRect(now.mapTo(port, QPoint()), now.size())
        large = place.height() > port.height() // 2  # such as a message: some of it in sight will do
        if port.rect().intersects(place) if large else port.rect().contains(place):
            return
        bar = self._area.verticalScrollBar()
        if place.top() < 0 or large:
            bar.setValue(bar.value() + place.top() - AROUND)
        else:
            bar.setValue(bar.value() + place.bottom() - port.height() + AROUND)
