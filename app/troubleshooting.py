"""When something went wrong: reports are saved and offered, the log is shown, a start that failed becomes careful."""

import logging
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from app import log as log_file
from app.crash_report import facts, log_lines, places, reports, save_report
from app.language import tr
from app.settings import Settings
from app.starts import Starts
from app.views.banner import Action
from app.views.text_window import TextWindow
from app.views.window import Window
from inference.manager.paths import LOG, REPORTS

log = logging.getLogger(__name__)

MOST_LOG_LINES = 2000


class Troubleshooting(QObject):
    restart_wanted = Signal()
    load_wanted = Signal()  # the model, in spite of safe mode
    models_wanted = Signal()  # the person wants to choose another
    settings_wanted = Signal(object)  # Settings
    _uncaught = Signal(str)

    def __init__(self, window: Window, log_folder: Path, starts: Starts) -> None:
        super().__init__()
        self._window = window
        self._log = log_folder / LOG
        self._reports = log_folder / REPORTS
        self._starts = starts
        self._told = False
        self._uncaught.connect(self._take_uncaught, Qt.ConnectionType.QueuedConnection)
        log_file.set_observer(lambda error: self._uncaught.emit(places(error)))
        window.sidebar.log_requested.connect(self.show_log)

    @property
    def safe_mode(self) -> bool:
        return self._starts.safe_mode

    def start(self) -> None:
        """Say how the last start ended, if it did not end well."""
        if self.safe_mode:
            failed = tr("Foreword did not come up the last times, so no model was loaded. Your chats are intact.")
            asked = tr("Started in safe mode, as you asked: no model was loaded.")
            text = asked if self._starts.asked else failed
            actions = [*self._to_load(), Action(tr("Reset the settings"), self._reset)]
            if reports(self._reports):
                actions.append(self._show_report(asks=True))  # and then what to do about it
            self._window.banners.show_banner("safe mode", text, tone="warning", actions=actions)
        elif self._starts.crashed:
            text = tr("Foreword ended unexpectedly last time. Your chats are intact.")
            self._window.banners.show_banner("crash", text, tone="warning", actions=[self._show_report()])

    def is_ready(self) -> None:
        self._starts.ready()

    def has_model(self) -> None:
        """What safe mode left out is there by now."""
        self._window.banners.close_banner("safe mode")

    def close(self) -> None:
        log_file.set_observer(None)
        self._starts.end()

    def show_log(self) -> None:
        note = tr("What Foreword noted of its work: versions, times, errors. Nothing of your chats is in it.")
        shown = TextWindow(self._window, tr("Log"), note, folder=str(self._log.parent), again=True)
        shown.again_requested.connect(lambda: shown.show_text(self._log_text()))
        shown.show_text(self._log_text())
        shown.show()

    def show_last_report(self) -> None:
        newest = reports(self._reports)
        if not newest:
            self.show_log()
            return
        note = tr("This was saved for whoever mends it. Nothing of your chats is in it.")
        shown = TextWindow(self._window, newest[0].name, note, folder=str(self._reports))
        shown.show_text(newest[0].read_text(encoding="utf-8", errors="replace"))
        shown.show()

    def _log_text(self) -> str:
        return f"{facts()}\n\n{log_lines(self._log, MOST_LOG_LINES)}\n"

    def _take_uncaught(self, where: str) -> None:
        try:
            save_report(self._reports, where, self._log)  # at once: the program may not live for long
        except OSError as error:
            log.warning("no report can be saved: %s", error)
        if self._told:  # what goes wrong again and again is told once
            return
        self._told = True
        text = tr("Something went wrong inside Foreword. Your chats are kept. Start it again if it behaves oddly.")
        actions = [self._show_report(), Action(tr("Start again"), self.restart_wanted.emit)]
        self._window.banners.show_banner("crash", text, tone="error", actions=actions)

    def _to_load(self) -> list[Action]:
        return [
            Action(tr("Load the model"), self.load_wanted.emit),
            Action(tr("Choose a model…"), self.models_wanted.emit, asks=True),
        ]

    def _reset(self) -> None:
        self.settings_wanted.emit(Settings())
        text = tr(
            "All settings are back at their defaults, also which model is loaded at the start. Chats, presets and "
            "models stay."
        )
        self._window.banners.show_banner("safe mode", text, tone="good", actions=self._to_load())

    def _show_report(self, *, asks: bool = False) -> Action:
        return Action(tr("Show the report"), self.show_last_report, asks=asks)
