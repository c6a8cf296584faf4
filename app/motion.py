"""Whether anything in the window moves: as the settings say, and where they leave it to the system, as that says.

The system is asked when the window opens and whenever it comes forward: that is how it hears of a change.
"""

import logging
from collections.abc import Callable, Iterator
from threading import Event

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication

from app.errands import Errand, Errands
from app.settings import MotionChoice
from app.views.easing import set_reduced_motion

log = logging.getLogger(__name__)


class Motion(QObject):
    def __init__(self, qt: QApplication, errands: Errands, ask_system: Callable[[], bool]) -> None:
        """ask_system: whether it wants less motion; called in a thread of its own."""
        super().__init__()
        self._qt = qt
        self._errands = errands
        self._ask_system = ask_system
        self._choice: MotionChoice = "system"
        self._system = False
        self._asking: Errand | None = None
        self._effects = [effect for effect in Qt.UIEffect if qt.isEffectEnabled(effect)]  # Qt's own, of menus and tips
        qt.applicationStateChanged.connect(self._come_forward)

    def follow(self, choice: MotionChoice) -> None:
        self._choice = choice
        self._apply()
        self.ask()

    def ask(self) -> None:
        """Find out what the system wants, if that is of any interest."""
        if self._choice == "system" and self._asking is None:
            self._asking = self._errands.start("motion", self._question, self._take, lambda _: self._take(None))

    def close(self) -> None:
        self._qt.applicationStateChanged.disconnect(self._come_forward)
        self._allow_effects(True)

    def _question(self, cancel: Event) -> Iterator[bool]:
        yield self._ask_system()

    def _take(self, reduced: bool | None) -> None:
        self._asking = None
        if reduced is not None and reduced != self._system:
            log.info("the system asks for %s motion", "less" if reduced else "the usual")
            self._system = reduced
            self._apply()

    def _come_forward(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.ask()

    def _apply(self) -> None:
        reduced = self._system if self._choice == "system" else self._choice == "reduced"
        set_reduced_motion(self._qt, reduced)
        self._allow_effects(not reduced)

    def _allow_effects(self, allowed: bool) -> None:
        for effect in self._effects:
            self._qt.setEffectEnabled(effect, allowed)
