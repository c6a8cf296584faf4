"""Which model and which draft are to be loaded, and what the settings keep of it."""

import logging
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.error_texts import told
from app.language import sentences, tr
from app.loader import Loader
from app.model_dialog import ModelDialog
from app.preferences import Preferences
from app.replies import Replies
from app.settings import Settings
from app.views.safe_question import SafeQuestion
from app.views.window import Window
from inference.chat_engine import LoadedModel
from inference.errors import UserError
from inference.manager.store import Store
from inference.manager.trusted_code import code_files, trust

log = logging.getLogger(__name__)

How = Callable[[Settings], Settings]  # what the settings are changed to for a model


def as_they_are(settings: Settings) -> Settings:
    return settings


class ModelLoading(QObject):
    """What `Loader` does not decide: it only loads what it is told."""

    ready = Signal(object)  # the LoadedModel
    starting = Signal()  # the model is about to go: a reply has to end
    settings_wanted = Signal(object)  # Settings that keep what was loaded, or with which it is to be loaded

    def __init__(self, window: Window, loader: Loader, preferences: Preferences, replies: Replies) -> None:
        super().__init__()
        self._window = window
        self._loader = loader
        self._preferences = preferences
        self._replies = replies
        self._dialog = ModelDialog(window)
        self._asked: tuple[str, How] = "", as_they_are  # what was to be loaded last
        self._before = self._wished = preferences.current  # when that was asked for, and as changed for it
        self._go_on: Callable[[], None] | None = None  # once nothing is under way
        self.question: SafeQuestion | None = None
        loader.target_ready.connect(self._take_target)
        loader.draft_ready.connect(self._take_draft)
        loader.target_kept.connect(self._return)
        loader.model_wanted.connect(self.ask_for_model)
        loader.draft_wanted.connect(self.ask_for_draft)
        loader.again_wanted.connect(lambda: self.load(*self._asked))
        loader.align_wanted.connect(self.align_draft)
        loader.trust_wanted.connect(self.ask_for_trust)
        loader.changed.connect(self._look_again)
        replies.ended.connect(lambda *_: self._look_again())

    def load(self, model: str, how: How = as_they_are) -> None:
        """A folder, a name in the catalogue, or "" for the starter.

        While a reply is written, or the model is measured, it is asked first.
        """
        self._when_free(tr("Loading another model ends it."), tr("End it and load"), lambda: self._load(model, how))

    def unload(self) -> None:
        self._when_free(tr("Unloading the model ends it."), tr("End it and unload"), self.unload_now)

    def unload_now(self) -> None:
        """For who has asked already."""
        self.starting.emit()
        self._loader.unload()

    def load_draft(self, folder: str) -> None:
        self._loader.load_draft(folder, self._settings.load())

    def align_draft(self) -> None:
        """Load the draft that was refused, for all its other vocabulary."""
        draft = self._loader.wanted_draft
        self._keep(self._settings.with_value("align_drafts", True))
        self.load_draft(draft)

    def ask_for_trust(self, target: bool) -> None:
        """Whether the target's own code may run, or the draft's. What is allowed is remembered, and loaded then."""
        model = self._asked[0] if target else self._loader.wanted_draft
        found = Store().find(model)
        folder = found.folder if found is not None and found.folder is not None else Path(model)
        details = tr(
            "It brings programs of its own ({files}). They run with your rights: they can read, change and send your "
            "files, and nobody has checked them. Allow this only if you trust where the model comes from. It is "
            "remembered for this model until its programs change."
        ).format(files=", ".join(code_files(folder)) or tr("none in its folder"))
        self._forget_question()
        self.question = SafeQuestion(
            self._window,
            tr("Run the model's own code?"),
            tr("{name} wants to run its own code on this machine.").format(name=folder.name),
            details,
            agree=tr("Allow and load"),
            decline=tr("Do not allow"),
        )
        self._open(self.question, lambda: self._trust(folder, model, target))

    def _trust(self, folder: Path, model: str, target: bool) -> None:
        try:
            trust(folder)  # on the disk before it is loaded: whoever loads looks there
        except UserError as error:
            self._window.banners.show_banner("load failed", told(error), tone="error")
            return
        if target:
            self.load(*self._asked)
        else:
            self.load_draft(model)

    def ask_for_model(self) -> None:
        self._dialog.ask(tr("Open a model"), self.load)

    def ask_for_draft(self) -> None:
        self._dialog.ask(tr("Choose a draft model"), self.load_draft)

    def follow(self, new: Settings) -> None:
        """Load the draft that new settings name, if there is a model for it. One on its way brings its own."""
        loader = self._loader
        there = loader.target is not None and not loader.loading
        if there and new.needs_model and new.draft_model != loader.wanted_draft:
            self.load_draft(new.draft_model)

    def close(self) -> None:
        self._dialog.close()
        self._forget_question()

    @property
    def _settings(self) -> Settings:
        return self._preferences.current

    def _load(self, model: str, how: How) -> None:
        if not self._loader.loading:
            self._before = self._settings
        self._asked = model, how
        self.starting.emit()
        self._wished = how(self._settings)
        self._loader.load(model, self._wished.load())
        self._keep(self._wished)  # only now, or the draft they name would be tried on the target that goes

    def _return(self) -> None:
        """What was loaded before stays, and so does what the settings said of it."""
        settings = self._settings
        for name in (field.name for field in fields(Settings)):
            before, wished = getattr(self._before, name), getattr(self._wished, name)
            if wished != before and getattr(settings, name) == wished:
                settings = settings.with_value(name, before)
        self._keep(settings)

    def _when_free(self, consequence: str, agree: str, act: Callable[[], None]) -> None:
        under_way = self._under_way()
        if not under_way:
            act()
            return
        if self._replies.conversation is not None:
            consequence = sentences(consequence, tr("What was written so far stays in the chat."))
        self._forget_question()
        self._go_on = act
        self.question = SafeQuestion(
            self._window,
            tr("Change the model?"),
            under_way,
            consequence,
            agree=agree,
            decline=tr("Let it go on"),
        )
        self._open(self.question, act)

    def _under_way(self) -> str:
        """What would be cut short, as a sentence; "" for nothing."""
        if self._replies.conversation is not None:
            return tr("A reply is being written.")
        return self._loader.occupied

    def _look_again(self) -> None:
        """What was in the way may have ended by itself while the person was asked."""
        if self._go_on is not None and not self._under_way():
            go_on = self._go_on
            self._forget_question()
            go_on()

    def _open(self, question: SafeQuestion, agreed: Callable[[], None]) -> None:
        def end() -> None:
            if self.question is question:  # else what was agreed to has asked another one
                self._forget_question()

        question.agreed.connect(agreed)
        question.finished.connect(end)
        question.open()

    def _forget_question(self) -> None:
        question, self.question, self._go_on = self.question, None, None
        if question is not None:
            question.close()

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
