"""The Qt binding must give back every reference it takes.

PySide6 6.12.0 on CPython 3.11 lost references to None and True at every call until the interpreter aborted. Where None
is immortal (3.12 and later) its count says nothing, so an object of our own makes the same journeys everywhere.
"""

import sys
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

ROUNDS = 3000
SLACK = 200  # what the interpreter itself may keep or free meanwhile; a lost reference per call shows as ROUNDS
MORTAL = sys.version_info < (3, 12)
# Held for the whole run, so that a binding that loses references makes these tests fail instead of ending Python.
BALLAST = [value for value in (None, True, False) for _ in range(100 * ROUNDS)]


class Sender(QObject):
    plain = Signal()
    flag = Signal(bool)
    anything = Signal(object)

    def event(self, event: QEvent) -> bool:
        return super().event(event)


class Filter(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return False


def emissions(sender: Sender) -> None:
    sender.plain.emit()
    sender.flag.emit(True)
    sender.flag.emit(False)
    sender.anything.emit(None)
    sender.anything.emit(True)


def properties(sender: Sender) -> None:
    sender.setProperty("shown", True)
    assert sender.property("shown") is True
    assert sender.property("missing") is None
    sender.blockSignals(False)
    sender.setParent(None)


def overrides(sender: Sender) -> None:
    QApplication.sendEvent(sender, QEvent(QEvent.Type.User))


@pytest.mark.parametrize("journey", [emissions, properties, overrides])
def test_none_and_true_are_given_back(qapp: QApplication, journey: Callable[[Sender], None]) -> None:
    sender, heard = Sender(), [0]
    watcher = Filter()
    sender.installEventFilter(watcher)

    def listener(*values: object) -> None:
        heard[0] += len(values)

    for signal in (sender.plain, sender.flag, sender.anything):
        signal.connect(listener)
    journey(sender)
    before = {value: sys.getrefcount(value) for value in (None, True, False)}
    for _ in range(ROUNDS):
        journey(sender)
    for value, count in before.items():
        assert sys.getrefcount(value) >= count - SLACK, f"references to {value} were lost"
    if not MORTAL:
        assert sys.getrefcount(None) == before[None]  # immortal: nothing to lose, and the check above says nothing


def test_an_object_of_our_own_is_given_back_exactly(qapp: QApplication) -> None:
    sender, token, kept = Sender(), object(), []
    sender.anything.connect(lambda value: kept.append(value) or kept.clear())
    sender.anything.emit(token)
    before = sys.getrefcount(token)
    for _ in range(ROUNDS):
        sender.anything.emit(token)
        sender.setProperty("token", token)
        assert sender.property("token") is token
    sender.setProperty("token", None)
    assert sys.getrefcount(token) == before


def test_widgets_that_come_and_go_leave_nothing(qapp: QApplication) -> None:
    before = sys.getrefcount(None)
    for _ in range(ROUNDS // 10):
        widget = QWidget()
        widget.setToolTip("a")
        widget.update()
        widget.parentWidget()
        widget.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert sys.getrefcount(None) >= before - SLACK
