from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.history import ConversationRow
from app.theme import LIGHT
from app.views import settings_panel
from app.views.banner import Action
from app.views.shortcut_sheet import ShortcutSheet
from app.views.style import dress
from app.views.window import Window
from tests.app.panel_events import play


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> Window:
    dress(qapp, LIGHT)
    window = Window()
    qtbot.addWidget(window)
    window.show()
    return window


def press(qtbot: QtBot, window: Window, key: Qt.Key, *, ctrl: bool = True, shift: bool = False) -> None:
    modifiers = Qt.KeyboardModifier.NoModifier
    if ctrl:
        modifiers |= Qt.KeyboardModifier.ControlModifier
    if shift:
        modifiers |= Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, key, modifiers)


def test_shortcuts_say_what_the_person_wants(window: Window, qtbot: QtBot) -> None:
    for key, shift, signal in (
        (Qt.Key.Key_N, False, window.new_requested),
        (Qt.Key.Key_R, False, window.regenerate_requested),
        (Qt.Key.Key_C, True, window.copy_requested),
        (Qt.Key.Key_O, False, window.open_model_requested),
        (Qt.Key.Key_S, True, window.mode_step_requested),
    ):
        with qtbot.waitSignal(signal):
            press(qtbot, window, key, shift=shift)


def test_no_two_shortcuts_share_their_keys(window: Window) -> None:
    keys = [action.shortcut().toString() for action in window.shortcuts]
    assert len(set(keys)) == len(keys) and all(keys)


def test_focus_moves_between_search_and_composer(window: Window, qtbot: QtBot) -> None:
    press(qtbot, window, Qt.Key.Key_K)
    assert window.sidebar.search.hasFocus()
    window.sidebar.search.setText("x")
    press(qtbot, window, Qt.Key.Key_Escape, ctrl=False)
    assert window.sidebar.search.text() == "" and window.composer.editor.hasFocus()
    window.sidebar.list.setFocus()
    press(qtbot, window, Qt.Key.Key_L)
    assert window.composer.editor.hasFocus()


def test_the_selected_chat_can_be_renamed_from_anywhere(window: Window, qtbot: QtBot) -> None:
    window.sidebar.show_chats([ConversationRow("a", "One", 0.0, 0.0)], "a")
    window.composer.focus()
    press(qtbot, window, Qt.Key.Key_F2, ctrl=False)
    field = window.sidebar.list.findChild(QLineEdit)
    assert field is not None and field.hasFocus()
    qtbot.keyClicks(field, "Another")
    with qtbot.waitSignal(window.sidebar.renamed) as renamed:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert renamed.args == ["a", "Another"]


def test_tab_leads_from_the_composer_to_what_a_banner_offers(window: Window, qtbot: QtBot) -> None:
    pressed: list[str] = []
    window.banners.show_banner("news", "News.", actions=[Action("Undo", lambda: pressed.append("undo"))])
    window.composer.focus()
    for passed in (window.composer.editor, window.composer.attach_button, window.composer.presets):
        qtbot.keyClick(passed, Qt.Key.Key_Tab)
    focused = QApplication.focusWidget()
    assert isinstance(focused, QPushButton) and focused.text() == "Undo"
    qtbot.keyClick(focused, Qt.Key.Key_Space)
    assert pressed == ["undo"]


def test_escape_closes_the_settings_before_it_stops_a_reply(window: Window, qtbot: QtBot) -> None:
    press(qtbot, window, Qt.Key.Key_Period)
    assert window.settings_panel.isVisible()
    with qtbot.assertNotEmitted(window.stop_requested):
        press(qtbot, window, Qt.Key.Key_Escape, ctrl=False)
    assert not window.settings_panel.isVisible()
    with qtbot.waitSignal(window.stop_requested):
        press(qtbot, window, Qt.Key.Key_Escape, ctrl=False)


def test_a_key_asks_for_all_settings(window: Window, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.all_settings_requested):
        press(qtbot, window, Qt.Key.Key_Comma)
    with qtbot.waitSignal(window.all_settings_requested):
        window.settings_panel.rows  # noqa: B018 (made now)
        window.settings_panel.all_button.click()


@pytest.mark.parametrize(("size", "beside"), [((1280, 800), True), ((900, 600), False), ((760, 600), False)])
def test_the_settings_leave_the_gauges_in_sight(
    window: Window, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], beside: bool
) -> None:
    monkeypatch.setattr(settings_panel, "reduced_motion", lambda: True)
    window.resize(*size)
    widths = window._columns.sizes()
    window.toggle_settings()
    QApplication.processEvents()
    panel, gauges, composer = (
        QRect(view.mapTo(window, QPoint(0, 0)), view.size())
        for view in (window.settings_panel, window.gauges, window.composer)
    )
    assert window._columns.sizes() == widths
    assert not panel.intersects(gauges)
    assert panel.intersects(composer) != beside, "with room for both the chat stands beside them"
    window.toggle_settings()
    QApplication.processEvents()
    assert window.composer.width() > composer.width() or not beside


@pytest.mark.parametrize("place", ["sidebar", "gauges", "settings"])
def test_what_is_put_away_gives_the_focus_to_the_composer(window: Window, place: str) -> None:
    """Not to whatever comes next, such as a message far above."""
    toggle = getattr(window, f"toggle_{place}")
    if place == "settings":
        toggle()
    view = {"sidebar": window.sidebar, "gauges": window.gauges, "settings": window.settings_panel}[place]
    takers = [child for child in view.findChildren(QWidget) if child.focusPolicy() & Qt.FocusPolicy.TabFocus]
    next(child for child in takers if child.isVisible()).setFocus()
    toggle()
    assert not view.isVisible() and window.composer.editor.hasFocus()


def test_closed_by_its_button_the_panel_gives_the_focus_to_the_composer(window: Window, qtbot: QtBot) -> None:
    window.toggle_settings()
    button = window.settings_panel._close
    button.setFocus()
    went: list[object] = []
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.focusChanged.connect(lambda _, now: went.append(now))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert went == [window.composer.editor], "straight to it"


def test_a_strip_closed_with_the_keyboard_gives_the_focus_to_the_composer(window: Window, qtbot: QtBot) -> None:
    window.banners.show_banner("undo", "Deleted.", actions=(Action("Undo", lambda: None),))
    button = window.banners.findChild(QPushButton)
    assert button is not None
    button.setFocus()
    assert button.hasFocus()
    window.banners.close_banner("undo")
    assert window.composer.editor.hasFocus()
    window.sidebar.search.setFocus()
    window.banners.show_banner("undo", "Deleted.", seconds=9)
    window.banners.close_banner("undo")
    assert window.sidebar.search.hasFocus(), "who is elsewhere stays there"


def test_the_gauges_do_not_scroll_in_a_small_window(window: Window) -> None:
    window.resize(900, 600)
    play(window.gauges)
    QApplication.processEvents()
    scroll = window.gauges.findChild(QScrollArea)
    assert scroll is not None and scroll.verticalScrollBar().maximum() == 0


def test_narrow_windows_turn_the_gauges_into_a_bar_and_back(window: Window, qtbot: QtBot) -> None:
    window._columns.setSizes([300, 732, 248])
    window._columns.splitterMoved.emit(300, 1)  # as the person's hand does
    sizes = window._columns.sizes()
    window.resize(820, 700)
    assert window.gauges.is_bar and window._columns.count() == 2 and window.gauges.isVisible()
    window.resize(600, 700)
    assert window.sidebar.isHidden()
    window.resize(1280, 800)
    assert not window.gauges.is_bar and window._columns.count() == 3
    assert window.sidebar.isVisible()
    qtbot.waitUntil(lambda: window._columns.sizes() == sizes)


def test_panels_hide_and_show(window: Window, qtbot: QtBot) -> None:
    for key, panel in ((Qt.Key.Key_B, window.sidebar), (Qt.Key.Key_G, window.gauges)):
        press(qtbot, window, key)
        assert panel.isHidden()
        press(qtbot, window, key)
        assert panel.isVisible()


def test_the_window_opens_as_large_as_it_was(window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    window.resize(700, 620)
    window.keep_geometry(store)
    store.sync()
    again = Window()
    qtbot.addWidget(again)
    again.restore_kept_geometry(QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat))
    again.show()
    assert (again.width(), again.height()) == (700, 620)


def test_the_columns_are_as_wide_as_they_were(window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    window._columns.setSizes([300, 716, 264])
    sizes = window._columns.sizes()
    assert sizes[0] == 300
    window.keep_geometry(store)
    store.remove("geometry")  # the window would be cut to the small screen of the tests
    store.sync()
    again = Window()
    qtbot.addWidget(again)
    again.restore_kept_geometry(QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat))
    again.show()
    assert again._columns.sizes() == sizes
    again.resize(600, 620)
    again.resize(1280, 800)  # and after the gauges were a bar
    qtbot.waitUntil(lambda: again._columns.sizes()[0::2] == sizes[0::2])


def test_the_narrowest_window_has_room_for_chats_and_composer(window: Window, qtbot: QtBot) -> None:
    window.resize(window.minimumSize())
    window.toggle_sidebar()
    qtbot.waitUntil(lambda: window.sidebar.isVisible() and sum(window._columns.sizes()) <= window.width())
    button = window.composer.button
    assert button.mapTo(window, button.rect().bottomRight()).x() < window.width()


@pytest.mark.parametrize(
    "content", [b"", b"[General]\ngeometry=nonsense\ncolumns=@ByteArray(\\0\\xff\\0)\n", b"\xff" * 99]
)
def test_a_broken_memory_of_the_window_does_no_harm(qtbot: QtBot, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "window.ini").write_bytes(content)
    window = Window()
    qtbot.addWidget(window)
    window.restore_kept_geometry(QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat))
    window.show()
    assert window.width() >= 480 and all(size > 100 for size in window._columns.sizes())


def test_f1_lists_every_shortcut(window: Window, qtbot: QtBot) -> None:
    press(qtbot, window, Qt.Key.Key_F1, ctrl=False)
    card = window.findChild(ShortcutSheet)
    assert isinstance(card, ShortcutSheet) and card.isVisible()
    card.reject()


def test_closing_is_told(window: Window, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.closing):
        window.close()


def test_the_title_bar_names_the_chat(window: Window) -> None:
    window.show_title("Sky")
    assert window.windowTitle() == "Sky — Foreword"
    window.show_title("")
    assert window.windowTitle() == "Foreword"
