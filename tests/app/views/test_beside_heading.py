"""Home, End and the page keys in lists with headings."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidgetItem
from pytestqt.qtbot import QtBot

from app.views.model_list import ModelList


def filled(qtbot: QtBot, headings: tuple[int, ...]) -> ModelList:
    rows = ModelList()
    qtbot.addWidget(rows)
    for number in range(8):
        item = QListWidgetItem(str(number))
        rows.addItem(item)
        if number in headings:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
    rows.show()
    return rows


@pytest.mark.parametrize(
    ("key", "row"), [(Qt.Key.Key_Home, 2), (Qt.Key.Key_PageUp, 2), (Qt.Key.Key_End, 6), (Qt.Key.Key_PageDown, 6)]
)
def test_a_key_that_leads_to_a_heading_goes_beside_it(qtbot: QtBot, key: Qt.Key, row: int) -> None:
    rows = filled(qtbot, (0, 1, 7))
    rows.setCurrentRow(4)
    qtbot.keyClick(rows, key)
    assert rows.currentRow() == row


def test_where_all_are_headings_a_key_goes_nowhere(qtbot: QtBot) -> None:
    rows = filled(qtbot, tuple(range(8)))
    qtbot.keyClick(rows, Qt.Key.Key_Home)
    assert not rows.selectedItems()
