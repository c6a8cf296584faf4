"""What is left out, moved or scrolled where a window is small, so that nothing is cut or lies over another."""

from itertools import pairwise

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.theme import LIGHT
from app.views.banner import Action
from app.views.empty_state import EmptyState
from app.views.reading_style import ReadingStyle
from app.views.style import dress, stylesheet
from app.views.window import MIN_HEIGHT, MIN_WIDTH, Window
from tests.app.panel_events import REPLY, play

TROUBLE = "There is no folder /models/does/not/exist. Choose the folder that holds the model."


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> Window:
    if qapp.styleSheet() != stylesheet(LIGHT):
        dress(qapp, LIGHT)
    window = Window()
    qtbot.addWidget(window)
    window.show()
    return window


def warn(window: Window, *labels: str) -> list[QWidget]:
    window.banners.show_banner("load", TROUBLE, tone="error", actions=[Action(label, lambda: None) for label in labels])
    banner = window.banners.banner("load")
    assert banner is not None
    return [banner._text, *banner.buttons]


def settle(window: Window, width: int, height: int) -> None:
    window.resize(width, height)
    for _ in range(5):  # layouts inside layouts
        QApplication.processEvents()


def whole(widget: QWidget) -> bool:
    return widget.width() >= widget.sizeHint().width() and widget.height() >= widget.sizeHint().height()


@pytest.mark.parametrize("size", [(1280, 800), (900, 600), (760, 520), (MIN_WIDTH, MIN_HEIGHT)])
def test_examples_that_do_not_fit_are_left_out(window: Window, size: tuple[int, int]) -> None:
    warn(window, "Open a model…", "Try again")
    settle(window, *size)
    empty = window.transcript._empty
    parts = [part for part in (empty._title, empty._about, *empty.cards) if not part.isHidden()]
    for above, below in pairwise(parts):
        assert above.geometry().bottom() < below.geometry().top()
    for part in parts:
        assert empty.rect().contains(part.geometry())
        assert part.height() >= (
            part.heightForWidth(part.width()) if part is empty._about else part.sizeHint().height()
        )
    assert len(parts) == 5 or size != (1280, 800)
    settle(window, 1280, 800)
    assert not any(card.isHidden() for card in empty.cards)  # they come back


@pytest.mark.parametrize("size", [(1280, 800), (900, 600), (MIN_WIDTH, MIN_HEIGHT)])
@pytest.mark.parametrize("chats", [True, False])
def test_the_buttons_of_a_banner_do_not_squeeze_its_words(window: Window, size: tuple[int, int], chats: bool) -> None:
    text, *buttons = warn(window, "Open a model…", "Try again")
    settle(window, *size)
    window.sidebar.setVisible(chats)
    settle(window, *size)
    banner = text.parentWidget()
    assert banner is not None
    for button in buttons:
        place = button.mapTo(banner, button.rect().topLeft()), button.mapTo(banner, button.rect().bottomRight())
        assert whole(button) and banner.rect().contains(place[0]) and banner.rect().contains(place[1])
    assert text.width() >= min(220, banner.width() - 120)
    beside = buttons[0].mapTo(banner, buttons[0].rect().center()).y() <= text.geometry().bottom()
    assert beside == (banner.width() > 550)


def test_many_buttons_stand_one_below_another(window: Window) -> None:
    _, *buttons = warn(window, "Open another folder…", "Try it once more", "Show the models")
    settle(window, MIN_WIDTH, 600)
    window.sidebar.show()
    settle(window, MIN_WIDTH, 600)
    assert all(whole(button) for button in buttons)
    for above, below in pairwise(buttons):
        assert above.geometry().bottom() < below.geometry().top()


def test_a_short_message_keeps_its_button_beside_it(window: Window) -> None:
    window.banners.show_banner("gone", "Deleted.", actions=[Action("Undo", lambda: None)])
    settle(window, MIN_WIDTH, MIN_HEIGHT)
    banner = window.banners.banner("gone")
    assert banner is not None and banner.height() < 60


@pytest.mark.parametrize("width", [MIN_WIDTH, 560, 640, 720, 899])
@pytest.mark.parametrize("chats", [True, False])
def test_the_strip_of_gauges_cuts_no_figure(window: Window, width: int, chats: bool) -> None:
    settle(window, width, 600)
    window.sidebar.setVisible(chats)
    play(window.gauges)
    window.gauges.finish_reply(REPLY)
    for chip in window.gauges.advice_chips:
        chip.show_count(2)
    settle(window, width, 600)
    strip = window.gauges._bar
    shown = [part for part in strip._parts if not part.isHidden()]
    assert shown[:2] == strip._parts[:2]  # speed and acceptance stay
    for part in shown:
        assert part.width() >= part.sizeHint().width()
        assert strip.rect().contains(part.geometry())
    for left, right in pairwise(sorted(shown, key=lambda part: part.x())):
        assert left.geometry().right() < right.x()
    if width == 899 and not chats:
        assert len(shown) == len(strip._parts)


@pytest.mark.parametrize(("languages", "shown"), [((), 3), (("en", "zh"), 3), (("en",), 2)])
def test_no_example_in_a_language_that_the_model_does_not_speak(
    qtbot: QtBot, languages: tuple[str, ...], shown: int
) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    empty = EmptyState(ReadingStyle(LIGHT), host)
    empty.resize(520, 700)
    host.show()
    for offered, count in ((languages, shown), ((), 3)):
        empty.offer(offered)
        assert sum(not card.isHidden() for card in empty.cards) == count
        empty.resize(520, empty.height() + 1)
        assert sum(not card.isHidden() for card in empty.cards) == count
