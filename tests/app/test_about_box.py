"""The box that says what Foreword consists of."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from app.licences import Licence
from app.views.about_box import AboutBox

LICENCES = (
    Licence("Foreword", "0.1.0", "Apache-2.0", "Apache License"),
    Licence("numpy", "2.4", "BSD-3-Clause", "<b>Redistribution</b> 条款"),
)


def test_the_chosen_licence_is_shown_as_it_is(qtbot: QtBot) -> None:
    box = AboutBox(None, LICENCES)
    qtbot.addWidget(box)
    assert box.text == "Foreword 0.1.0\nApache-2.0\n\nApache License"
    qtbot.keyClick(box.findChild(QListWidget), Qt.Key.Key_Down)
    assert box.text == "numpy 2.4\nBSD-3-Clause\n\n<b>Redistribution</b> 条款"
    box.choose("Foreword")
    assert box.text.startswith("Foreword")
    box.choose("nothing of the kind")
    assert box.text.startswith("Foreword")


def test_escape_closes_it(qtbot: QtBot) -> None:
    box = AboutBox(None, LICENCES)
    with qtbot.waitExposed(box):
        box.show()
    with qtbot.waitSignal(box.finished):
        qtbot.keyClick(box, Qt.Key.Key_Escape)


def test_a_long_name_needs_no_scroll_bar(qtbot: QtBot) -> None:
    box = AboutBox(None, [*LICENCES, Licence("a-name-" * 12, "1", "MIT", "")])
    qtbot.addWidget(box)
    with qtbot.waitExposed(box):
        box.show()
    listed = box.findChild(QListWidget)
    assert not listed.horizontalScrollBar().isVisible()
    assert listed.item(2).toolTip().startswith("a-name-")


def test_an_empty_list_is_shown_too(qtbot: QtBot) -> None:
    box = AboutBox(None, ())
    qtbot.addWidget(box)
    assert box.text == ""
