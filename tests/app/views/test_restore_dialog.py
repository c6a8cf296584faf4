from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.views.restore_dialog import BackupChoice, RestoreDialog


def test_enter_restores_the_chosen_backup(qtbot: QtBot, tmp_path: Path) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = RestoreDialog(parent, [BackupChoice(tmp_path / "b.sqlite", 1_700_000_000.0, 1000)])
    with qtbot.waitExposed(dialog):
        dialog.show()
    with qtbot.waitSignal(dialog.restored) as chosen:
        qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    assert chosen.args == [tmp_path / "b.sqlite"]
