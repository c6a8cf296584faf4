"""What an import left out is read in full: long reasons wrap, and nothing has to be scrolled sideways."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.theme import LIGHT
from app.views.import_dialog import ImportDialog
from app.views.style import dress


def test_long_reasons_wrap_within_the_list(qapp: QApplication, qtbot: QtBot) -> None:
    dress(qapp, LIGHT)
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ImportDialog(parent, "openai.jsonl")
    with qtbot.waitExposed(dialog):
        dialog.show()
    reason = "what I asked another program in all those years.jsonl, line 3: it is no JSON"
    dialog.show_progress(1.0, 1, 3, 5, 2)
    dialog.finish("openai.jsonl was imported.", [reason, "openai.jsonl, line 4: 1 × message without text"])

    def fits() -> None:
        inside = dialog.skipped.viewport().rect()
        rect = dialog.skipped.visualItemRect(dialog.skipped.item(0))
        assert inside.contains(rect.topLeft()) and inside.contains(rect.bottomRight() - QPoint(1, 1))
        assert rect.height() > dialog.skipped.visualItemRect(dialog.skipped.item(1)).height()
        assert not dialog.skipped.horizontalScrollBar().isVisible()

    qtbot.waitUntil(fits)
    dialog.close()


def test_it_stands_over_the_window_though_it_grew_at_once(qapp: QApplication, qtbot: QtBot) -> None:
    dress(qapp, LIGHT)
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.setGeometry(100, 100, 900, 700)
    parent.show()
    dialog = ImportDialog(parent, "openai.jsonl")
    dialog.show()
    dialog.move(1, 1)  # as a window manager may have it that has not placed it yet
    dialog.finish("openai.jsonl was imported.", ["openai.jsonl, line 4: 1 × message without text"])

    def away() -> int:
        return (dialog.frameGeometry().center() - parent.frameGeometry().center()).manhattanLength()

    qtbot.waitUntil(lambda: away() < 3)
    dialog.move(1, 1)  # the person did
    dialog.repaint()
    assert away() > 100
    dialog.close()
