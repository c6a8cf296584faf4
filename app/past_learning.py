"""Keeps what drafts know of past chats up to date, while there is nothing else to do."""

import logging
from functools import partial

from PySide6.QtCore import QObject, Qt, QTimer, Signal, SignalInstance

from app.chats import Chats
from app.loader import Loader
from app.past_texts import past_texts
from app.preferences import Preferences
from app.replies import Replies
from app.worker import Learned, Letter, Worker
from inference.events import Failed
from inference.profiles import Past

log = logging.getLogger(__name__)

IDLE_MS = 2000  # after the last change; whoever asks on is not kept waiting
FOLDER = "past"  # beside the chats


class PastLearning(QObject):
    """Everything is done by the worker: it reads the chats, not the window. A reply that begins puts it off."""

    _written = Signal()

    def __init__(
        self, worker: Worker, chats: Chats, replies: Replies, loader: Loader, preferences: Preferences
    ) -> None:
        super().__init__()
        self._worker = worker
        self._chats = chats
        self._replies = replies
        self._loader = loader
        self._preferences = preferences
        self._folder = chats.path.parent / FOLDER
        self._run_id = ""
        self._closed = False
        self.past: Past | None = None
        self._timer = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._timer.timeout.connect(self._begin)
        self._written.connect(self._ask, Qt.ConnectionType.QueuedConnection)
        loader.target_ready.connect(lambda *_: self._begin())
        replies.began.connect(self.give_up)
        replies.ended.connect(lambda *_: self.consider())

    def follow(self, *changes: SignalInstance) -> None:
        """Each tells that chats have changed."""
        for change in changes:
            change.connect(lambda *_: self.consider())

    def consider(self) -> None:
        """Something was said, deleted, brought back or hidden: look at the chats in a moment."""
        if not self._closed and (self._loader.target is not None or self._folder.exists()):
            self._timer.start()

    def give_up(self) -> None:
        """Somebody asks a question: leave the model to them."""
        self._timer.stop()
        if self._run_id:
            self._worker.cancel(self._run_id)
            self._run_id = ""

    def take(self, run_id: str, letter: Letter) -> bool:
        """News of a run; False if it is not ours."""
        if run_id != self._run_id or not run_id:
            return False
        match letter:
            case Learned(past=past):
                self._run_id = ""
                self.past = past
            case Failed():
                self._run_id = ""
                log.warning("past chats could not be learned: %s", letter.message)
        return True

    def close(self) -> None:
        self._closed = True
        self.give_up()

    def _begin(self) -> None:
        self._chats.after_writing(self._written.emit)  # the worker reads what is on the disk

    def _ask(self) -> None:
        if self._closed or self._replies.conversation is not None:  # the end of a reply comes by here again
            return
        self.give_up()
        if self._preferences.current.learn_from_chats:
            self._run_id = self._worker.learn(partial(past_texts, self._chats.path), self._folder)
        elif self.past is not None or self._folder.exists():
            self._run_id = self._worker.forget_past(self._folder)
