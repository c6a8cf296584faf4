"""The draft models beside the first, the task that is pinned, and the page that tells what works here."""

import logging
from pathlib import PurePath
from time import monotonic

from PySide6.QtCore import QObject, Signal

from app.error_texts import in_words
from app.language import tr
from app.load_report import LoadReport
from app.loader import Loader
from app.model_dialog import ModelDialog
from app.preferences import Preferences
from app.settings import Settings
from app.views.banner import Action
from app.views.router_page import RouterPage
from app.views.window import Window
from app.worker import DraftLoaded, Letter, RoutesTold, Worker
from inference.chat_engine import LoadedModel
from inference.events import Failed, LoadProgress
from inference.profiles import Profile
from inference.tasks import Task, TaskChoice

log = logging.getLogger(__name__)

NEXT_TASK: dict[TaskChoice, TaskChoice] = {"automatic": "code", "code": "prose", "prose": "automatic"}


class Drafting(QObject):
    """Loads further drafts when the target and its first draft are there. Everything is asked of the worker."""

    settings_wanted = Signal(object)  # Settings
    told = Signal()  # the page shows something new

    def __init__(self, window: Window, loader: Loader, worker: Worker, preferences: Preferences) -> None:
        super().__init__()
        self._window = window
        self._loader = loader
        self._worker = worker
        self._preferences = preferences
        self._runs: dict[str, str] = {}  # what was asked for, by run: a folder, or "" for the table
        self._names: dict[str, str] = {}  # folder of every further draft that is loaded, by name
        self._report = LoadReport()
        self.page = RouterPage(window)
        self._dialog = ModelDialog(self.page)
        self.page.profile_chosen.connect(self._set_profile)
        self.page.add_requested.connect(self.ask_for_draft)
        self.page.drop_requested.connect(self.drop)
        window.gauges.task_chosen.connect(self.pin)
        window.task_step_requested.connect(lambda: self.pin(NEXT_TASK[self._settings.task]))
        window.routes_requested.connect(self.open_page)
        loader.target_ready.connect(self._take_target)
        loader.draft_ready.connect(lambda *_: self._load_further())
        loader.changed.connect(self._take_change)

    def open_page(self) -> None:
        self.refresh()
        self.page.show()
        self.page.activateWindow()

    def refresh(self) -> None:
        """Ask for the table; it comes when the worker has time, which is after a reply."""
        if self._loader.target is None:
            self.page.show_routes(None)
        elif "" not in self._runs.values():
            self._runs[self._worker.routes()] = ""

    def take_end(self) -> None:
        """A reply has ended: what was measured is news."""
        if self.page.isVisible():
            self.refresh()

    def pin(self, choice: str) -> None:
        self.settings_wanted.emit(self._settings.with_value("task", choice))

    def show_settings(self) -> None:
        self._window.gauges.pin_task(self._settings.task)

    def _set_profile(self, task: Task, profile: Profile) -> None:
        self._runs[self._worker.set_profile(task, profile)] = ""

    def ask_for_draft(self) -> None:
        self._dialog.ask(tr("Choose a draft model"), self.add)

    def add(self, folder: str) -> None:
        """Load one more draft, and keep it in the settings."""
        if folder not in (*self._further(), self._settings.draft_model):
            self._keep([*self._further(), folder])
        self._load(folder)

    def bring_back(self, name: str) -> None:
        """What memory ran out for: a further draft, or else a trained one, which the engine has on its shelf."""
        if name in self._names:
            self._load(self._names[name])
        else:
            self._worker.take_back("draft")

    def drop(self, name: str) -> None:
        """Give a draft's memory back, and forget it."""
        folder = self._names.pop(name, "")
        if folder:
            self._keep([one for one in self._further() if one != folder])
            self._runs[self._worker.drop_draft(name)] = folder
            self.refresh()
        else:  # the first one
            self.settings_wanted.emit(self._settings.with_value("draft_model", ""))

    def take(self, run_id: str, letter: Letter) -> bool:
        """News of a run; False if it is none of ours."""
        asked = self._runs.get(run_id)
        if asked is None:
            return False
        match letter:
            case RoutesTold(routes=routes):
                self.page.show_routes(routes)
                self.told.emit()
            case LoadProgress():
                fraction = letter.done / letter.total if letter.total else None
                line = self._report.line(letter, monotonic())
                self._window.banners.show_banner("further draft", line, fraction=fraction, closable=False)
                return True
            case DraftLoaded(draft=draft):
                self._window.banners.close_banner("further draft")
                if draft is not None:
                    self._names[draft.spec.name] = asked
                self.take_end()
            case Failed():
                self._fail(asked, letter)
        del self._runs[run_id]
        return True

    def close(self) -> None:
        self._dialog.close()
        self.page.close()

    @property
    def _settings(self) -> Settings:
        return self._preferences.current

    def _further(self) -> list[str]:
        return [line for line in self._settings.more_drafts.splitlines() if line.strip()]

    def _keep(self, folders: list[str]) -> None:
        self.settings_wanted.emit(self._settings.with_value("more_drafts", "\n".join(folders)))

    def _take_target(self, model: LoadedModel, asked: str) -> None:
        self._names.clear()
        if not (self._settings.draft_model and self._settings.needs_model):
            self._load_further()
        self.take_end()

    def _take_change(self) -> None:
        if self._loader.target is None and self.page.isVisible():
            self.page.show_routes(None)

    def _load_further(self) -> None:
        """The first draft came in place of all others."""
        self._names.clear()
        if self._settings.drafter == "automatic":
            for folder in self._further():
                self._load(folder)

    def _load(self, folder: str) -> None:
        self._runs[self._worker.add_draft(folder, self._settings.load())] = folder

    def _fail(self, folder: str, failed: Failed) -> None:
        self._window.banners.close_banner("further draft")
        if not folder:
            log.warning("the table could not be had: %s", failed.message)
            return
        keep = [one for one in self._further() if one != folder]
        name = PurePath(folder).name
        forget = Action(tr("Forget {name}").format(name=name), lambda: self._keep(keep))
        text = in_words(failed.message, failed.remedy)
        self._window.banners.show_banner(f"draft {folder}", text, tone="warning", actions=[forget])
