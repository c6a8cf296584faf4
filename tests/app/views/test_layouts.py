"""What is taken out of a layout is gone at once, also when it was put there a moment ago."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.views.layouts import clear, scrolling


def test_what_was_just_added_does_not_become_a_window(qapp: QApplication, qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    with qtbot.waitExposed(page):
        page.show()
    label = QLabel("128")
    column.addWidget(label)  # Qt shows it when the events are next dealt with
    clear(column)
    qapp.sendPostedEvents(label)
    assert not label.isVisible() and column.count() == 0


def test_the_keyboard_stops_only_where_there_is_something_to_scroll(qtbot: QtBot) -> None:
    inside = QWidget()
    area = scrolling(inside)
    qtbot.addWidget(area)
    area.resize(200, 100)
    area.show()
    for height, policy in ((50, Qt.FocusPolicy.NoFocus), (900, Qt.FocusPolicy.StrongFocus)) * 2:
        inside.setMinimumHeight(height)
        qtbot.waitUntil(lambda policy=policy: area.focusPolicy() == policy)  # type: ignore[misc]
    assert scrolling(QWidget(), stop=False).focusPolicy() == Qt.FocusPolicy.NoFocus
