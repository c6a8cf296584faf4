"""Behind the page of models: lists, plans, fetches, takes in and removes, each in a thread of its own."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app import model_jobs as jobs
from app.downloads import Downloads
from app.errands import Errand, Errands
from app.error_texts import told
from app.hub_visit import HubVisit
from app.language import tr
from app.load_report import megabytes
from app.loader import Loader
from app.model_dialog import ModelDialog
from app.model_jobs import Listed
from app.model_loading import ModelLoading, as_they_are
from app.model_memory import ModelMemory, Remembered
from app.model_planner import Survey, first_wish, survey
from app.model_rows import rows_of
from app.preferences import Preferences
from app.settings import Settings
from app.taking_in import Bringing, TakingIn
from app.theme import LIGHT, Theme
from app.views.model_row import LoadWish
from app.views.models_page import ModelsPage
from app.views.window import Window
from inference.chat_engine import LoadedModel
from inference.errors import HubError, UserError
from inference.manager.catalogue import Catalogue
from inference.manager.hub_search import HubModel
from inference.manager.spec import Spec

log = logging.getLogger(__name__)


class ModelManager(QObject):
    """`known` are the models to choose from in the window's menu: those here, and the starter."""

    changed = Signal()  # `known` did
    doctor_wanted = Signal()
    files_dropped = Signal(list)  # on the page: their paths (str)

    def __init__(
        self,
        window: Window,
        loading: ModelLoading,
        loader: Loader,
        preferences: Preferences,
        *,
        errands: Errands,
        memory: ModelMemory,
        downloads: Downloads,
    ) -> None:
        super().__init__()
        self._window, self._loading, self._loader = window, loading, loader
        self._preferences, self._errands, self.memory = preferences, errands, memory
        self.downloads = downloads
        self._dialog = ModelDialog(window)
        self.hub = HubVisit(errands)
        self._catalogue = Catalogue.read()
        self.page: ModelsPage | None = None
        self.known: tuple[Spec, ...] = (self._catalogue.starter,)
        self._listed = Listed()
        self._found: tuple[HubModel, ...] = ()
        self._looks = 0
        self._taking_in = TakingIn(errands)
        self._new: dict[str, str] = {}  # identifier -> a sentence: what was just taken in, to be chosen once listed
        self._survey: Survey | None = None
        self._looked_at = ""
        self._surveying = self._survey_again = False
        self._surveyed: tuple[object, ...] = ()  # what plans and drafts depend on, as it was
        self._wish = LoadWish("")
        self._closed = False
        self._theme = LIGHT
        self._taking_in.said.connect(self._message)
        self._taking_in.taken.connect(self._taken_in)
        loading.ready.connect(self._take_loaded)
        loader.draft_ready.connect(lambda *_: self.remember())
        loader.changed.connect(self._show)
        downloads.changed.connect(self._show_fetching)
        downloads.begun.connect(lambda _: self._show())
        downloads.arrived.connect(lambda _: self.refresh())

    def refresh(self) -> None:
        """Look what is on the disk. Of several at once the last counts: an earlier one may have looked too early."""
        self._looks += 1
        look = partial(jobs.look, self.page is not None, self._found)
        self._start("list models", look, partial(self._take_list, self._looks))

    def close(self) -> None:
        self._closed = True
        self.downloads.close()
        self._dialog.close()
        if self.page is not None:
            self.page.close()

    def open_page(self) -> None:
        if self.page is None:
            self.page = ModelsPage(self._window, self._theme)
            self._dialog = ModelDialog(self.page)  # the page, not the window behind it, has the keyboard afterwards
            self._connect(self.page)
        self.refresh()
        self.page.show()
        self.page.activateWindow()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self.page is not None:
            self.page.set_theme(theme)

    def obstacle(self) -> str:
        """Why the folder of models cannot be moved just now, or ""."""
        if self.downloads.running:
            return tr("Models are being downloaded: wait for them, or pause them.")
        return tr("A model is being loaded: move them when it is there.") if self._loader.loading else ""

    # Loading, as each model was loaded last

    def load(self, model: str) -> None:
        """From the window's menu: the way it was loaded last."""
        remembered = self.memory.recall(model)
        self._loading.load(model, remembered.applied if remembered is not None else as_they_are)

    def load_as(self, wish: LoadWish) -> None:
        """From the page."""
        w = wish
        remembered = Remembered(w.precision, w.context, w.draft, w.cache_bits, w.int4_group, w.draft_device, w.offload)
        self.memory.keep(wish.identifier, remembered)
        align = self._survey is not None and wish.draft in self._survey.aligned

        def how(settings: Settings) -> Settings:
            changed = remembered.applied(settings)
            return changed.with_value("align_drafts", True) if align else changed

        if self.page is not None:
            self.page.close()
        self._loading.load(wish.identifier, how)

    def remember(self) -> None:
        """What is loaded now is loaded so again."""
        target = self._loader.target
        if target is not None:
            self.memory.keep(target.spec.identifier, Remembered.of(self._preferences.current))

    def _take_loaded(self, model: LoadedModel) -> None:
        self.remember()
        self.refresh()

    # What is here

    def _take_list(self, look: int, listed: Listed) -> None:
        if look != self._looks:
            return
        self._listed = listed if listed.machine is not None else replace(listed, machine=self._listed.machine)
        known = listed.here
        if self._catalogue.starter.identifier not in [spec.identifier for spec in known]:
            known = (self._catalogue.starter, *known)
        if known != self.known:
            self.known = known
            self.changed.emit()
        self._show()

    def _show(self) -> None:
        if self.page is None:
            return
        listed = self._listed
        loaded = self._loader.target.spec.identifier if self._loader.target else ""
        total = tr("Models here: {count}, {size}").format(
            count=len(listed.here), size=megabytes(sum(listed.disk.values()))
        )
        offered = self._catalogue.specs
        held = self._loader.held
        rows = rows_of(
            listed.here,
            listed.disk,
            offered,
            self.downloads.beside(self._found),
            loaded=loaded,
            machine=listed.machine,
            held=held,
            paired=listed.paired,
        )
        state = (*(spec.identifier for spec in listed.here), *(model.spec.identifier for model in held))
        before, news = self._looked_at, state != self._surveyed
        self._surveyed = state
        self.page.show_models(rows, total)
        if news and before and self._looked_at == before and not self._surveying:
            self._look_at(before)
        self._show_fetching()
        for new in [one for one in self._new if one in listed.disk]:
            self.page.list.choose(new)
            self._taking_in.arrived(self._new.pop(new))

    def _spec(self, identifier: str) -> Spec | None:
        offered = (
            *self._listed.here,
            *self._catalogue.specs,
            *(model.spec for model in self.downloads.beside(self._found)),
        )
        return next((spec for spec in offered if spec.identifier == identifier), None)

    # Plans

    def _look_at(self, identifier: str) -> None:
        """One survey at a time, as each reads the vocabularies of all models here; the newest wish counts."""
        self._survey, self._looked_at = None, identifier
        self._survey_again = self._surveying
        if not self._surveying:
            self._begin_survey()

    def _begin_survey(self) -> None:
        spec = self._spec(self._looked_at)
        if spec is not None and spec.folder is not None:
            self._surveying = True
            job = partial(survey, spec, self._listed.here, self._preferences.current)
            self._start("plan", job, self._take_survey, partial(self._no_plan, spec.identifier))

    def _end_survey(self) -> bool:
        """Whether it is still what is wanted."""
        self._surveying = False
        if self._survey_again:
            self._survey_again = False
            self._begin_survey()
            return False
        return self.page is not None

    def _take_survey(self, found: Survey) -> None:
        if not self._end_survey() or self.page is None:
            return
        self._survey = found
        identifier = found.spec.identifier
        settings = self._preferences.current
        wish, choice = found.best(first_wish(found, self.memory.recall(identifier), settings))
        self._wish = wish
        self.page.show_drafts(identifier, found.draft_rows(wish, tr("no room for it in memory")))
        self.page.show_plan(identifier, wish, choice.plan, choice.reason)

    def _no_plan(self, identifier: str, error: UserError) -> None:
        if self._end_survey() and self.page is not None:
            self.page.show_plan(identifier, LoadWish(identifier), None, told(error))

    def _replan(self, wish: LoadWish) -> None:
        if self._survey is None or self.page is None or self._survey.spec.identifier != wish.identifier:
            return
        self._wish = wish
        plan = self._survey.planned(wish)
        self.page.show_drafts(wish.identifier, self._survey.draft_rows(wish, tr("no room for it in memory")))
        self.page.show_plan(wish.identifier, wish, plan, plan.sentence)

    # Fetching, taking in, removing

    def start(self) -> None:
        """Look what is here, and go on with what was being fetched."""
        self.refresh()
        self.downloads.go_on(self._spec)

    def download(self, identifier: str) -> None:
        """Begin, or go on with what was paused."""
        spec = self._spec(identifier)
        if spec is not None:
            self.downloads.begin(spec)

    def give_up(self, identifier: str) -> None:
        """End it and delete what has come so far."""
        spec = self._spec(identifier)
        if spec is not None:
            self._start("delete", partial(jobs.delete, spec, self.downloads.give_up(spec)), lambda _: self.refresh())

    def _show_fetching(self) -> None:
        if self.page is not None:
            self.page.show_fetching(self.downloads.fetching)

    def take_in_all(self, paths: Sequence[Path]) -> None:
        """What was dropped somewhere."""
        self.open_page()
        for path in paths:
            self.take_in(str(path))

    def take_in(self, path: str) -> None:
        """A folder or a GGUF file anywhere on this machine."""
        self._bring("import", Path(path).name, partial(jobs.take_in, Path(path)))

    def copy(self, identifier: str) -> None:
        """A folder elsewhere, into the folder of models."""
        spec = self._spec(identifier)
        if spec is not None:
            self._bring("copy", spec.name, partial(jobs.take_over, spec))

    def _bring(self, kind: str, name: str, job: Bringing) -> None:
        if not self._closed:
            self._taking_in.begin(kind, name, job)

    def _taken_in(self, spec: Spec) -> None:
        text = tr("{name} was here already.") if spec.identifier in self._listed.disk else tr("{name} was added.")
        self._new[spec.identifier] = text.format(name=spec.name)
        self.refresh()

    def _remove(self, identifier: str) -> None:
        spec = self._spec(identifier)
        if spec is None:
            return
        if self._loader.target is not None and self._loader.target.spec.identifier == identifier:
            self._loading.unload_now()
        self._start("delete", partial(jobs.delete, spec, None), lambda _: self.refresh())

    def _search(self, text: str) -> None:
        self._message(tr("Searching the hub…"), "muted")
        most = self.page.filters.chosen.most if self.page is not None else 0
        self._start("search the hub", partial(jobs.search, text, most), self._take_found)

    def _take_found(self, found: list[HubModel]) -> None:
        self._found = tuple(found)
        self._message("" if found else tr("The hub has nothing of that name."), "muted")
        self.refresh()

    def _show_folder(self, identifier: str) -> None:
        spec = self._spec(identifier)
        if spec is not None and spec.folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(spec.folder)))

    def _complain(self, error: UserError) -> None:
        self._message(told(error), hub=isinstance(error, HubError))

    def _message(self, text: str, tone: str = "error", *, hub: bool = False) -> None:
        if self.page is not None:
            self.page.show_message(text, tone, hub=hub)

    def _start(
        self,
        name: str,
        job: Callable[[threading.Event], Iterator[object]],
        done: Callable[..., None],
        failed: Callable[[UserError], None] | None = None,
    ) -> Errand | None:
        """None once the program is closing."""
        if self._closed:
            return None
        return self._errands.start(name, job, done, failed or self._complain)

    def _connect(self, page: ModelsPage) -> None:
        page.finished.connect(self._taking_in.forget)
        page.chosen.connect(self._look_at)
        page.wish_changed.connect(self._replan)
        page.load_requested.connect(self.load_as)
        page.download_requested.connect(self.download)
        page.pause_requested.connect(self.downloads.pause)
        page.give_up_requested.connect(self.give_up)
        page.remove_confirmed.connect(self._remove)
        page.show_folder_requested.connect(self._show_folder)
        page.files_dropped.connect(self.files_dropped)
        page.copy_requested.connect(self.copy)
        page.add_wanted.connect(lambda: self._dialog.ask(tr("Add a model"), self.take_in))
        page.search_requested.connect(self._search)
        page.doctor_requested.connect(self.doctor_wanted)
        page.hub_requested.connect(lambda: self.hub.open(page))
