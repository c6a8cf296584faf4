"""Pictures of the welcome and of the log's window, to be looked at; and that every pixel is painted."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.theme import Theme
from app.views.text_window import TextWindow
from app.views.welcome import Welcome
from tests.visual.test_panel import colours, picture, shown, theme

assert theme  # the fixture


@pytest.mark.parametrize("step", range(3))
def test_welcome(qtbot: QtBot, theme: Theme, step: int) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    page = Welcome(parent, "system", step)
    page.setModal(False)
    page.show_folder("/media/big disk/Foreword/models", "412.3 GB are free there")
    page.show_starter("SmolLM2 135M Instruct, 93 MB. A tiny model to start with. It speaks English only.")
    page.show_best("Recommended here: Qwen3 4B", "8.0 GB to download, 9 tokens a second. It can think.", wanted=True)
    window = shown(qtbot, page, page.width(), page.height())
    seen = colours(picture(window, f"welcome-{step + 1}-{theme.name}", 2))
    assert seen.get("#ff00ff", 0) == 0, "every pixel is painted"
    assert seen.get(theme.accent, 0) > 500, "the button that leads on is in the theme's colour"


def test_log_window(qtbot: QtBot, theme: Theme) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    page = TextWindow(parent, "Log", "What Foreword noted of its work.", folder="/tmp", again=True)
    page.show_text("\n".join(f"2026-01-01 10:00:{second:02},000 INFO    engine app: noted" for second in range(60)))
    window = shown(qtbot, page, page.width(), page.height())
    assert colours(picture(window, f"log-{theme.name}", 2)).get("#ff00ff", 0) == 0
