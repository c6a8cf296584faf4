"""Runs beside the chats, to compare, check or measure: one series at a time, never while a reply is written."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from app.language import tr
from app.loader import Loader
from app.replies import Replies
from app.worker import Letter, TrialPlan, Worker
from inference.events import Failed
from inference.ladder import MemoryStep
from inference.trials import TrialNews, TrialsDone, TrialsPlanned

SeriesLetter = TrialsPlanned | TrialNews | TrialsDone | Failed
TrialListener = Callable[[SeriesLetter], None]


class Trials(QObject):
    began = Signal()
    ended = Signal()
    memory_lowered = Signal(object)  # a MemoryStep: something was given up in a run, and is gone for the chats as well

    def __init__(self, worker: Worker, loader: Loader, replies: Replies) -> None:
        super().__init__()
        self._worker = worker
        self._loader = loader
        self._replies = replies
        self._run_id = ""
        self._listener: TrialListener | None = None
        loader.changed.connect(self._follow_loader)

    @property
    def running(self) -> bool:
        return bool(self._run_id)

    def obstacle(self) -> str:
        """Why no series can begin just now; "" if one can."""
        if self._replies.conversation is not None:
            return tr("A reply is being written. Wait for its end, or stop it.")
        return self._loader.obstacle()

    def start(self, plan: TrialPlan, reason: str, listener: TrialListener) -> bool:
        """Begin, unless there is an obstacle. reason: why no reply can be had meanwhile, as a sentence.

        plan: called in the worker's thread. listener: hears all news in this one; TrialsDone or Failed comes last.
        """
        if self.obstacle():
            return False
        self.began.emit()
        self._listener = listener
        self._run_id = self._worker.try_out(plan)
        self._occupy(reason)
        return True

    def stop(self) -> None:
        """Takes effect within one round; the listener still hears the end."""
        self._worker.cancel(self._run_id)

    def take(self, run_id: str, letters: Sequence[Letter]) -> bool:
        """News of a run; False if it is not the present series."""
        if run_id != self._run_id or not run_id or self._listener is None:
            return False
        listener = self._listener
        for letter in letters:
            if isinstance(letter, TrialsDone | Failed):
                self._run_id, self._listener = "", None
                self._occupy("")
                listener(letter)
                self.ended.emit()
            elif isinstance(letter, MemoryStep):
                self.memory_lowered.emit(letter)
            elif isinstance(letter, TrialsPlanned | TrialNews):
                listener(letter)
        return True

    def close(self) -> None:
        """Nobody hears of what is still on its way."""
        self.stop()
        self._run_id, self._listener = "", None

    def _follow_loader(self) -> None:
        """Without the model there is nothing to run."""
        if self.running and self._loader.target is None:
            self.stop()

    def _occupy(self, reason: str) -> None:
        self._loader.occupied = reason
        self._loader.changed.emit()
