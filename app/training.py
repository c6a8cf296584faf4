"""The training page and the process behind it: which model, when to make way for a reply, and what to do at the end."""

import logging
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from app.error_texts import in_words
from app.language import tr
from app.loader import Loader
from app.training_run import TrainingRun, TrainingState, TrainingWish
from app.views.banner import Action
from app.views.training_page import TrainingPage
from app.views.window import Window
from inference.tasks import Task

log = logging.getLogger(__name__)

REPLY_S = 600.0  # a reply holds training up for so long at the most, should its end never be told


class Training(QObject):
    """At most one run, for the model that was loaded when it was started."""

    load_wanted = Signal(str)  # the model's folder: loading it again takes the new drafts along
    _changed = Signal(object)

    def __init__(self, window: Window, loader: Loader, busy: Path) -> None:
        """busy: the file that tells the run to wait."""
        super().__init__()
        self._window = window
        self._loader = loader
        self._folder = ""  # of the model the present run is for
        self._paused = False
        self._told: tuple[str, ...] = ()
        self._closed = False
        self.page = TrainingPage(window)
        self.run = TrainingRun(busy, self._changed.emit)
        self._changed.connect(self._take, Qt.ConnectionType.QueuedConnection)
        window.training_requested.connect(self.open_page)
        self.page.start_requested.connect(self.start)
        self.page.pause_requested.connect(self.pause)
        self.page.stop_requested.connect(self.run.stop)
        self.page.use_requested.connect(lambda: self.load_wanted.emit(self._folder))

    def open_page(self) -> None:
        target = self._loader.target
        if not self.run.state.running:
            self.page.show_model(target.spec.name if target else "")
        self.page.show()
        self.page.activateWindow()

    def start(self, tasks: tuple[Task, ...], include_chats: bool) -> None:
        target = self._loader.target
        if target is None or target.spec.folder is None or self.run.state.running:
            return
        self._folder, self._paused, self._told = str(target.spec.folder), False, ()
        try:
            self.run.start(TrainingWish(self._folder, tasks, include_chats))
        except OSError as error:
            log.warning("no training process: %s", error)
            self.page.show_state(
                TrainingState(
                    error=tr("The training could not be started ({error}).").format(error=in_words(str(error)))
                )
            )

    def pause(self, wanted: bool) -> None:
        self._paused = wanted
        self.run.make_way(wanted)

    def begin_reply(self) -> None:
        """Make way while the person waits for words."""
        if self.run.state.running and not self._paused:
            self.run.make_way(True, REPLY_S)

    def end_reply(self, *_: object) -> None:
        if self.run.state.running and not self._paused:
            self.run.make_way(False)

    def close(self) -> None:
        """The run writes its checkpoint and ends."""
        self._closed = True
        self.page.close()
        self.run.close()

    def _take(self, state: TrainingState) -> None:
        if self._closed:
            return  # what was still on its way when the window went
        self.page.show_state(state)
        if not state.running and state.drafts and state.drafts != self._told:
            self._told = state.drafts
            use = Action(tr("Load it now"), lambda: self.load_wanted.emit(self._folder))
            text = tr("A draft was trained for this model. It will be tried against the others.")
            self._window.banners.show_banner("training", text, tone="good", actions=[use])
        elif state.error and not state.running and not self.page.isVisible():
            self._window.banners.show_banner("training", in_words(state.error), tone="error")
