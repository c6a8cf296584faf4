import pytest
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


def test_a_button_that_asks_first_leaves_the_strip(qtbot: QtBot) -> None:
    """The person may decline, and the reason still stands."""
    banners = Banners()
    qtbot.addWidget(banners)
    asked: list[int] = []
    banners.show_banner("a", "Why", actions=[Action("Allow…", lambda: asked.append(1), asks=True)])
    banner = banners.banner("a")
    assert banner is not None
    banner.buttons[0].click()
    assert asked == [1] and banners.banner("a") is banner


def test_a_strip_goes_by_itself_and_only_that_one(qtbot: QtBot) -> None:
    banners = Banners()
    qtbot.addWidget(banners)
    banners.move(100, 100)  # not under the mouse
    banners.show_banner("a", "Short", seconds=0.01)
    banners.setFocus()  # which a window of nothing but strips gives to the first of them
    banners.show_banner("b", "Stays")
    with qtbot.waitSignal(banners.left) as left:
        qtbot.waitUntil(lambda: banners.banner("a") is None)
    assert left.args == ["a"]
    assert banners.banner("b") is not None


def test_a_strip_that_is_shown_again_begins_its_time_anew(qtbot: QtBot) -> None:
    banners = Banners()
    qtbot.addWidget(banners)
    banners.show_banner("a", "Short", seconds=0.01)
    banners.show_banner("a", "Longer", seconds=30.0)
    banner = banners.banner("a")
    assert banner is not None and banner._time.remainingTime() > 20_000
    banners.show_banner("a", "Stays")
    assert not banner._time.isActive()


@pytest.mark.parametrize("by", ["mouse", "focus"])
def test_a_strip_does_not_go_while_somebody_is_at_it(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    monkeypatch.setattr("app.views.banner.LOOKED_AT_MS", 0)
    banners = Banners()
    qtbot.addWidget(banners)
    banners.move(100, 100)
    banners.show_banner("a", "Gone", actions=[Action("Undo", banners.hide)], seconds=30.0)
    banner = banners.banner("a")
    assert banner is not None
    at_it = True
    monkeypatch.setattr(banner, "underMouse", lambda: at_it and by == "mouse")
    monkeypatch.setattr(banner.buttons[0], "hasFocus", lambda: at_it and by == "focus")
    monkeypatch.setattr(banner, "focusWidget", lambda: banner.buttons[0])
    left: list[str] = []
    banners.left.connect(left.append)
    for _ in range(3):
        with qtbot.waitSignal(banner._time.timeout):
            banner._time.start(0)
    assert left == []
    at_it = False
    qtbot.waitUntil(lambda: left == ["a"])


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
    with qtbot.waitExposed(banners):
        banners.show_banner("a", "Stays", actions=[Action("Undo", banners.hide)])
    banners.show_banner("b", "Exporting…", actions=[Action("Cancel", banners.hide)])
    banner = banners.banner("b")
    assert banner is not None
    old = banner.buttons[0]
    banners.show_banner("b", "Exporting…", actions=[Action("Stop", banners.hide)])
    banners.close_banner("b")
    for widget in (banner, old):
        qapp.sendPostedEvents(widget)
        assert not widget.isVisible()
