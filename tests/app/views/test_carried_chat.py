"""A chat is carried to folders, to the pinned chats and out of both with the mouse."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.history import Folder as NamedFolder
from app.theme import DARK, LIGHT, Theme
from app.views.carried_chat import EDGE
from app.views.chat_list_model import Group, HitLine
from app.views.sidebar import Sidebar
from tests.app.views.test_sidebar import TODAY, Chat, chat

LEFT = Qt.MouseButton.LeftButton
ROWS = [
    replace(chat("pinned", 0), pinned=True),
    chat("today", 0),
    replace(chat("work", 1), folder="w"),
    chat("old", 9),
    replace(chat("both", 10), pinned=True, folder="w"),
    replace(chat("astray", 11), folder="a folder that is gone"),
]
FOLDERS = [NamedFolder("w", "Work"), NamedFolder("e", "Empty")]


@pytest.fixture
def sidebar(qtbot: QtBot) -> Sidebar:
    sidebar = Sidebar()
    qtbot.addWidget(sidebar)
    sidebar.resize(240, 700)
    sidebar.show_chats(ROWS, "old", TODAY, FOLDERS)
    sidebar.show()
    qtbot.waitExposed(sidebar)
    return sidebar


def place_of(sidebar: Sidebar, title: str) -> QPoint:
    line = sidebar.titles().index(title)
    return sidebar.list.visualRect(sidebar.list.lines.index(line)).center()


def take(sidebar: Sidebar, title: str) -> None:
    """The button stays down."""
    QTest.mousePress(sidebar.list.viewport(), LEFT, pos=place_of(sidebar, title))


def carry_to(sidebar: Sidebar, place: QPoint) -> None:
    QTest.mouseMove(sidebar.list.viewport(), place)


def release(sidebar: Sidebar, place: QPoint) -> None:
    QTest.mouseRelease(sidebar.list.viewport(), LEFT, pos=place)


def dropped_at(sidebar: Sidebar, title: str, place: QPoint) -> list[tuple[str, Group]]:
    told: list[tuple[str, Group]] = []
    sidebar.dropped.connect(lambda identifier, group: told.append((identifier, group)))
    take(sidebar, title)
    carry_to(sidebar, place)
    release(sidebar, place)
    assert sidebar.list.carried.chip is None and sidebar.list.carried.target is None
    return told


@pytest.mark.parametrize(
    ("title", "onto", "group"),
    [
        ("Chat today", "Work", Group("w")),
        ("Chat today", "Chat work", Group("w")),
        ("Chat today", "Empty", Group("e")),
        ("Chat today", "Pinned", Group(pinned=True)),
        ("Chat today", "Chat pinned", Group(pinned=True)),
        ("Chat work", "Empty", Group("e")),
        ("Chat work", "Today", Group()),
        ("Chat work", "Chat old", Group()),
        ("Chat work", "Chat both", Group(pinned=True)),
        ("Chat pinned", "Work", Group("w")),
        ("Chat both", "Work", Group("w")),
        ("Chat both", "Earlier", Group()),
        ("Chat astray", "Work", Group("w")),
    ],
)
def test_where_it_is_dropped(sidebar: Sidebar, title: str, onto: str, group: Group) -> None:
    assert dropped_at(sidebar, title, place_of(sidebar, onto)) == [(title.removeprefix("Chat "), group)]


@pytest.mark.parametrize(
    ("title", "onto"),
    [
        ("Chat today", "Chat old"),
        ("Chat astray", "Today"),
        ("Chat work", "Work"),
        ("Chat pinned", "Chat both"),
    ],
)
def test_where_it_is_already_nothing_happens(sidebar: Sidebar, title: str, onto: str) -> None:
    assert dropped_at(sidebar, title, place_of(sidebar, onto)) == []


def test_below_the_last_line_it_leaves_its_folder(sidebar: Sidebar) -> None:
    below = place_of(sidebar, "Chat astray") + QPoint(0, 80)
    assert not sidebar.list.indexAt(below).isValid()
    assert dropped_at(sidebar, "Chat work", below) == [("work", Group())]
    sidebar.show_chats(ROWS[2:3], "", TODAY, FOLDERS)
    take(sidebar, "Chat work")
    carry_to(sidebar, below)
    assert sidebar.list.carried._extent(Group()).top() > place_of(sidebar, "Chat work").y()
    release(sidebar, QPoint(-500, 0))


def test_beside_the_list_nothing_happens(sidebar: Sidebar) -> None:
    assert dropped_at(sidebar, "Chat today", QPoint(500, place_of(sidebar, "Work").y())) == []


def test_a_folded_folder_takes_it(sidebar: Sidebar) -> None:
    sidebar.list.heading_pressed.emit("w")
    assert "Chat work" not in sidebar.titles()
    assert dropped_at(sidebar, "Chat today", place_of(sidebar, "Work")) == [("today", Group("w"))]


def test_a_click_opens_at_once_and_carries_nothing(sidebar: Sidebar, qtbot: QtBot) -> None:
    told: list[str] = []
    sidebar.chosen.connect(told.append)
    with qtbot.assertNotEmitted(sidebar.dropped):
        take(sidebar, "Chat work")
        assert told == ["work"]  # before the button is up
        near = place_of(sidebar, "Chat work") + QPoint(QApplication.startDragDistance() - 1, 0)
        carry_to(sidebar, near)
        assert sidebar.list.carried.chip is None
        release(sidebar, near)


def test_the_mouse_drawn_over_chats_chooses_none_of_them(sidebar: Sidebar) -> None:
    told: list[str] = []
    sidebar.chosen.connect(told.append)
    dropped_at(sidebar, "Chat today", place_of(sidebar, "Chat work"))
    assert told == ["today"]


@pytest.mark.parametrize("end", ["Esc", "gone", "another window"])
def test_it_is_put_back(sidebar: Sidebar, qtbot: QtBot, end: str) -> None:
    place = place_of(sidebar, "Work")
    with qtbot.assertNotEmitted(sidebar.dropped):
        take(sidebar, "Chat today")
        carry_to(sidebar, place)
        assert sidebar.list.carried.target == Group("w")
        if end == "Esc":
            qtbot.keyClick(sidebar.list, Qt.Key.Key_Escape)
        elif end == "gone":
            sidebar.show_chats(ROWS[2:], "old", TODAY, FOLDERS)
        else:
            sidebar.search.setFocus()
        assert sidebar.list.carried.chip is None and sidebar.list.carried.target is None
        carry_to(sidebar, place + QPoint(0, 1))  # the button is still down
        assert sidebar.list.carried.chip is None
        release(sidebar, place)


def test_what_was_found_is_not_carried(sidebar: Sidebar, qtbot: QtBot) -> None:
    sidebar.search.setText("Chat")
    sidebar.show_chats(ROWS, "", TODAY, FOLDERS, hits=[HitLine("old", "Found", "m", "a chat", 2, 6)])
    for title in ("Chat work", "Found"):
        assert dropped_at(sidebar, title, place_of(sidebar, "In titles")) == []


@pytest.mark.parametrize(
    ("title", "onto", "deed"),
    [
        ("Chat today", "Work", 'Move to "Work"'),
        ("Chat today", "Pinned", "Pin to the top"),
        ("Chat work", "Today", "Take out of the folder"),
        ("Chat pinned", "Today", "Unpin"),
        ("Chat today", "Chat old", ""),
    ],
)
def test_it_says_what_dropping_would_do(sidebar: Sidebar, title: str, onto: str, deed: str) -> None:
    take(sidebar, title)
    carry_to(sidebar, place_of(sidebar, onto))
    chip = sidebar.list.carried.chip
    assert chip is not None and chip.isVisible() and chip.deed == deed
    assert sidebar.rect().contains(chip.geometry())
    release(sidebar, QPoint(-500, 0))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_all_lines_of_the_place_are_framed(sidebar: Sidebar, theme: Theme) -> None:
    sidebar.set_theme(theme)
    take(sidebar, "Chat today")
    carry_to(sidebar, place_of(sidebar, "Work"))
    frame = sidebar.list.carried._extent(Group("w"))
    picture = sidebar.list.viewport().grab().toImage()
    for title in ("Work", "Chat work"):
        edge = QPoint(frame.left() + 1, place_of(sidebar, title).y())
        assert picture.pixelColor(edge).name() == theme.accent
    for title in ("Chat pinned", "Empty"):
        assert not frame.contains(place_of(sidebar, title))
    release(sidebar, QPoint(-500, 0))
    assert sidebar.list.viewport().grab().toImage().pixelColor(edge).name() != theme.accent


def test_the_list_scrolls_at_its_edges(sidebar: Sidebar, qtbot: QtBot) -> None:
    rows = [Chat(f"{number}", f"Chat {number}", 0.0) for number in range(200)]
    sidebar.show_chats([replace(rows[0], folder="w"), *rows[1:]], "", TODAY, FOLDERS)
    chats = sidebar.list
    bar, port = chats.verticalScrollBar(), chats.viewport().rect()
    take(sidebar, "Chat 0")
    carry_to(sidebar, QPoint(50, port.bottom() - EDGE // 2))
    qtbot.waitUntil(lambda: bar.value() > 60)
    assert chats.carried.target == Group()
    carry_to(sidebar, port.center())
    qtbot.waitUntil(lambda: not chats.carried._scroll.isActive())
    carry_to(sidebar, QPoint(50, 2))
    qtbot.waitUntil(lambda: bar.value() == 0 and not chats.carried._scroll.isActive())
    carry_to(sidebar, QPoint(50, port.bottom() - 2))
    assert chats.carried._scroll.isActive()
    release(sidebar, QPoint(50, port.bottom() - 2))
    assert not chats.carried._scroll.isActive()
