"""What is loaded and what is on its way: asks the worker, follows its progress, says it in banners."""

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from PySide6.QtCore import QObject, Signal

from app.error_texts import in_words
from app.language import tr
from app.load_report import LoadReport
from app.views.banner import Action, Banners
from app.views.foresight_words import foresight_words
from app.worker import DEATH, DEATH_REMEDY, Died, DraftLoaded, Kept, Letter, Loaded, Unloaded, Worker
from inference.chat_engine import LoadedModel
from inference.events import Failed, LoadProgress
from inference.ladder import MemoryStep
from inference.manager.trusted_code import ALLOW
from inference.settings import LoadSettings
from inference.vocabulary import SECOND_CHOICE

NOTE_S = 20.0  # for what there is nothing to do about


class Loader(QObject):
    changed = Signal()  # something began, ended or went away
    target_ready = Signal(object, str)  # the LoadedModel, and what was asked for
    draft_ready = Signal(object, str)  # the LoadedModel or None, and the folder that was asked for
    failed = Signal(object)  # the Failed
    memory_lowered = Signal(object)  # a MemoryStep: memory ran out while loading
    model_wanted = Signal()  # the person asks to choose
    draft_wanted = Signal()
    hub_wanted = Signal()  # the person wants to name another address, or a token
    again_wanted = Signal()  # the target that was asked for last, once more
    target_kept = Signal()  # the new target cannot be had, and the one before is still there
    trust_wanted = Signal(bool)  # the model's own code shall run: the target's (True) or the draft's
    align_wanted = Signal()  # the draft that was refused shall draft by its text

    def __init__(self, worker: Worker, banners: Banners) -> None:
        super().__init__()
        self._worker = worker
        self._banners = banners
        self.target: LoadedModel | None = None
        self.draft: LoadedModel | None = None
        self.wanted_draft = ""
        self._draft_before = ""  # that was wanted when the model that is loaded was
        self.failure: Failed | None = None  # of the last thing that was loaded
        self._asked_with = self._loaded_with = LoadSettings()
        self.occupied = ""  # what else the model is used for just now, as a sentence
        self._target_run = self._draft_run = ""
        self._cancelling: set[str] = set()  # runs that were told to end
        self._report = LoadReport()

    @property
    def held(self) -> list[LoadedModel]:
        """The target and its first draft, as far as they are there."""
        return [model for model in (self.target, self.draft) if model is not None]

    @property
    def loading(self) -> bool:
        return bool(self._target_run)

    def load(self, model: str, settings: LoadSettings) -> None:
        """Fetch and load a target: a folder, a name in the catalogue, or "" for the starter."""
        self._worker.cancel(self._target_run)
        self._worker.cancel(self._draft_run)
        self._draft_before = self.wanted_draft or self._draft_before
        self._draft_run = self.wanted_draft = ""
        self.failure = None
        self._target_run, self._asked_with = self._worker.load(model, settings), settings
        self._finish: Callable[[LoadedModel], None] = lambda target: self.target_ready.emit(target, model)
        for name in ("load failed", "load again", "draft failed", "foresight", "note"):
            self._banners.close_banner(name)
        self._show(LoadProgress("libraries"))
        self.changed.emit()

    def load_draft(self, folder: str, settings: LoadSettings) -> None:
        """Load a draft for the target; "" drops it."""
        self._worker.cancel(self._draft_run)
        self.wanted_draft, self.failure = folder, None
        self._draft_run = self._worker.load_draft(folder, settings) if folder else self._worker.drop_draft()
        self._banners.close_banner("draft failed")
        self.changed.emit()

    def lose_draft(self, name: str) -> None:
        """The engine had no memory left for this draft."""
        if self.draft is not None and self.draft.spec.name == name:
            self.draft = None
            self.changed.emit()

    def unload(self) -> None:
        """Give the memory of target and draft back; what is being loaded is given up."""
        self._worker.cancel(self._target_run)
        self._worker.cancel(self._draft_run)
        self._worker.unload()
        self._target_run = self._draft_run = self.wanted_draft = ""
        self.target = self.draft = None
        self._banners.close_banner("loading")
        self.changed.emit()

    def is_loaded_with(self, settings: LoadSettings) -> bool:
        """Whether loading the model again would change nothing; how drafts are aligned is none of its matters."""
        return replace(settings, align=False) == replace(self._loaded_with, align=False)

    def cancel(self) -> None:
        """Ask what is being loaded to end; its run then fails, and says that it was cancelled."""
        self._worker.cancel(self._target_run)
        self._worker.cancel(self._draft_run)
        self._cancelling = {self._target_run, self._draft_run} - {""}
        self._banners.show_banner("loading", tr("Cancelling…"), closable=False)  # what is being read is read first

    def obstacle(self) -> str:
        """Why no reply can be had just now, or ""."""
        if self._target_run:
            return tr("The model is being loaded…")
        if self.target is None:
            return tr("No model is loaded yet.")
        return tr("The draft is being loaded…") if self._draft_run else self.occupied

    def take(self, run_id: str, letter: Letter) -> None:
        """News of a run; those of another than the present ones are dropped."""
        if isinstance(letter, Died):
            self._mourn()
            return
        if run_id not in (self._target_run, self._draft_run):
            return
        match letter:
            case LoadProgress():
                if run_id not in self._cancelling:
                    self._show(letter)
            case MemoryStep():
                self.memory_lowered.emit(letter)
            case Unloaded():
                self.target = self.draft = None
                self.changed.emit()
            case Kept(model=model, draft=draft):
                self.target, self.draft = model, draft
            case Loaded(model=model):
                self._target_run, self.target, self._loaded_with = "", model, self._asked_with
                self._banners.close_banner("loading")
                if model.foresight in ("unused", "absent"):
                    self._banners.show_banner("foresight", foresight_words(model.foresight), seconds=NOTE_S)
                self._finish(model)
                self.changed.emit()
            case DraftLoaded(draft=draft):
                self._draft_run, self.draft = "", draft
                self._banners.close_banner("loading")
                self.draft_ready.emit(draft, self.wanted_draft)
                self.changed.emit()
            case Failed():
                self._fail(run_id, letter)
            case _:
                raise ValueError(f"unexpected while loading: {letter}")

    def _mourn(self) -> None:
        """The worker's thread ended, and nothing is loaded any more."""
        was_loaded = self.target is not None
        self._target_run = self._draft_run = self.wanted_draft = ""
        self.target = self.draft = None
        for name in ("loading", "load again"):
            self._banners.close_banner(name)
        if was_loaded:  # else what was being loaded has failed, and says so
            again = Action(tr("Load again"), self.again_wanted.emit)
            self._banners.show_banner("load failed", in_words(DEATH, DEATH_REMEDY), tone="error", actions=[again])
        self.changed.emit()

    def _show(self, step: LoadProgress) -> None:
        fraction = step.done / step.total if step.total else None
        line = self._report.line(step, monotonic())
        cancel = Action(tr("Cancel"), self.cancel)
        self._banners.show_banner("loading", line, actions=[cancel], fraction=fraction, closable=False)

    def _fail(self, run_id: str, failed: Failed) -> None:
        self.failure = failed
        self._banners.close_banner("loading")
        text = in_words(failed.message, failed.remedy)
        if run_id == self._draft_run:
            self._draft_run = ""
            self.draft = None
            if failed.cancelled:
                self._banners.show_banner("draft failed", text, seconds=NOTE_S)
                self._end_failure(failed)
                return
            actions = [Action(tr("Choose another…"), self.draft_wanted.emit, asks=True)]
            if failed.remedy == ALLOW:
                actions.append(Action(tr("Allow its code…"), lambda: self.trust_wanted.emit(False), asks=True))
            if failed.remedy == SECOND_CHOICE:
                actions.append(Action(tr("Let it draft by its text"), self.align_wanted.emit))
            self._banners.show_banner("draft failed", text, tone="warning", actions=actions)
        else:
            self._target_run = ""
            if self.target is not None:
                self.wanted_draft = self._draft_before if self.draft is not None else ""
                text = tr("{reason} {name} stays loaded.").format(reason=text, name=self.target.spec.name)
                self.target_kept.emit()
                self._banners.close_banner("load again")  # its settings are back
            if failed.cancelled:
                actions = [Action(tr("Load again"), self.again_wanted.emit)]
                self._banners.show_banner("load failed", text, actions=actions)
            else:
                choose = Action(tr("Open a model…"), self.model_wanted.emit, asks=True)
                again = Action(tr("Try again"), self.again_wanted.emit)
                if failed.remedy == ALLOW:
                    again = Action(tr("Allow its code…"), lambda: self.trust_wanted.emit(True), asks=True)
                actions = [choose, again]
                if failed.hub:
                    actions.insert(0, Action(tr("Model hub…"), self.hub_wanted.emit, asks=True))
                self._banners.show_banner("load failed", text, tone="error", actions=actions)
        self._end_failure(failed)

    def _end_failure(self, failed: Failed) -> None:
        self.changed.emit()
        self.failed.emit(failed)
