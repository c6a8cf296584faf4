"""The doctor in the window: examines in a thread of its own and shows each finding as it comes."""

import threading
from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox

from app.errands import Errands
from app.error_texts import told
from app.language import listed, tr
from app.load_report import megabytes
from app.model_rows import place_of
from app.theme import LIGHT, Theme
from app.torch_switch import Build, command, freed, other_build
from app.views.doctor_page import DoctorPage
from app.views.window import Window
from inference.chat_engine import LoadedModel
from inference.doctor.finding import Finding
from inference.doctor.probe import give_up
from inference.errors import UserError

FREED_S = 30.0


class DoctorVisit(QObject):
    restart_wanted = Signal(list)  # the command that starts it anew, with another build of torch

    def __init__(self, window: Window, errands: Errands, held: Callable[[], Sequence[LoadedModel]] = tuple) -> None:
        """held: what is loaded now."""
        super().__init__()
        self._held = held
        self._window = window
        self._errands = errands
        self._theme = LIGHT
        self._running = False
        self._other: Build | None = None
        self.page: DoctorPage | None = None

    def start(self) -> None:
        """The launcher's window is gone by now; what it said last is said again."""
        if room := freed():
            text = tr("Another torch is installed. {size} of disk that only the one before needed are free again.")
            text = text.format(size=megabytes(room))
            self._window.banners.show_banner("torch", text, tone="good", seconds=FREED_S)

    def open_page(self) -> None:
        if self.page is None:
            self.page = DoctorPage(self._window, self._theme)
            self.page.again_requested.connect(self._examine)
            self.page.switch_requested.connect(self._ask_to_switch)
        self.page.show()
        self.page.activateWindow()
        self._examine()

    def close(self) -> None:
        """What is being asked is given up, so that closing waits for nothing."""
        give_up()
        if self.page is not None:
            self.page.close()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self.page is not None:
            self.page.set_theme(theme)

    def _examine(self) -> None:
        if self._running or self.page is None:
            return
        self._running = True
        self.page.begin()
        errand = self._errands.start("doctor", _findings, self._finish, self._fail)
        errand.progressed.connect(lambda found: self._show(found, finished=False))

    def _show(self, found: list[Finding], finished: bool) -> None:
        if self.page is not None:
            # The page only appends: what is loaded comes last, once, or it would stand in other findings' places.
            self.page.show_findings([*found, *self._loaded()] if finished else found, finished)

    def _loaded(self) -> list[Finding]:
        """Which device holds what."""
        models = self._held()
        facts = tuple((model.spec.name, model.description) for model in models)
        texts = [tr("{name}: {place}").format(name=model.spec.name, place=place_of(model)) for model in models]
        return [Finding("loaded", tr("Loaded models"), "good", listed(texts), facts=facts)] if models else []

    def _finish(self, found: list[Finding] | None) -> None:
        self._running = False
        self._show(found or [], finished=True)
        self._other = other_build(found or [])
        offers = {"cuda": tr("Use the graphics card…"), "cpu": tr("Use the processor only…"), None: ""}
        if self.page is not None:
            self.page.offer(offers[self._other])

    def _ask_to_switch(self) -> None:
        build = self._other
        if build is None or self.page is None:
            return
        texts = {
            "cuda": tr("Foreword closes, fetches torch for the graphics card (about 3 GB), and starts again."),
            "cpu": tr("Foreword closes, fetches torch for the processor (about 200 MB), and starts again."),
        }
        box = QMessageBox(QMessageBox.Icon.Question, tr("Check of this machine"), texts[build], parent=self.page)
        go = box.addButton(tr("Close and install"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
        go.clicked.connect(lambda: self.restart_wanted.emit(command(build)))
        box.finished.connect(box.deleteLater)
        box.open()

    def _fail(self, error: UserError) -> None:
        self._finish(
            [Finding("doctor", tr("Check of this machine"), "bad", told(error), tr("The log has the details."))]
        )


def _findings(cancel: threading.Event) -> Iterator[list[Finding]]:
    """All of them so far, again and again."""
    from app.doctor import ALL_CHECKS
    from inference.doctor.examination import examine

    found: list[Finding] = []
    for finding in examine(ALL_CHECKS, cancel):
        found.append(finding)
        yield list(found)
