"""Models that are being taken in or copied, several at once perhaps, and what is said of them together."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic

from PySide6.QtCore import QObject, Signal

from app.errands import Errands
from app.error_texts import told
from app.language import tr
from app.load_report import LoadReport
from app.refusals import in_lines
from inference.errors import UserError
from inference.events import LoadProgress
from inference.manager.spec import Spec

Bringing = Callable[[threading.Event], Iterator[LoadProgress | Spec]]


class TakingIn(QObject):
    said = Signal(str, str)  # all that there is to say, a line for each, and its tone
    taken = Signal(object)  # the Spec

    def __init__(self, errands: Errands) -> None:
        super().__init__()
        self._errands = errands
        self._running = 0
        self._refused: list[str] = []
        self._arrived: list[str] = []

    def begin(self, kind: str, name: str, job: Bringing) -> None:
        """What was said of earlier ones is over when none of them is on its way any more."""
        if not self._running:
            self.forget()
        self._running += 1
        self._say(tr("Taking in {name}…").format(name=name))
        report = LoadReport()

        def progress(step: LoadProgress | Spec) -> None:
            if isinstance(step, LoadProgress):
                self._say(report.line(step, monotonic()))

        self._errands.start(kind, job, self._end, partial(self._refuse, name)).progressed.connect(progress)

    def forget(self) -> None:
        """What was said of those that have ended is over."""
        self._refused.clear()
        self._arrived.clear()

    def arrived(self, text: str) -> None:
        """It is in the list by now; text: the sentence that says so."""
        self._arrived.append(text)
        self._say("")

    def _end(self, spec: Spec) -> None:
        self._running -= 1
        self.taken.emit(spec)

    def _refuse(self, name: str, error: UserError) -> None:
        """Of several, each says which it is."""
        self._running -= 1
        text = told(error)
        self._refused.append(text if name in text else tr("{place}: {reason}").format(place=name, reason=text))
        self._say("")

    def _say(self, line: str) -> None:
        """line: of one that is on its way."""
        parts = (in_lines(self._refused), in_lines(self._arrived), line)
        tone = "error" if self._refused else "muted" if line else "good"
        self.said.emit("\n".join(filter(None, parts)), tone)
