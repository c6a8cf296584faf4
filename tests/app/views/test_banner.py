from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.theme import DARK
from app.views.banner import Action, Banners


def test_strips_come_change_and_go(qtbot: QtBot) -> None:
    banners = Banners()
    qtbot.addWidget(banners)
    assert banners.isHidden()
    banners.show_banner("a", "One")
    banners.show_banner("b", "Two", tone="error")
    first = banners.banner("a")
    banners.show_banner("a", "One, changed", tone="warning", fraction=0.25)
    assert banners.banner("a") is first and first is not None
    assert (first.text, first.tone, first.accessibleName()) == ("One, changed", "warning", "One, changed")
    banners.set_theme(DARK)
    banners.close_banner("a")
    banners.close_banner("no such strip")
    assert banners.banner("a") is None and not banners.isHidden()
    banners.close_banner("b")
    assert banners.isHidden()


def test_a_button_acts_once_and_closes_its_strip(qtbot: QtBot) -> None:
    banners = Banners()
    qtbot.addWidget(banners)
    pressed: list[str] = []
    banners.show_banner("a", "Gone", actions=[Action("Undo", lambda: pressed.append("undo"))])
    banner = banners.banner("a")
    assert banner is not None
    (button,) = banner.buttons
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert pressed == ["undo"]
    assert banners.banner("a") is None


def test_a_button_may_bring_the_strip_back(qtbot: QtBot) -> None:
    banners = Banners()
    qtbot.addWidget(banners)
    banners.show_banner("a", "Failed", actions=[Action("Again", lambda: banners.show_banner("a", "Trying"))])
    banner = banners.banner("a")
    assert banner is not None
    banner.buttons[0].click()
    again = banners.banner("a")
    assert again is not None and again is not banner
    assert (again.text, again.buttons) == ("Trying", [])


def test_the_newest_action_of_a_strip_counts(qtbot: QtBot) -> None:
    banners = Banners()
    qtbot.addWidget(banners)
    pressed: list[int] = []
    for number in (1, 2):
        banners.show_banner("a", "Again?", actions=[Action("Yes", lambda n=number: pressed.append(n))])
    banner = banners.banner("a")
    assert banner is not None
    banner.buttons[0].click()
    assert pressed == [2]


def test_a_strip_goes_by_itself_and_only_that_one(qtbot: QtBot) -> None:
    banners = Banners()
    qtbot.addWidget(banners)
    banners.show_banner("a", "Short", seconds=0.01)
    banners.show_banner("b", "Stays")
    qtbot.waitUntil(lambda: banners.banner("a") is None)
    assert banners.banner("b") is not None


def test_words_of_others_are_never_markup(qtbot: QtBot) -> None:
    banners = Banners()
    qtbot.addWidget(banners)
    banners.show_banner("a", "<b>x</b><img src='file:///etc/passwd'>")
    banner = banners.banner("a")
    assert banner is not None
    assert banner._text.textFormat() == Qt.TextFormat.PlainText


def test_a_strip_closed_at_once_is_never_a_window(qapp: QApplication, qtbot: QtBot) -> None:
    banners = Banners()
    qtbot.addWidget(banners)
    banners.show_banner("a", "Stays", actions=[Action("Undo", banners.hide)])
    qtbot.waitExposed(banners)
    banners.show_banner("b", "Exporting…", actions=[Action("Cancel", banners.hide)])
    banner = banners.banner("b")
    assert banner is not None
    old = banner.buttons[0]
    banners.show_banner("b", "Exporting…", actions=[Action("Stop", banners.hide)])
    banners.close_banner("b")
    for widget in (banner, old):
        qapp.sendPostedEvents(widget)
        assert not widget.isVisible()
