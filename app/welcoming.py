"""The first run: the welcome is shown once, can be skipped, goes on where it was left, and can be opened again."""

import threading
from collections.abc import Iterator

from PySide6.QtCore import QObject, QSettings, Signal

from app.errands import Errands, Job
from app.error_texts import told
from app.language import Language, spoken, tr
from app.load_report import megabytes
from app.models_place import ModelsPlace
from app.preferences import Preferences
from app.views.welcome import Welcome
from app.views.window import Window
from inference.errors import UserError
from inference.manager.catalogue import Catalogue
from inference.manager.spec import Spec
from inference.plan.recommendation import Recommendation, recommend

STEP, DONE = "welcome/step", "welcome/done"


class Welcoming(QObject):
    settings_wanted = Signal(object)  # Settings: another language
    reopen_wanted = Signal()  # the window, in another language
    ended = Signal()  # the model is to be loaded now
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
        self._best: Recommendation | None = None
        self.dialog: Welcome | None = None
        window.sidebar.welcome_requested.connect(self.open)

    @property
    def due(self) -> bool:
        return self._state.value(DONE) is None

    def open(self) -> None:
        step = self._state.value(STEP, 0) if self.due else 0
        dialog = self.dialog = Welcome(self._window, self._preferences.current.language, int(str(step)))
        starter = Catalogue.read().starter
        text = tr("{name}, {size}. {note}").format(name=starter.name, size=_sizes(starter), note=tr(starter.note))
        dialog.show_starter(text)
        self._place.shown.connect(dialog.show_folder)
        self._place.tell()
        dialog.step_changed.connect(lambda step: self._state.setValue(STEP, step))
        dialog.language_chosen.connect(self._choose_language)
        dialog.folder_wanted.connect(lambda: self._place.ask(dialog))
        dialog.ended.connect(self._end)
        dialog.finished.connect(dialog.deleteLater)
        self._errands.start("recommend a model", _recommend(self._language), self._show_best, self._show_none)
        dialog.open()

    def close(self) -> None:
        """The window closes; the welcome comes again where it was."""
        if self.dialog is not None:
            self.dialog.blockSignals(True)
            self.dialog = None

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
        facts = [tr("{size} to download").format(size=megabytes(spec.size_bytes))]
        if best.tokens_per_second is not None:
            speed = round(best.tokens_per_second)
            facts.append(tr("about {speed} tokens a second here before speculation").format(speed=speed))
        if self._language == "zh":
            facts.append(tr("it speaks Chinese, which the starter does not"))
        text = tr("{facts}. {note}").format(facts=tr("; ").join(facts), note=tr(spec.note) if spec.note else "")
        self.dialog.show_best(tr("Also fetch {name}").format(name=spec.name), text.strip(), wanted=False)

    def _show_none(self, error: UserError) -> None:
        if self.dialog is not None:
            self.dialog.show_best("", told(error), wanted=False)

    def _end(self, best: bool) -> None:
        first = self.due
        self._state.setValue(DONE, True)
        self._state.remove(STEP)
        self.dialog = None
        if best and self._best is not None:
            self.download_wanted.emit(self._best.spec.identifier)
        if first:
            self.ended.emit()


def _sizes(starter: Spec) -> str:
    """As large as the source it will come from."""
    sizes = sorted({starter.size_bytes, *(source.download_bytes for source in starter.sources)} - {0})
    return "–".join(megabytes(size) for size in sizes)


def _recommend(language: Language) -> Job:
    def run(cancel: threading.Event) -> Iterator[Recommendation | None]:
        import torch

        from inference.bandwidth import measured_bandwidth
        from inference.plan.machine import Machine

        machine = Machine.here()
        bandwidth = None if machine.cards else measured_bandwidth(torch.device("cpu"))
        yield recommend(Catalogue.read().specs, machine, bandwidth, language)

    return run
