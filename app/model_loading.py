"""Which model and which draft are to be loaded, and what the settings keep of it."""

import logging

from PySide6.QtCore import QObject, Signal

from app.folder_dialog import FolderDialog
from app.language import tr
from app.loader import Loader
from app.preferences import Preferences
from app.settings import Settings
from app.views.window import Window
from inference.chat_engine import LoadedModel

log = logging.getLogger(__name__)


class ModelLoading(QObject):
    """What `Loader` does not decide: it only loads what it is told."""

    ready = Signal(object)  # the LoadedModel
    starting = Signal()  # the model is about to go: a reply has to end
    settings_wanted = Signal(object)  # Settings that keep what was loaded

    def __init__(self, window: Window, loader: Loader, preferences: Preferences) -> None:
        super().__init__()
        self._loader = loader
        self._preferences = preferences
        self._folders = FolderDialog(window)
        loader.target_ready.connect(self._take_target)
        loader.draft_ready.connect(self._take_draft)
        loader.model_wanted.connect(self.ask_for_model)
        loader.draft_wanted.connect(self.ask_for_draft)
        loader.align_wanted.connect(self.align_draft)

    def load(self, model: str) -> None:
        """A folder, a name in the catalogue, or "" for the starter."""
        self.starting.emit()
        self._loader.load(model, self._settings.load())

    def unload(self) -> None:
        self.starting.emit()
        self._loader.unload()

    def load_draft(self, folder: str) -> None:
        self._loader.load_draft(folder, self._settings.load())

    def align_draft(self) -> None:
        """Load the draft that was refused, for all its other vocabulary."""
        draft = self._loader.wanted_draft
        self._keep(self._settings.with_value("align_drafts", True))
        self.load_draft(draft)

    def ask_for_model(self) -> None:
        self._folders.ask(tr("Open a model's folder"), self.load)

    def ask_for_draft(self) -> None:
        self._folders.ask(tr("Open a draft model's folder"), self.load_draft)

    def follow(self, new: Settings) -> None:
        """Load the draft that new settings name, if there is a model for it."""
        if self._loader.target is not None and new.needs_model and new.draft_model != self._loader.wanted_draft:
            self.load_draft(new.draft_model)

    def close(self) -> None:
        self._folders.close()

    @property
    def _settings(self) -> Settings:
        return self._preferences.current

    def _take_target(self, model: LoadedModel, asked: str) -> None:
        self._keep(self._settings.with_value("model", asked))
        draft = self._settings.draft_model  # what was just kept may have begun to load it: not twice
        if draft and self._settings.needs_model and draft != self._loader.wanted_draft:
            self.load_draft(draft)
        self.ready.emit(model)

    def _take_draft(self, draft: LoadedModel | None, asked: str) -> None:
        if draft is not None:
            drafter = self._settings.drafter if self._settings.needs_model else "model"
            self._keep(self._settings.with_value("draft_model", asked).with_value("drafter", drafter))

    def _keep(self, settings: Settings) -> None:
        if settings != self._settings:
            self.settings_wanted.emit(settings)
