"""Whether there is a newer version of Foreword: asked once a day where the person wants that, and whenever they ask.

Nothing is downloaded or installed. Without the setting and without being asked, no request is made.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from packaging.version import Version
from PySide6.QtCore import QObject, QTimer, Signal

from app.errands import Errands
from app.error_texts import told
from app.language import tr
from app.later import Later
from app.settings import Settings
from app.version import NAME, own_version
from app.views.banner import Action
from app.views.link_question import LinkQuestion
from app.views.window import Window
from inference.errors import UserError
from inference.manager import addresses
from inference.manager.files import read_json, write_json
from inference.manager.newest_version import is_newer, newest_version

log = logging.getLogger(__name__)

T = TypeVar("T")

BANNER = "update"
DAY_S = 24 * 60 * 60
FIRST_MS, AGAIN_MS = 20_000, 60 * 60 * 1000  # not while everything is starting; then whether a day is over
ASKED, UNWANTED = "asked", "unwanted"


class Updates(QObject):
    link_opened = Signal(str)  # the person was shown the whole address and said yes

    def __init__(
        self, window: Window, errands: Errands, state: Path, version: str = "", now: Callable[[], float] = time.time
    ) -> None:
        """state: a small file, with when it was asked last, and the version that is not wanted."""
        super().__init__()
        self._window, self._errands, self._state = window, errands, state
        self._notes, self._later = _read(state), Later("writer of versions")
        self._version = version or own_version()
        self._now = now
        self._asking = self._by_hand = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._ask_if_due)
        window.sidebar.update_requested.connect(self.ask_by_hand)

    def follow(self, settings: Settings) -> None:
        """Whether it is to be asked by itself."""
        if not settings.look_for_updates:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start(FIRST_MS)

    def ask_by_hand(self) -> None:
        self._by_hand = True
        self._window.banners.show_banner(BANNER, tr("Asking whether there is a newer version…"))
        self._ask()

    def close(self) -> None:
        self._timer.stop()
        self._later.flush()

    def _ask_if_due(self) -> None:
        self._timer.start(AGAIN_MS)
        if not 0 <= self._now() - self._kept(ASKED, 0.0) < DAY_S:  # a clock that was put back does not silence it
            self._ask()

    def _ask(self) -> None:
        if self._asking:
            return
        self._asking = True
        self._keep(ASKED, self._now())  # also where nobody answers: once a day is enough
        self._errands.start("newer version", _newest, self._tell, self._fail)

    def _tell(self, newest: Version | None) -> None:
        by_hand = self._end()
        here, there = self._version, str(newest or "")
        if is_newer(there, here):
            if by_hand or self._kept(UNWANTED, "") != there:
                self._offer(there)
        elif by_hand:
            if newest is None:
                text = tr("No finished version of Foreword is published; this is {here}.")
            elif is_newer(here, there):
                text = tr("This is Foreword {here}; the newest that is published is {there}.")
            else:
                text = tr("This is Foreword {here}, the newest that is published.")
            self._window.banners.show_banner(BANNER, text.format(here=here, there=there), tone="good")

    def _fail(self, error: UserError) -> None:
        if self._end():
            self._window.banners.show_banner(BANNER, told(error), tone="warning")
        else:
            log.info("no newer version is known: %s", error)

    def _end(self) -> bool:
        """Whether the person waits for the answer."""
        by_hand, self._by_hand, self._asking = self._by_hand, False, False
        return by_hand

    def _offer(self, version: str) -> None:
        text = tr("Foreword {version} is published; this is {here}. Nothing is downloaded or installed by itself.")
        actions = [
            Action(tr("Open its page…"), self._ask_about_page, asks=True),
            Action(tr("Not this version again"), lambda: self._keep(UNWANTED, version)),
        ]
        text = text.format(version=version, here=self._version)
        self._window.banners.show_banner(BANNER, text, actions=actions)

    def _ask_about_page(self) -> None:
        about = tr("Open this address in your browser? The newer version is published there.")
        question = LinkQuestion(addresses.project_page(NAME), self._window, about)
        question.opened.connect(self.link_opened)
        question.open()

    def _kept(self, name: str, default: T) -> T:
        value = self._notes.get(name)
        return value if isinstance(value, type(default)) else default

    def _keep(self, name: str, value: object) -> None:
        self._notes = {ASKED: self._kept(ASKED, 0.0), UNWANTED: self._kept(UNWANTED, ""), name: value}
        self._later.do(partial(self._write, self._notes))

    def _write(self, notes: dict[str, object]) -> None:
        try:
            self._state.parent.mkdir(parents=True, exist_ok=True)
            write_json(self._state, notes)
        except OSError as error:
            log.warning("it is not kept when a newer version was asked for: %s", error)


def _read(state: Path) -> dict[str, object]:
    try:
        notes = read_json(state)
    except (OSError, ValueError):
        return {}
    return notes if isinstance(notes, dict) else {}


def _newest(cancel: threading.Event) -> Iterator[Version | None]:
    yield newest_version(addresses.updates(), NAME, cancel)
