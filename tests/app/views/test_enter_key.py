"""Enter presses the button that has the focus: in every dialog, and in the window."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPushButton, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

import app.views
from app.views.benchmarks_page import BenchmarksPage
from app.views.dialog import Dialog
from app.views.link_question import LinkQuestion
from app.views.window import Window

NO_DIALOGS = {"dialog.py"}


def test_every_dialog_is_one_of_these() -> None:
    for path in Path(app.views.__file__).parent.glob("*.py"):
        if path.name not in NO_DIALOGS:
            assert not re.search(r"class \w+\(QDialog", path.read_text(encoding="utf-8")), path.name


@pytest.mark.parametrize("make", [QPushButton, QToolButton])
@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_the_focused_button_is_pressed_and_not_the_default(
    qtbot: QtBot, make: type[QAbstractButton], key: Qt.Key
) -> None:
    dialog = Dialog()
    qtbot.addWidget(dialog)
    usual, other = QPushButton(), make()
    column = QVBoxLayout(dialog)
    pressed = []
    for button in (usual, other):
        column.addWidget(button)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda _=False, button=button: pressed.append(button))
    usual.setDefault(True)
    if isinstance(other, QPushButton):
        other.setAutoDefault(False)
    dialog.show()
    other.setFocus()
    QTest.keyClick(other, key)
    assert pressed == [other]


def test_a_link_is_opened_by_the_button_that_says_so(qtbot: QtBot) -> None:
    question = LinkQuestion("https://example.org", None)
    question.show()
    question.open_button.setFocus()
    with qtbot.waitSignal(question.opened):
        QTest.keyClick(question.open_button, Qt.Key.Key_Return)


def test_in_the_window(qtbot: QtBot) -> None:
    window = Window()
    qtbot.addWidget(window)
    window.show()
    with qtbot.waitSignal(window.models_requested):
        window.sidebar.models.setFocus()
        QTest.keyClick(window.sidebar.models, Qt.Key.Key_Return)


def test_the_keyboard_goes_from_start_to_stop_and_back(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    page = BenchmarksPage(parent)
    page.show()
    page.activateWindow()
    page.start_button.setFocus()
    qtbot.waitUntil(page.start_button.hasFocus)
    page.start_requested.connect(lambda _: page.show_state(running=True, obstacle=""))
    QTest.keyClick(page.start_button, Qt.Key.Key_Return)
    assert page.stop_button.hasFocus()
    page.show_state(running=False, obstacle="")
    assert page.start_button.hasFocus()
    page.close()
