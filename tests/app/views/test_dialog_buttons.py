"""The buttons and lists of dialogs look the same whatever the desktop says."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QMessageBox,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.attachments import Attachment
from app.chat_message import ChatMessage
from app.theme import LIGHT
from app.views.about_box import AboutBox
from app.views.attachment_viewer import AttachmentViewer
from app.views.hub_dialog import HubDialog
from app.views.link_question import LinkQuestion
from app.views.reading_style import ReadingStyle
from app.views.reply_details import ReplyDetails
from app.views.router_page import RouterPage
from app.views.shortcut_sheet import ShortcutSheet
from app.views.style import dress, stylesheet


class IconDesktop(QProxyStyle):
    """A desktop whose dialogs have icons on their buttons."""

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returned: QStyleHintReturn | None = None,
    ) -> int:
        if hint is QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons:
            return 1
        return super().styleHint(hint, option, widget, returned)


@pytest.fixture
def icons_wanted(qapp: QApplication) -> Iterator[None]:
    qapp.setStyleSheet("")
    qapp.setStyle(IconDesktop("Fusion"))
    plain = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    assert not plain.buttons()[0].icon().isNull()  # so it would be
    qapp.setStyleSheet(stylesheet(LIGHT))
    yield
    dress(qapp, LIGHT)


def message_box() -> QMessageBox:
    box = QMessageBox()
    box.addButton(QMessageBox.StandardButton.Cancel)
    return box


@pytest.mark.parametrize(
    "make",
    [
        lambda: AboutBox(None, ()),
        lambda: AttachmentViewer(Attachment("a.txt", "a"), ReadingStyle(LIGHT), None),
        lambda: HubDialog(None, [("A hub", "https://example.org")]),
        lambda: LinkQuestion("https://example.org", None),
        lambda: ReplyDetails(ChatMessage("assistant", "So."), LIGHT, None),
        lambda: RouterPage(None),
        message_box,
    ],
)
def test_no_button_of_a_dialog_has_a_stock_icon(icons_wanted: None, make: Callable[[], QDialog], qtbot: QtBot) -> None:
    dialog = make()
    dialog.show()
    (box,) = dialog.findChildren(QDialogButtonBox)
    assert box.buttons() and all(button.icon().isNull() for button in box.buttons())
    dialog.deleteLater()


def test_nor_has_the_sheet_of_shortcuts(icons_wanted: None, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    (box,) = ShortcutSheet(parent, []).findChildren(QDialogButtonBox)
    assert box.buttons() and all(button.icon().isNull() for button in box.buttons())


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # grabbing the keyboard, without a screen
@pytest.mark.parametrize("count", [2, 4, 9])
def test_a_short_list_shows_all_its_entries(qapp: QApplication, qtbot: QtBot, count: int) -> None:
    dress(qapp, LIGHT)
    choice = QComboBox()
    qtbot.addWidget(choice)
    choice.addItems([f"Entry {number}" for number in range(count)])
    choice.show()
    choice.activateWindow()
    choice.setFocus()
    qtbot.waitUntil(choice.hasFocus)  # its wider border must not be taken from the list
    choice.showPopup()
    view = choice.view()
    qtbot.waitUntil(view.isVisible)
    last = view.visualRect(choice.model().index(count - 1, 0))
    assert view.verticalScrollBar().maximum() == 0
    assert view.viewport().rect().contains(last)
    choice.hidePopup()
