from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from app.history import Folder as NamedFolder
from app.theme import LIGHT
from app.views.chat_list_delegate import ChatListDelegate
from app.views.chat_list_model import IDENTIFIER, HitLine
from app.views.chat_menu import chat_menu, folder_menu
from app.views.sidebar import Sidebar
from app.views.style import dress

TODAY = date(2026, 3, 2)


@dataclass(frozen=True)
class Chat:
    id: str
    title: str
    updated: float
    pinned: bool = False
    folder: str = ""
    private: bool = False


def chat(identifier: str, days_ago: int) -> Chat:
    moment = datetime.combine(TODAY - timedelta(days=days_ago), datetime.min.time().replace(hour=12))
    return Chat(identifier, f"Chat {identifier}", moment.timestamp())


ROWS = [chat("a", 0), chat("b", 1), chat("c", 3), chat("d", 6), chat("e", 7), chat("f", 400)]


@pytest.fixture
def sidebar(qtbot: QtBot) -> Sidebar:
    return shown(qtbot)


def shown(qtbot: QtBot) -> Sidebar:
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


def test_a_line_is_drawn_again_when_its_sign_comes_or_goes_and_not_all(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    real = ChatListDelegate.paint

    def paint(delegate: ChatListDelegate, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        drawn.append(index.data(IDENTIFIER))
        real(delegate, painter, option, index)

    monkeypatch.setattr(ChatListDelegate, "paint", paint)
    sidebar = shown(qtbot)
    QApplication.processEvents()
    assert len(drawn) == 10
    for chat, again in (("a", ["a"]), ("c", ["a", "c"]), ("", ["c"])):
        drawn.clear()
        sidebar.set_replying(chat)
        QApplication.processEvents()
        assert set(again) <= set(drawn) and "f" not in drawn


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


def test_the_field_for_a_name_hides_no_other_line(qapp: QApplication, qtbot: QtBot) -> None:
    dress(qapp, LIGHT)
    sidebar = shown(qtbot)
    sidebar.rename_current()
    editor = sidebar.list.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    assert sidebar.list.visualRect(sidebar.list.currentIndex()).contains(editor.geometry())


def test_delete_key(sidebar: Sidebar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(sidebar.delete_requested) as deleted:
        qtbot.keyClick(sidebar.list, Qt.Key.Key_Delete)
    assert deleted.args == ["b"]


@pytest.mark.parametrize("key", [Qt.Key.Key_Down, Qt.Key.Key_Return])
def test_the_keyboard_leads_from_the_search_to_what_was_found(sidebar: Sidebar, qtbot: QtBot, key: Qt.Key) -> None:
    sidebar.show()
    sidebar.show_chats([Chat("a", "Blue", 0.0), Chat("b", "Blues", 0.0)])
    sidebar.search.setFocus()
    qtbot.keyClicks(sidebar.search, "blue")
    told: list[str] = []
    sidebar.search_changed.connect(told.append)
    sidebar.chosen.connect(told.append)
    qtbot.keyClick(sidebar.search, key)
    assert told == ["blue", "a"]
    assert sidebar.list.hasFocus() and not sidebar._wait.isActive()
    with qtbot.waitSignal(sidebar.chosen) as chosen:
        qtbot.keyClick(sidebar.list, Qt.Key.Key_Down)
    assert chosen.args == ["b"]


def test_enter_waits_for_the_messages_that_are_found(sidebar: Sidebar, qtbot: QtBot) -> None:
    sidebar.show()
    sidebar.search.setFocus()
    qtbot.keyClicks(sidebar.search, "blue")
    sidebar.show_chats([])
    qtbot.keyClick(sidebar.search, Qt.Key.Key_Return)
    assert sidebar.search.hasFocus()
    with qtbot.waitSignal(sidebar.hit_chosen) as chosen:
        sidebar.show_chats([], hits=[HitLine("a", "Sky", "m", "so blue", 3, 7)])
    assert chosen.args == ["a", "m"] and sidebar.list.hasFocus()


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


def hit(identifier: str, line: str = "the blue sky") -> HitLine:
    return HitLine(identifier, f"Chat {identifier}", f"message {identifier}", line, 4, 8)


def test_pinned_chats_and_folders_come_first(sidebar: Sidebar, qtbot: QtBot) -> None:
    rows = [chat("a", 0), replace(chat("b", 1), pinned=True), replace(chat("c", 3), folder="f"), chat("d", 6)]
    folders = [NamedFolder("f", "Work"), NamedFolder("g", "Empty")]
    sidebar.show_chats(rows, "c", TODAY, folders)
    listed = ["Pinned", "Chat b", "Work", "Chat c", "Empty", "Today", "Chat a", "This week", "Chat d"]
    assert sidebar.titles() == listed
    sidebar.list.heading_pressed.emit("f")
    assert sidebar.titles() == [title for title in listed if title != "Chat c"]
    place = sidebar.list.visualRect(sidebar.list.lines.index(2)).center()
    qtbot.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert sidebar.titles() == listed


def test_hits_are_chosen_with_their_message(sidebar: Sidebar, qtbot: QtBot) -> None:
    sidebar.search.setText("blue")
    sidebar.show_chats(ROWS[:1], "", TODAY, hits=[hit("b"), hit("c", "blue " * 60)])
    assert sidebar.titles() == ["In titles", "Chat a", "In messages", "Chat b", "Chat c"]
    with qtbot.waitSignal(sidebar.chosen) as chosen:
        sidebar.go(1)
    assert chosen.args == ["a"]
    with qtbot.waitSignal(sidebar.hit_chosen) as found:
        sidebar.go(1)
    assert found.args == ["b", "message b"]
    place = sidebar.list.visualRect(sidebar.list.currentIndex()).center()
    with qtbot.waitSignal(sidebar.hit_chosen):  # once more to the same place
        qtbot.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_the_list_stays_where_it_was_scrolled_to(sidebar: Sidebar) -> None:
    rows = [chat(f"{number}", number) for number in range(200)]
    sidebar.show_chats(rows, "0", TODAY)
    bar = sidebar.list.verticalScrollBar()
    bar.setValue(2000)
    sidebar.show_chats([replace(rows[0], title="Another"), *rows[1:]], "0", TODAY)
    assert bar.value() == 2000


def test_menus_of_chats_and_folders(sidebar: Sidebar, qtbot: QtBot) -> None:
    sidebar.show_chats(ROWS, "b", TODAY, [NamedFolder("f", "Work")])
    menu = chat_menu(sidebar, ROWS[0])
    pin = next(action for action in menu.actions() if action.text() == "Pin to the top")
    with qtbot.waitSignal(sidebar.pin_requested) as pinned:
        pin.trigger()
    assert pinned.args == ["a", True]
    private = next(action for action in menu.actions() if action.text() == "Learn nothing from this chat")
    assert not private.isChecked()
    with qtbot.waitSignal(sidebar.private_requested) as hidden:
        private.trigger()
    assert hidden.args == ["a", True]
    into = next(action for sub in menu.findChildren(QMenu) for action in sub.actions() if action.text() == "Work")
    with qtbot.waitSignal(sidebar.move_requested) as moved:
        into.trigger()
    assert moved.args == ["a", "f"]


@pytest.mark.parametrize(
    ("count", "texts"),
    [
        (0, ["Rename", "Remove the folder"]),
        (1, ["Rename", "Remove the folder, keep its chats", "Delete the folder and its chat"]),
        (12, ["Rename", "Remove the folder, keep its chats", "Delete the folder and its 12 chats"]),
    ],
)
def test_the_menu_of_a_folder(sidebar: Sidebar, qtbot: QtBot, count: int, texts: list[str]) -> None:
    rows = [replace(chat(f"{number}", number), folder="f") for number in range(count)]
    pinned = replace(chat("pinned", 0), pinned=True, folder="f")
    sidebar.show_chats([pinned, *rows, *ROWS], "", TODAY, [NamedFolder("f", "Work")])
    actions = folder_menu(sidebar, "f", "Work").actions()
    assert [action.text() for action in actions] == texts
    with qtbot.waitSignal(sidebar.folder_remove_requested) as removed:
        actions[1].trigger()
    assert removed.args == ["f"]
    if count:
        with qtbot.waitSignal(sidebar.folder_delete_requested) as deleted:
            actions[2].trigger()
        assert deleted.args == ["f"]
