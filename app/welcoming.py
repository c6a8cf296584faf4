"""The first run: the welcome is shown once and can be skipped. Closed, it comes again at the next start, where it was,
unless a model was loaded without it.

It can be opened again at any time.
"""

import threading
from collections.abc import Iterator

from PySide6.QtCore import QObject, QSettings, Signal

from app.errands import Errands, Job
from app.error_texts import told
from app.language import Language, spoken, tr
from app.load_report import megabytes
from app.models_place import ModelsPlace, free_room
from app.preferences import Preferences
from app.views.banner import Action
from app.views.welcome import Welcome
from app.views.window import Window
from inference.errors import UserError
from inference.manager.catalogue import Catalogue
from inference.plan.recommendation import Recommendation, recommend

STEP, DONE = "welcome/step", "welcome/done"
BANNER = "welcome"


class Welcoming(QObject):
    settings_wanted = Signal(object)  # Settings: another language
    reopen_wanted = Signal()  # the window, in another language
    ended = Signal()  # the model is to be loaded now
    put_off = Signal()  # nothing is to be loaded until the person wants it
    download_wanted = Signal(str)  # a model of the catalogue

    def __init__(
        self, window: Window, preferences: Preferences, errands: Errands, state: QSettings, place: ModelsPlace
    ) -> None:
        super().__init__()
        self._window = window
        self._preferences = preferences
        self._errands = errands
        self._state = state
        self._place = place
        self._language: Language = spoken(preferences.current.language)
        self._starter = Catalogue.read().starter
        self._best: Recommendation | None = None
        self.dialog: Welcome | None = None
        self._is_put_off = False
        window.sidebar.welcome_requested.connect(self.open)

    @property
    def due(self) -> bool:
        return self._state.value(DONE) is None

    def open(self) -> None:
        step = self._state.value(STEP, 0) if self.due else 0
        dialog = self.dialog = Welcome(self._window, self._preferences.current.language, int(str(step)))
        starter = self._starter
        size = megabytes(starter.sources[0].download_bytes or starter.size_bytes)
        text = tr("{name}, {size}. {note}").format(name=starter.name, size=size, note=tr(starter.note))
        dialog.show_starter(text)
        self._place.shown.connect(dialog.show_folder)
        self._place.tell()
        dialog.step_changed.connect(lambda step: self._state.setValue(STEP, step))
        dialog.language_chosen.connect(self._choose_language)
        dialog.folder_wanted.connect(lambda: self._place.ask(dialog))
        dialog.ended.connect(self._end)
        dialog.put_off.connect(self._put_off)
        dialog.finished.connect(dialog.deleteLater)
        self._errands.start("recommend a model", _recommend(self._language), self._show_best, self._show_none)
        dialog.open()

    def close(self) -> None:
        """The window closes; the welcome comes again where it was."""
        if self.dialog is not None:
            self.dialog.blockSignals(True)
            self.dialog = None

    def has_model(self) -> None:
        """It is there. A welcome that was put off has nothing left to do, once the person found a model without it."""
        self._window.banners.close_banner(BANNER)
        if self._is_put_off:
            self._note_done()

    def _choose_language(self, choice: str) -> None:
        self.settings_wanted.emit(self._preferences.current.with_value("language", choice))
        if spoken(choice) != self._language:
            self._state.setValue(STEP, 0)
            self.reopen_wanted.emit()

    def _show_best(self, best: Recommendation | None) -> None:
        self._best = best
        if self.dialog is None:
            return
        if best is None:
            text = tr("No larger model fits into this machine's free memory. The page of models shows what there is.")
            self.dialog.show_best("", text, wanted=False)
            return
        spec = best.spec
        room = free_room() >= spec.size_bytes
        strange = self._language not in self._starter.languages  # then there is no chatting without another model
        facts = [tr("{size} to download").format(size=megabytes(spec.size_bytes))]
        if best.tokens_per_second is not None:
            speed = round(best.tokens_per_second)
            facts.append(tr("about {speed} tokens a second here before speculation").format(speed=speed))
        if not room:
            facts.append(tr("there is not enough room for it where models are kept"))
        if self._language == "zh":
            facts.append(tr("it speaks Chinese, which the starter does not"))
        text = tr("{facts}. {note}").format(facts=tr("; ").join(facts), note=tr(spec.note) if spec.note else "")
        title = tr("Recommended here: {name}").format(name=spec.name)
        self.dialog.show_best(title, text.strip(), wanted=strange and room)

    def _show_none(self, error: UserError) -> None:
        if self.dialog is not None:
            self.dialog.show_best("", told(error), wanted=False)

    def _put_off(self) -> None:
        self.dialog = None
        if self.due:
            self._is_put_off = True
            text = tr("No model was fetched or loaded. The welcome comes again at the next start.")
            again = Action(tr("Go on with the welcome…"), self.open, asks=True)
            self._window.banners.show_banner(BANNER, text, actions=[again])
            self.put_off.emit()

    def _end(self, best: bool) -> None:
        first = self.due
        self._window.banners.close_banner(BANNER)
        self._note_done()
        self.dialog = None
        if best and self._best is not None:
            self.download_wanted.emit(self._best.spec.identifier)
        if first:
            self.ended.emit()

    def _note_done(self) -> None:
        self._state.setValue(DONE, True)
        self._state.remove(STEP)


def _recommend(language: Language) -> Job:
    def run(cancel: threading.Event) -> Iterator[Recommendation | None]:
        from inference.bandwidth import usual_bandwidth
        from inference.manager.paths import cache_folder
        from inference.plan.machine import Machine

        machine = Machine.here()
        bandwidth = None if machine.cards else usual_bandwidth(cache_folder() / "memory-speed.json")
        yield recommend(Catalogue.read().specs[1:], machine, bandwidth, language)  # the starter is there anyway

    return run
