"""A dialog that is opened again is where it was left."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.theme import LIGHT
from app.views.benchmarks_page import BenchmarksPage
from app.views.checking_page import CheckingPage
from app.views.compare_page import ComparePage
from app.views.dialog import Dialog
from app.views.doctor_page import DoctorPage
from app.views.models_page import ModelsPage
from app.views.training_page import TrainingPage

KINDS: dict[str, Callable[[QWidget], Dialog]] = {
    "benchmarks": BenchmarksPage,
    "check": CheckingPage,
    "compare": ComparePage,
    "doctor": lambda parent: DoctorPage(parent, LIGHT),
    "models": lambda parent: ModelsPage(parent, LIGHT),
    "training": TrainingPage,
    "any": Dialog,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_dialog_is_opened_where_it_was_left(kind: str, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(900, 700)
    parent.show()
    dialog = KINDS[kind](parent)
    dialog.resize(600, 400)
    places = []
    for _ in range(3):
        with qtbot.waitExposed(dialog):
            dialog.show()
        places.append(dialog.pos())
        dialog.close()
    assert places[0] == places[1] == places[2]
    dialog.show()
    handle = dialog.windowHandle()
    handle.setFramePosition(places[0] + QPoint(30, 20))  # as a person drags it
    qtbot.waitUntil(lambda: dialog.pos() != places[0])
    dragged = dialog.pos()
    dialog.close()
    dialog.show()
    assert dialog.pos() == dragged
    dialog.close()
