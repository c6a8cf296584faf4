"""Puts the parts of the program together and connects them. What is decided is decided in the parts."""

import logging
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtWidgets import QApplication

from app.about import About
from app.all_settings import AllSettings
from app.chat_settings import ChatSettings
from app.chat_shelf import ChatShelf
from app.chats import Chats
from app.chatting import Chatting
from app.composing import Composing
from app.conversation import Conversation
from app.doctor_visit import DoctorVisit
from app.downloads import Downloads
from app.drafter_names import drafter_name
from app.drafting import Drafting
from app.dropping import Dropping
from app.errands import Errands
from app.error_texts import in_words, told
from app.frames import Frames
from app.language import spoken, tr
from app.loader import Loader
from app.mailbox import Mailbox
from app.memory_notices import MemoryNotices
from app.message_changes import MessageChanges
from app.model_loading import ModelLoading
from app.model_manager import ModelManager
from app.model_memory import ModelMemory
from app.models_place import ModelsPlace
from app.motion import Motion
from app.parts import Parts
from app.past_learning import PastLearning
from app.preset_changes import PresetChanges
from app.presets import Presets
from app.replies import Replies
from app.searcher import Searcher
from app.settings import Settings
from app.speed import Speed
from app.theme import Theme, theme_of
from app.title_maker import TitleMaker
from app.training import Training
from app.transfer import Transfer
from app.troubleshooting import Troubleshooting
from app.undoing import Undoing
from app.updates import Updates
from app.views.banner import Action
from app.views.style import dress
from app.views.window import Window
from app.warm_up import warm_up
from app.welcoming import Welcoming
from app.wiring import connect
from app.worker import Letter, Worker
from inference.chat_engine import LoadedModel
from inference.errors import UserError
from inference.settings import Mode

log = logging.getLogger(__name__)

NOTE_S = 30.0
PATIENCE_S = 1.0  # a round of a reply, which cannot be interrupted, takes less; importing torch takes far more


class Application(QObject):
    """`chatting` is the chat that is shown, `shelf` the list of chats, `models` what is to be loaded."""

    model_ready = Signal(object)  # the LoadedModel
    closed = Signal()
    restart_command: Sequence[str] = ()  # other than what started this one
    _woken = Signal()
    _not_saved = Signal(str)
    _settings_refused = Signal(object)  # the UserError

    def __init__(self, qt: QApplication, parts: Parts) -> None:
        super().__init__()
        self._qt = qt
        self.reopening = self.restarting = False  # closed in order to be made again, or started anew
        self._preferences = parts.preferences
        self._window_state = QSettings(str(parts.window_state), QSettings.Format.IniFormat)
        dress(qt, self._theme())  # before the first widget, so that each is made in its right font
        self.window = Window()
        self.window.set_theme(self._theme())
        self.window.restore_kept_geometry(self._window_state)
        self._hear_of_the_disk()
        self.chats = Chats(parts.chats_folder, self._not_saved.emit)
        self._timer = Frames(self)
        self._timer.timeout.connect(self._drain)
        self._woken.connect(self._wake, Qt.ConnectionType.QueuedConnection)
        self._mailbox: Mailbox[Letter] = Mailbox(self._woken.emit)
        self._worker = Worker(parts.make_engine, parts.make_store, self._mailbox)
        self.loader = Loader(self._worker, self.window.banners)
        self.replies = Replies(self._worker, self.chats)
        self.models = ModelLoading(self.window, self.loader, self._preferences, self.replies)
        self.errands = Errands()
        self.motion = Motion(qt, self.errands, parts.system_reduces_motion)
        self.model_manager = ModelManager(
            self.window,
            self.models,
            self.loader,
            self._preferences,
            errands=self.errands,
            memory=ModelMemory(parts.window_state.with_name("models.json")),
            downloads=Downloads(self.window.banners, self.errands, self._window_state),
        )
        self.all_settings = AllSettings(self.window, self.settings, self._theme())
        self.doctor = DoctorVisit(self.window, self.errands, lambda: self.loader.held)
        self.about = About(self.window, self.window.banners, self.errands)
        self.updates = Updates(self.window, self.errands, parts.window_state.with_name("updates.json"))
        self.troubleshooting = Troubleshooting(self.window, parts.log_folder, parts.starts)
        place = self.models_place = ModelsPlace(self.window.banners, self.errands, self.model_manager.obstacle)
        self.welcoming = Welcoming(self.window, self._preferences, self.errands, self._window_state, place)
        self._newcomer = parts.welcome and self.welcoming.due
        presets = Presets(parts.chats_folder / "presets.toml")
        self.chat_settings = ChatSettings(self._preferences, self.chats, presets, self.window.composer)
        self.composing = Composing(self.window, self.chats, self._worker, self.loader, self.errands)
        self.chatting = Chatting(
            self.window,
            self.chats,
            self.replies,
            self.loader,
            settings=self.chat_settings,
            composing=self.composing,
            frames=self._timer,
        )
        self.memory_notices = MemoryNotices(self.window.banners, self._worker, self.loader, self.chatting)
        self.undoing = Undoing(self.window)
        self.changes = MessageChanges(self.window, self.chats, self.chatting, self.undoing)
        self.titles = TitleMaker(self._worker, self.chats, self.replies, self.loader, lambda: self.settings.name_chats)
        self.transfer, self.dropping = Transfer(self.window, self.chats, self.errands), Dropping(self.errands)
        self.past = PastLearning(self._worker, self.chats, self.replies, self.loader, self._preferences)
        self.past.follow(
            *(self.window.sidebar.delete_requested, self.window.sidebar.folder_delete_requested),
            self.window.sidebar.private_requested,
            *(self.window.transcript.delete_requested, self.undoing.undone),
            *(self.transfer.imported, self.transfer.restored),
        )
        self.searcher = Searcher()
        self.drafting = Drafting(self.window, self.loader, self._worker, self._preferences)
        self.training = Training(self.window, self.loader, parts.chats_folder / "training" / "busy")
        self.speed = Speed(
            self.window,
            self._worker,
            self.loader,
            replies=self.replies,
            chatting=self.chatting,
            settings=self.chat_settings,
            state=self._window_state,
            results=parts.chats_folder / "benchmarks.jsonl",
        )
        self.presets = PresetChanges(self.window, presets, self.chat_settings, self.undoing)
        self.shelf = ChatShelf(
            self.window, self.chats, self.replies, self.chatting, searcher=self.searcher, undoing=self.undoing
        )
        for part in (self.model_manager, self.doctor):
            part.set_theme(self._theme())
        connect(self)
        qt.styleHints().colorSchemeChanged.connect(self._dress)

    @property
    def settings(self) -> Settings:
        return self._preferences.current

    @property
    def replying(self) -> bool:
        return self.chatting.replying

    @property
    def conversation(self) -> Conversation:
        """The chat that is shown."""
        return self.chatting.conversation

    def send(self, text: str) -> None:
        self.chatting.send(text)

    def load(self, model: str) -> None:
        self.models.load(model)

    def start(self) -> None:
        """Show the window, then load."""
        self.motion.follow(self.settings.motion)
        self.drafting.show_settings()
        self.window.transcript.set_show_tokens(self.settings.show_tokens)
        self.window.transcript.set_zoom(self.settings.zoom)
        self.shelf.refresh()
        self.chatting.show(Conversation())
        self.window.show()
        self.window.composer.focus()
        troubles = (self.chats.trouble, self._preferences.trouble, self.chat_settings.trouble)
        for name, trouble in zip(("chats", "settings", "presets"), troubles, strict=True):
            if trouble:
                older = Action(tr("Restore a backup…"), self.transfer.ask_for_backup, asks=True)
                actions = [older] if name == "chats" and self.transfer.backed_up else []
                self.window.banners.show_banner(name, in_words(trouble), tone="warning", actions=actions)
        self.transfer.start()
        self.model_manager.start()
        self.models_place.start()
        self.troubleshooting.start()
        self.doctor.start()
        if self.troubleshooting.safe_mode:
            return  # nothing is loaded, nor is the welcome opened, which ends with that
        if self._newcomer:
            self.welcoming.open()  # loading waits until it is known where models are kept
        else:
            self.load(self.settings.model)

    def come_forward(self, file: str = "") -> None:
        """Somebody started Foreword again, perhaps with a chat export to open."""
        window = self.window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
        if file:
            self.transfer.open_file(Path(file))

    def restart(self, command: Sequence[str] = ()) -> None:
        """Close; whoever runs the program starts it anew, by `command` if there is one."""
        self.restarting, self.restart_command = True, tuple(command)
        self.window.close()

    def close(self) -> None:
        """End the reply, save it, free the engine.

        Returns when every thread has ended, but for a worker that is in the middle of what cannot be interrupted:
        it says nothing more that anybody hears, and ends with the process (see `app.leave`).
        """
        if self.chatting.closing:
            return
        self.window.settings_panel.flush()
        self.all_settings.flush()
        self.chatting.closing = True
        self.window.keep_geometry(self._window_state)
        self._window_state.sync()
        self.window.hide()
        self._timer.stop()
        self.models.close()
        self.model_manager.close()
        self.doctor.close()
        self.motion.close()
        self.welcoming.close()
        self.updates.close()
        self.titles.give_up()
        self.past.close()
        self.searcher.close()
        self.transfer.close()
        self.errands.close()
        self.drafting.close()
        self.training.close()
        self.speed.close()
        if not self._worker.close(PATIENCE_S):
            log.info("closed in the middle of loading")
        self._drain()
        self.replies.abandon()
        self.composing.keep()
        self.chats.close()
        for part in (self._preferences, self.model_manager.memory, self.presets):
            part.later.flush()
        self.troubleshooting.close()
        self._qt.styleHints().colorSchemeChanged.disconnect(self._dress)
        self.closed.emit()

    def reopen(self) -> None:
        """Close, to be made again by whoever runs the program: in another language."""
        self.reopening = True
        self.window.close()

    # News of the worker

    def _wake(self) -> None:
        if not self._timer.isActive():  # else the timer comes by soon
            self._drain()

    def _drain(self) -> None:
        for run_id, group in groupby(self._mailbox.take_all(), key=lambda entry: entry[0]):
            letters = [letter for _, letter in group]
            if any(part.take(run_id, letters) for part in (self.replies, self.titles, self.speed)):
                continue
            for letter in letters:
                if not any(part.take(run_id, letter) for part in (self.past, self.drafting, self.composing)):
                    self.loader.take(run_id, letter)

    def greet(self, model: LoadedModel) -> None:
        if model.spec.note and not self.chats.rows():
            text = tr("{name}: {note}").format(name=model.spec.name, note=tr(model.spec.note))
            others = Action(tr("Other models…"), self.model_manager.open_page)
            strange = spoken(self.settings.language) not in model.spec.languages  # then it is no use without another
            self.window.banners.show_banner("note", text, actions=[others], seconds=0.0 if strange else NOTE_S)
        log.info(self.chatting.generation().speculation.statement(self.settings.drafter))
        self.window.transcript.offer_examples(model.spec.languages)
        self.model_ready.emit(model)

    # Settings

    def change_here(self, new: Settings) -> None:
        """Settings as the chat that is shown has them: what its preset sets changes for it alone."""
        self.change_settings(self.chat_settings.split(new))

    def change_one_here(self, name: str, value: object) -> None:
        self.change_here(self.chat_settings.current.with_value(name, value))

    def change_settings(self, new: Settings) -> None:
        """Settings of all chats."""
        old = self.settings
        self._preferences.change(new)
        if new.learn_from_chats != old.learn_from_chats:
            self.past.consider()
        if new.appearance != old.appearance:
            self._dress()
        if new.look_for_updates != old.look_for_updates:
            self.updates.follow(new)
        if new.motion != old.motion:
            self.motion.follow(new.motion)
        self.window.transcript.set_zoom(new.zoom)
        if new.show_tokens != old.show_tokens:
            self.window.transcript.set_show_tokens(new.show_tokens)
        self.show_settings()
        self.drafting.show_settings()
        loaded = self.loader.target is not None and not self.loader.loading
        if loaded and self.loader.is_loaded_with(new.load()):
            self.window.banners.close_banner("load again")
        elif loaded and new.load() != old.load():
            again = Action(tr("Load again"), lambda: self.load(new.model))
            text = tr("This takes effect when the model is loaded again.")
            self.window.banners.show_banner("load again", text, actions=[again])
        self.models.follow(new)
        self.show_state()

    def set_mode(self, mode: Mode) -> None:
        self.change_here(self.chat_settings.current.with_value("speculation", mode))

    def show_settings(self) -> None:
        current = self.chat_settings.current
        self.window.settings_panel.show_settings(current)
        self.all_settings.show_settings(current)
        self.composing.max_tokens = current.max_tokens

    def _dress(self) -> None:
        dress(self._qt, self._theme())
        for part in (self.window, self.model_manager, self.doctor, self.all_settings):
            part.set_theme(self._theme())

    def _theme(self) -> Theme:
        return theme_of(self.settings.appearance, self._qt.styleHints().colorScheme() == Qt.ColorScheme.Dark)

    # What the window says

    def show_state(self) -> None:
        window, speculation = self.window, self.chatting.generation().speculation
        replying = self.replies.conversation
        here = replying is self.conversation
        window.composer.set_running(here)
        window.composer.set_enabled_reason("" if here else self.chatting.obstacle() or self.composing.obstacle())
        window.sidebar.set_replying(replying.id if replying else "")
        draft = self.loader.draft.spec.name if self.loader.draft else ""
        window.header.set_speculation(speculation, draft)
        follows = speculation.drafter == "automatic"
        drafts = tr("automatic") if follows else drafter_name(speculation, draft)
        window.gauges.show_draft(drafts if speculation.enabled else "", follows=follows)
        if not self.replying:
            window.gauges.show_idle("" if speculation.enabled else tr("Speculation is off."))
        window.header.show_target(self.loader.target, loading=self.loader.loading, known=self.model_manager.known)

    def warm_up(self) -> None:
        """Once."""
        self.model_ready.disconnect(self.warm_up)
        self.errands.start("warm-up", warm_up, lambda _: None, lambda _: None)

    def prepare_for_other_chats(self) -> None:
        self.chatting.stop()
        self.replies.abandon()
        self._timer.stop()

    def _hear_of_the_disk(self) -> None:
        """What it refuses, from the threads that write."""
        self._not_saved.connect(self._tell_not_saved, Qt.ConnectionType.QueuedConnection)
        self._settings_refused.connect(self._tell_settings_refused, Qt.ConnectionType.QueuedConnection)
        self._preferences.later.refused = self._settings_refused.emit

    def _tell_settings_refused(self, error: UserError) -> None:
        self.window.banners.show_banner("settings", told(error), tone="warning")

    def _tell_not_saved(self, error: str) -> None:
        text = tr("The last change to your chats could not be saved: {error}").format(error=in_words(error))
        self.window.banners.show_banner("chats", text, tone="error")
