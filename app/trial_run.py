"""What comparing, checking and measuring do alike: begin from a page, go on without it, and end."""

import logging
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from app.atomic_file import replacing
from app.chatting import Chatting
from app.drafter_names import capital
from app.error_texts import in_words
from app.language import sentences, tr
from app.later import Later
from app.loader import Loader
from app.trials import SeriesLetter, TrialListener, Trials
from app.views.banner import Action
from app.views.run_page import RunPage
from app.views.window import Window
from app.worker import TrialPlan

log = logging.getLogger(__name__)

OUTCOME_S = 30.0  # how long the window says what came of it


class TrialRun(QObject):
    """A page and its series. Where the page is closed before the end, a strip in the window goes on in its place."""

    _noted = Signal(str)  # from the thread that writes

    def __init__(self, page: RunPage, window: Window, chatting: Chatting, trials: Trials, loader: Loader) -> None:
        super().__init__()
        self._window = window
        self._chatting = chatting
        self._trials = trials
        self._loader = loader
        self.page = page  # a subclass says of which kind
        self._running = False
        self._reason = ""  # why no reply can be had meanwhile
        self._strip: tuple[str, float | None] | None = None
        self._later = Later("writer of results")
        self._noted.connect(page.show_note, Qt.ConnectionType.QueuedConnection)
        page.stop_requested.connect(trials.stop)
        page.turned.connect(self._show_strip)
        for signal in (loader.changed, trials.began, trials.ended, chatting.changed):
            signal.connect(self._show_obstacle)

    def open_page(self) -> None:
        self._show_obstacle()
        self.page.show()
        self.page.raise_()
        self.page.activateWindow()

    def close(self) -> None:
        self._running = False
        self.page.close()
        self._later.flush()

    def _export(self, path: Path, text: str, refused: str) -> None:
        """refused: what is said then, with a place for the reason."""
        self._later.do(partial(self._write, path, text, refused), str(path))

    def _write(self, path: Path, text: str, refused: str) -> None:
        try:
            with replacing(path) as file:
                file.write(text)
        except OSError as error:
            log.warning("%s was not written: %s", path.name, error)
            self._noted.emit(refused.format(error=in_words(error.strerror or str(error))))
        else:
            self._noted.emit(tr("Saved as {name}.").format(name=path.name))

    def _begin(self, plan: TrialPlan, reason: str, take: TrialListener) -> bool:
        """reason: a sentence. take: hears all news, and calls `_end` with the last. False where it cannot begin."""

        def hear(letter: SeriesLetter) -> None:
            take(letter)
            if self._running:
                self._show_strip()

        self._running, self._reason = True, reason  # before it has begun, else it would look like an obstacle
        self._running = self._trials.start(plan, reason, hear)
        return self._running

    def _end(self) -> None:
        self._running = False
        self._show_obstacle()
        if self._strip is None:
            return
        self._strip = None
        self._window.banners.close_banner(self._name)
        if not self.page.isVisible():
            show = Action(tr("Show"), self.open_page)
            text = f"{self.page.windowTitle()}: {self.page.outcome}"
            self._window.banners.show_banner(self._name, text, actions=[show], seconds=OUTCOME_S)

    def _show_obstacle(self) -> None:
        self.page.show_state(running=self._running, obstacle="" if self._running else self._trials.obstacle())

    @property
    def _name(self) -> str:
        """Of its strip."""
        return type(self).__name__

    def _show_strip(self) -> None:
        """While it runs and its page is closed."""
        if self.page.isVisible():
            self._strip = None
            self._window.banners.close_banner(self._name)
            return
        text, share = self.page.progress_made
        strip = sentences(self._reason, capital(text)) if text else self._reason, share
        if not self._running or strip == self._strip:
            return
        self._strip = strip
        actions = [Action(tr("Show"), self.open_page), Action(tr("Stop"), self._trials.stop)]
        self._window.banners.show_banner(self._name, strip[0], actions=actions, fraction=share, closable=False)
