"""What the views do alike with layouts."""

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QWidget


def clear(layout: QLayout) -> None:
    """Take everything out, and do away with its widgets."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()  # else one that was added a moment ago is still shown, as a window of its own
            widget.setParent(None)
            widget.deleteLater()


def scrolling(inside: QWidget, *, stop: bool = True) -> QScrollArea:
    """Without a frame, as wide as there is room; only what is too high scrolls. stop: Tab stops here where it does."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inside)
    if stop:
        stop_where_it_scrolls(area)
    else:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


def make_room(window: QWidget) -> None:
    """As high as its words need in lines of this width: Qt does not ask labels that wrap."""
    layout = window.layout()
    if layout is None:
        return
    layout.activate()  # else the layouts inside of it go by the words of before
    if layout.hasHeightForWidth():
        window.setMinimumHeight(layout.totalHeightForWidth(max(window.width(), window.minimumWidth())))


def stop_where_it_scrolls(area: QScrollArea) -> None:
    """Tab stops at the area only while there is something to scroll."""
    policies = {False: Qt.FocusPolicy.NoFocus, True: Qt.FocusPolicy.StrongFocus}
    area.setFocusPolicy(policies[False])
    area.verticalScrollBar().rangeChanged.connect(lambda _, most: area.setFocusPolicy(policies[most > 0]))


def centre_over(window: QWidget, other: QWidget) -> None:
    frame = window.frameGeometry()
    frame.moveCenter(other.frameGeometry().center())
    window.move(frame.topLeft())


def open_over(window: QWidget, other: QWidget) -> None:
    """In the middle of the other, before it is shown: its frame is not known then, but like the other's."""
    frame = other.frameGeometry()
    size = window.size() + frame.size() - other.size()
    window.move(frame.center() - QRect(QPoint(), size).center())


def open_at(window: QWidget, width: int, height: int) -> None:
    """The size a window opens at: as wanted, or what the screen has room for."""
    if QGuiApplication.platformName() != "offscreen":  # which has no screen worth the name
        room = window.screen().availableSize()
        frame = 40  # of the window's title
        width, height = min(width, room.width()), min(height, room.height() - frame)
    window.resize(width, height)
