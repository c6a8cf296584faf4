"""Which language the window is made in, and that what it needs is there."""

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from app.language import FILE, Interface, chinese, language_of, tr


@pytest.mark.parametrize(
    ("choice", "system", "language"),
    [
        ("system", ["zh-CN", "en-US"], "zh"),
        ("system", ["zh-Hans-CN"], "zh"),
        ("system", ["en-GB", "zh-CN"], "en"),
        ("system", ["de-DE"], "en"),
        ("system", [], "en"),
        ("zh", ["en-US"], "zh"),
        ("en", ["zh-CN"], "en"),
    ],
)
def test_the_system_decides_unless_the_person_does(choice: str, system: list[str], language: str) -> None:
    assert language_of(choice, system) == language


def test_the_translation_is_shipped() -> None:
    assert FILE.is_file()


def test_both_foreword_and_qt_speak_chinese_and_english_again(qtbot: QtBot) -> None:
    application, locale = QCoreApplication.instance(), QLocale()
    assert application is not None
    interface = Interface(application)
    assert tr("Settings") == "Settings"
    interface.speak("zh")
    try:
        assert tr("Settings") == "设置" and interface.language == "zh"
        assert tr("a text that nobody has translated") == "a text that nobody has translated"
        assert tr("") == ""
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        qtbot.addWidget(box)
        assert "取消" in box.button(QDialogButtonBox.StandardButton.Cancel).text()
    finally:
        interface.speak("en")
        QLocale.setDefault(locale)
    assert tr("Settings") == "Settings"


def test_chinese_can_be_asked_for_while_the_window_speaks_english() -> None:
    assert chinese("Temperature") == "温度" and chinese("no such text") == ""
