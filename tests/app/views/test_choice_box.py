"""No choice is cut off where there is no room for it: its middle gives way, in every list to choose from."""

import re
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import app.views
from app.theme import LIGHT
from app.views.choice_box import ChoiceBox
from app.views.style import dress


def test_the_middle_gives_way(qapp: QApplication, qtbot: QtBot) -> None:
    dress(qapp, LIGHT)
    box = ChoiceBox()
    qtbot.addWidget(box)
    box.addItems(["Short", "2026-11-30 09:00 · A model with a long name · K from 1 to 8"])
    box.resize(240, 36)
    assert box.shown_text == "Short"
    box.setCurrentIndex(1)
    assert box.shown_text.startswith("2026") and box.shown_text.endswith("8") and "…" in box.shown_text
    assert box.fontMetrics().horizontalAdvance(box.shown_text) < 240
    assert not box.grab().isNull()


def test_every_list_that_cannot_be_typed_into_is_one() -> None:
    for path in Path(app.views.__file__).parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        if re.search(r"= QComboBox\(\)|class \w+\(QComboBox\)", text) and path.name != "choice_box.py":
            assert "setEditable(True)" in text, path.name
