from dataclasses import dataclass
from datetime import date, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.views.sidebar import Sidebar

TODAY = date(2026, 3, 2)


@dataclass(frozen=True)
class Chat:
    id: str
    title: str
    updated: float
    pinned: bool = False
    folder: str = ""


def chat(identifier: str, days_ago: int) -> Chat:
    moment = datetime.combine(TODAY - timedelta(days=days_ago), datetime.min.time().replace(hour=12))
    return Chat(identifier, f"Chat {identifier}", moment.timestamp())


ROWS = [chat("a", 0), chat("b", 1), chat("c", 3), chat("d", 6), chat("e", 7), chat("f", 400)]


@pytest.fixture
def sidebar(qtbot: QtBot) -> Sidebar:
    sidebar = Sidebar()
    qtbot.addWidget(sidebar)
    sidebar.resize(240, 700)
    sidebar.show_chats(ROWS, "b", TODAY)
    sidebar.show()
    return sidebar


def current(sidebar: Sidebar) -> str:
    return sidebar.list.current


def test_chats_are_listed_by_day(sidebar: Sidebar) -> None:
    assert sidebar.titles() == [
        "Today",
        "Chat a",
        "Yesterday",
        "Chat b",
        "This week",
        "Chat c",
        "Chat d",
        "Earlier",
        "Chat e",
        "Chat f",
    ]
    assert current(sidebar) == "b"


def test_filling_and_marking_choose_nothing(sidebar: Sidebar, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(sidebar.chosen), qtbot.assertNotEmitted(sidebar.renamed):
        sidebar.show_chats(ROWS[:2], "a", TODAY)
        sidebar.select("b")
        sidebar.set_replying("a")
        sidebar.select("")
        sidebar.select("no such chat")
    assert current(sidebar) == ""


def test_arrows_pass_over_headings(sidebar: Sidebar, qtbot: QtBot) -> None:
    chosen: list[str] = []
    sidebar.chosen.connect(chosen.append)
    for _ in range(7):
        sidebar.go(1)
    assert chosen == ["c", "d", "e", "f"]
    sidebar.list.setFocus()
    qtbot.keyClick(sidebar.list, Qt.Key.Key_Up)
    qtbot.keyClick(sidebar.list, Qt.Key.Key_Up)
    assert chosen[-2:] == ["e", "d"]
    sidebar.select("")
    sidebar.go(-1)
    assert chosen[-1] == "a"


def test_renaming_in_place(sidebar: Sidebar, qtbot: QtBot) -> None:
    sidebar.rename_current()
    editor = sidebar.list.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    editor.setText("  A better   name ")
    with qtbot.waitSignal(sidebar.renamed) as renamed:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert renamed.args == ["b", "A better name"]


def test_delete_key(sidebar: Sidebar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(sidebar.delete_requested) as deleted:
        qtbot.keyClick(sidebar.list, Qt.Key.Key_Delete)
    assert deleted.args == ["b"]


def test_typing_a_search_is_told_once(sidebar: Sidebar, qtbot: QtBot) -> None:
    told: list[str] = []
    sidebar.search_changed.connect(told.append)
    with qtbot.waitSignal(sidebar.search_changed):
        qtbot.keyClicks(sidebar.search, "blue")
    assert told == ["blue"]


def test_an_empty_list_says_why(sidebar: Sidebar) -> None:
    sidebar.show_chats([])
    assert not sidebar.list.isVisible() and "listed here" in sidebar._nothing.text()
    sidebar.search.setText("zebra")
    sidebar.show_chats([])
    assert "No chat" in sidebar._nothing.text()


def test_every_control_has_a_name_and_a_tip(sidebar: Sidebar) -> None:
    for control in (sidebar._new, sidebar.search, sidebar.models, sidebar.settings):
        assert control.toolTip()
        assert control.accessibleName() or getattr(control, "text", str)()
