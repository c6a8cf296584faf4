"""A message that is edited in its place: as wide as the words were, never past the page, and where the focus goes."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat_message import ChatMessage
from app.theme import LIGHT
from app.views.message_editor import MessageEditor
from app.views.reading_style import LINE
from app.views.style import dress, stylesheet
from app.views.window import Window
from inference.messages import Role

LONG = "Write a Python function that merges two sorted lists, and say in a sentence what it costs in time and memory. "


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> Window:
    if qapp.styleSheet() != stylesheet(LIGHT):
        dress(qapp, LIGHT)
    window = Window()
    qtbot.addWidget(window)
    window.resize(1200, 600)
    window.show()
    window.activateWindow()
    return window


def edit(window: Window, text: str, role: Role = "user", before: int = 0) -> MessageEditor:
    messages = [ChatMessage("assistant", "So it is.") for _ in range(before)] + [ChatMessage(role, text)]
    window.transcript.show_messages(messages)
    QApplication.processEvents()
    window.transcript.edit(messages[-1].id)
    QApplication.processEvents()
    view = window.transcript.messages.view_of(messages[-1].id)
    assert view is not None and view.editor is not None
    return view.editor


def buttons_in_sight(window: Window, editor: MessageEditor) -> bool:
    viewport, button = window.transcript.messages.viewport(), editor.save_button
    corner = button.mapTo(viewport, button.rect().bottomRight())
    return viewport.rect().contains(corner) and editor.rect().contains(editor.save_button.geometry())


def test_the_editor_is_laid_out_at_its_whole_width(window: Window) -> None:
    editor = edit(window, LONG * 3)
    text = editor.editor
    assert text.width() > 500
    assert text.document().textWidth() == text.viewport().width()
    assert text.height() >= text.document().size().height()
    window.resize(560, 600)
    QApplication.processEvents()
    assert text.document().textWidth() == text.viewport().width()
    assert text.height() >= text.document().size().height()


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_long_text_scrolls_and_its_buttons_stay_in_sight(window: Window, role: Role) -> None:
    editor = edit(window, LONG * 3, role, before=8)
    assert buttons_in_sight(window, editor)
    editor.editor.insertPlainText("another line\n" * 60)
    QApplication.processEvents()
    assert buttons_in_sight(window, editor)
    assert editor.editor.verticalScrollBar().maximum() > 0
    assert editor.height() <= window.transcript.messages.viewport().height()
    window.resize(1200, 480)
    QApplication.processEvents()
    assert editor.height() <= window.transcript.messages.viewport().height()
    assert editor.editor.height() > 2 * LINE


def test_the_focus_goes_to_the_composer_when_an_edit_is_sent(window: Window) -> None:
    editor = edit(window, "Why?")
    transcript = window.transcript
    transcript.edited.connect(lambda _, text: transcript.update_messages([ChatMessage("user", text)], {}))
    assert editor.editor.hasFocus()
    QTest.keyClicks(editor.editor, "!")
    QTest.keyClick(editor.editor, Qt.Key.Key_Return)
    assert window.composer.editor.hasFocus()


def test_the_focus_goes_to_the_composer_when_its_chat_is_left(window: Window) -> None:
    message = ChatMessage("user", "Why?")
    window.transcript.show_messages([message])
    view = window.transcript.messages.view_of(message.id)
    assert view is not None
    view.setFocus()
    window.transcript.show_messages([ChatMessage("user", "Another")])
    assert window.composer.editor.hasFocus()


def test_the_focus_stays_elsewhere(window: Window) -> None:
    window.transcript.show_messages([ChatMessage("user", "Why?")])
    window.sidebar.search.setFocus()
    window.transcript.show_messages([])
    assert window.sidebar.search.hasFocus()


@pytest.mark.parametrize("width", [480, 900, 1400])
def test_the_way_back_lies_beside_the_words(window: Window, width: int) -> None:
    window.transcript.show_messages([ChatMessage("user", "Why?\n\n" * 60)])
    bar = window.transcript.messages.verticalScrollBar()
    bar.setValue(0)
    window.resize(width, 600)
    QApplication.processEvents()
    button, column = window.transcript._newest, window.transcript.messages.column_width
    assert button.isVisible()
    assert button.x() >= (window.transcript.width() + column) // 2
    assert button.geometry().right() <= window.transcript.width() - bar.width()
