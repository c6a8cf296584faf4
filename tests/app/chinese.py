"""The interface in Chinese, for the length of a test."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from app.language import Interface


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[Interface]:
    interface, locale = Interface(qapp), QLocale()
    interface.speak("zh")
    yield interface
    interface.speak("en")
    QLocale.setDefault(locale)
