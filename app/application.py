"""Wires the views to the chats, the settings and the worker. What is decided is decided elsewhere."""

import logging
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby

from PySide6.QtCore import QObject, QSettings, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication

from app.chat_message import ChatMessage
from app.chats import Chats
from app.conversation import Change, Conversation
from app.folder_dialog import FolderDialog
from app.loader import Loader
from app.mailbox import Mailbox
from app.parts import Parts
from app.replies import Replies
from app.settings import Settings
from app.theme import Theme, theme_of
from app.views.banner import Action
from app.views.header import drafter_name
from app.views.style import dress
from app.views.window import Window
from app.worker import Letter, Worker
from inference.chat_engine import LoadedModel
from inference.errors import UserError
from inference.manager.catalogue import Catalogue
from inference.settings import GenerationSettings, Mode
from inference.statistics import ReplyStatistics

log = logging.getLogger(__name__)

FRAME_MS = 33  # how often the window looks for news while a reply runs
UNDO_S, NOTE_S = 12.0, 30.0
PATIENCE_S = 1.0  # a round of a reply, which cannot be interrupted, takes less; importing torch takes far more
NEXT_MODE: dict[Mode, Mode] = {"automatic": "on", "on": "off", "off": "automatic"}


class Application(QObject):
    model_ready = Signal(object)  # the LoadedModel
    closed = Signal()
    _woken = Signal()
    _not_saved = Signal(str)

    def __init__(self, qt: QApplication, parts: Parts) -> None:
        super().__init__()
        self._qt = qt
        self._preferences = parts.preferences
        self._window_state = QSettings(str(parts.window_state), QSettings.Format.IniFormat)
        self._unsent: dict[str, str] = {}  # questions that were not sent, by chat; "" for a chat without messages
        self._closing = False
        dress(qt, self._theme())  # before the first widget, so that each is made in its right font
        self.window = Window()
        self.window.set_theme(self._theme())
        self.window.restore_kept_geometry(self._window_state)
        self._folders = FolderDialog(self.window)
        self._not_saved.connect(self._tell_not_saved, Qt.ConnectionType.QueuedConnection)
        self.chats = Chats(parts.chats_folder, self._not_saved.emit)
        self.conversation = Conversation()
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._drain)
        self._woken.connect(self._wake, Qt.ConnectionType.QueuedConnection)
        self._mailbox: Mailbox[Letter] = Mailbox(self._woken.emit)
        self._worker = Worker(parts.make_engine, parts.make_store, self._mailbox)
        self.loader = Loader(self._worker, self.window.banners)
        self.replies = Replies(self._worker, self.chats)
        self._connect()

    @property
    def settings(self) -> Settings:
        return self._preferences.current

    @property
    def replying(self) -> bool:
        return self.replies.conversation is not None

    def start(self) -> None:
        """Show the window, then load."""
        self.window.settings_panel.show_settings(self.settings)
        self.window.transcript.set_show_tokens(self.settings.show_tokens)
        self._list_chats()
        self._show_conversation(Conversation())
        self.window.show()
        self.window.composer.focus()
        for name, trouble in (("chats", self.chats.trouble), ("settings", self._preferences.trouble)):
            if trouble:
                self.window.banners.show_banner(name, trouble, tone="warning")
        self.load(self.settings.model)

    def close(self) -> None:
        """End the reply, save it, free the engine.

        Returns when every thread has ended, but for a worker that is in the middle of what cannot be interrupted:
        it says nothing more that anybody hears, and ends with the process (see `app.leave`).
        """
        if self._closing:
            return
        self.window.settings_panel.flush()
        self._closing = True
        self.window.keep_geometry(self._window_state)
        self._window_state.sync()
        self.window.hide()
        self._timer.stop()
        self._folders.close()
        if not self._worker.close(PATIENCE_S):
            log.info("closed in the middle of loading")
        self._drain()
        self.replies.abandon()
        self.chats.close()
        self._qt.styleHints().colorSchemeChanged.disconnect(self._dress)
        self.closed.emit()

    # Questions and replies

    def send(self, text: str) -> None:
        """Ask in the chat that is shown. Nothing happens while no reply could come."""
        if self._obstacle() or self.replying or not text.strip():
            return
        self.window.settings_panel.flush()
        question = self.conversation.ask(text)
        self.window.composer.set_text("")
        self.window.show_title(self.conversation.title)
        self.window.transcript.add_message(question)
        self.chats.save(self.conversation, question)
        self.chats.touch(self.conversation)
        self._reply()
        self._list_chats()

    def regenerate(self, message_id: str) -> None:
        if self._obstacle() or self.replying:
            return
        self.chats.remove_from(self.conversation, self.conversation.regenerate(message_id))
        self.window.transcript.remove_from(message_id)
        self._reply()

    def stop(self) -> None:
        self.replies.stop()

    def _reply(self) -> None:
        target = self.loader.target
        prompt = self.conversation.prompt(self.settings.system_prompt)
        name = target.spec.name if target else ""
        reply = self.replies.begin(self.conversation, prompt, self._generation(), name)
        self.window.transcript.add_message(reply)
        self.window.gauges.begin_reply()
        self._timer.start()
        self._show_state()

    def _generation(self) -> GenerationSettings:
        """A draft model that is not loaded (yet) leaves the drafting to the n-grams."""
        settings = self.settings.generation()
        if settings.speculation.needs_model and self.loader.draft is None:
            settings = replace(settings, speculation=replace(settings.speculation, drafter="ngram"))
        return settings

    def _wake(self) -> None:
        if not self._timer.isActive():  # else the timer comes by soon
            self._drain()

    def _drain(self) -> None:
        for run_id, group in groupby(self._mailbox.take_all(), key=lambda entry: entry[0]):
            letters = [letter for _, letter in group]
            if not self.replies.take(run_id, letters):
                for letter in letters:
                    self.loader.take(run_id, letter)

    def _show_growth(self, conversation: Conversation, change: Change) -> None:
        reply, window = conversation.messages[-1], self.window
        if change.pieces and conversation is self.conversation:
            window.transcript.extend(reply.id)
        if change.prompt is not None and not reply.text:
            window.gauges.show_prompt(change.prompt)
        if change.round is not None:
            window.gauges.show_round(change.round)
        if change.omitted:
            text = self.tr("The chat is longer than the model can read; its oldest messages are left out: {count}.")
            window.banners.show_banner("omitted", text.format(count=change.omitted))

    def _end_reply(self, conversation: Conversation, reply: ChatMessage) -> None:
        self._timer.stop()
        if self._closing:
            return
        if conversation is self.conversation:
            self.window.transcript.finish(reply.id)
        if reply.statistics is not None:
            self.window.gauges.finish_reply(reply.statistics)
        elif not reply.text:  # it failed before it began
            self.window.gauges.finish_reply(ReplyStatistics())
        self._show_state()

    # Chats

    def new_chat(self) -> None:
        if self.conversation.messages:
            self._show_conversation(Conversation())
        self.window.composer.focus()

    def select(self, identifier: str) -> None:
        if identifier == self.conversation.id:
            return
        try:
            self._show_conversation(self.chats.conversation(identifier))
        except sqlite3.DatabaseError as error:
            log.warning("a chat cannot be read: %s", error)
            text = self.tr("This chat cannot be read: the file that keeps it is damaged.")
            self.window.banners.show_banner("chats", text, tone="error")

    def rename(self, identifier: str, title: str) -> None:
        if title:
            self.chats.rename(identifier, title)
        self._list_chats()
        if identifier == self.conversation.id:
            self.window.show_title(self.conversation.title)

    def delete(self, identifier: str) -> None:
        replying = self.replies.conversation
        if replying is not None and replying.id == identifier:
            self.stop()
        row = self.chats.delete(identifier)
        if identifier == self.conversation.id:
            self._show_conversation(Conversation())
            self.window.composer.focus()  # from where Tab leads to Undo
        self._list_chats()
        text = self.tr('"{title}" was deleted.').format(title=row.title)
        undo = Action(self.tr("Undo"), lambda: self._restore(identifier))
        self.window.banners.show_banner("deleted " + identifier, text, actions=[undo], seconds=UNDO_S)

    def _restore(self, identifier: str) -> None:
        self.chats.restore(identifier)
        self._list_chats()
        self.select(identifier)

    def _show_conversation(self, conversation: Conversation) -> None:
        self._unsent[self._unsent_key()] = self.window.composer.text()
        self.conversation = conversation
        self.window.transcript.show_messages(conversation.messages)
        self.window.composer.set_text(self._unsent.pop(self._unsent_key(), ""))
        self.window.show_title(conversation.title or self.tr("New chat"))
        self.window.sidebar.select(conversation.id)
        self.window.banners.close_banner("omitted")
        self._show_state()

    def _unsent_key(self) -> str:
        return self.conversation.id if self.conversation.messages else ""

    def _list_chats(self) -> None:
        search = self.window.sidebar.search.text().strip()
        self.window.sidebar.show_chats(self.chats.rows(search), self.conversation.id)

    # Models

    def load(self, model: str) -> None:
        self.stop()
        self.loader.load(model, self.settings.load())

    def unload(self) -> None:
        self.stop()
        self.loader.unload()

    def load_draft(self, folder: str) -> None:
        self.loader.load_draft(folder, self.settings.load())

    def _take_target(self, model: LoadedModel, asked: str) -> None:
        if model.spec.note and not self.chats.rows():
            self.window.banners.show_banner("note", f"{model.spec.name}: {model.spec.note}", seconds=NOTE_S)
        self._change_if_new(self.settings.with_value("model", asked))
        log.info(self._generation().speculation.statement(self.settings.drafter))
        if self.settings.draft_model and self.settings.needs_model:
            self.load_draft(self.settings.draft_model)
        self.model_ready.emit(model)

    def _take_draft(self, draft: LoadedModel | None, asked: str) -> None:
        if draft is not None:
            drafter = self.settings.drafter if self.settings.needs_model else "model"
            self._change_if_new(self.settings.with_value("draft_model", asked).with_value("drafter", drafter))

    def _change_if_new(self, settings: Settings) -> None:
        if settings != self.settings:
            self.change_settings(settings)

    def ask_for_model(self) -> None:
        self._folders.ask(self.tr("Open a model's folder"), self.load)

    def ask_for_draft(self) -> None:
        self._folders.ask(self.tr("Open a draft model's folder"), self.load_draft)

    # Settings

    def change_settings(self, new: Settings) -> None:
        old = self.settings
        try:
            self._preferences.change(new)
        except UserError as error:
            self.window.banners.show_banner("settings", str(error), tone="warning")
        if new.appearance != old.appearance:
            self._dress()
        if new.show_tokens != old.show_tokens:
            self.window.transcript.set_show_tokens(new.show_tokens)
        self.window.settings_panel.show_settings(new)
        if new.load() != old.load() and self.loader.target is not None:
            again = Action(self.tr("Load again"), lambda: self.load(new.model))
            text = self.tr("This takes effect when the model is loaded again.")
            self.window.banners.show_banner("load again", text, actions=[again])
        if self.loader.target is not None and new.needs_model and new.draft_model != self.loader.wanted_draft:
            self.load_draft(new.draft_model)
        self._show_state()

    def set_mode(self, mode: Mode) -> None:
        self.change_settings(self.settings.with_value("speculation", mode))

    def _dress(self) -> None:
        dress(self._qt, self._theme())
        self.window.set_theme(self._theme())

    def _theme(self) -> Theme:
        return theme_of(self.settings.appearance, self._qt.styleHints().colorScheme() == Qt.ColorScheme.Dark)

    # What the window says

    def _obstacle(self) -> str:
        """Why no question can be sent just now; "" if one can."""
        obstacle = self.loader.obstacle()
        if obstacle:
            return obstacle
        replying = self.replies.conversation
        if replying is not None and replying is not self.conversation:
            return self.tr('Foreword is replying in "{title}".').format(title=replying.title)
        return ""

    def _show_state(self) -> None:
        window, speculation = self.window, self._generation().speculation
        replying = self.replies.conversation
        here = replying is self.conversation
        window.composer.set_running(here)
        window.composer.set_enabled_reason("" if here else self._obstacle())
        window.sidebar.set_replying(replying.id if replying else "")
        draft = self.loader.draft.spec.name if self.loader.draft else ""
        window.header.set_speculation(speculation, draft)
        window.gauges.show_draft(drafter_name(speculation, draft) if speculation.enabled else "")
        if not self.replying:
            window.gauges.show_idle("" if speculation.enabled else self.tr("Speculation is off."))
        window.header.show_target(self.loader.target, loading=self.loader.loading, known=Catalogue.read().specs)

    def _tell_not_saved(self, error: str) -> None:
        text = self.tr("The last change to your chats could not be saved: {error}").format(error=error)
        self.window.banners.show_banner("chats", text, tone="error")

    def _copy(self, message_id: str) -> None:
        message = self.conversation.messages[self.conversation.index(message_id)]
        QGuiApplication.clipboard().setText(message.text)

    def _with_last_reply(self, act: Callable[[str], None]) -> None:
        replies = [message.id for message in self.conversation.messages if message.role == "assistant"]
        if replies:
            act(replies[-1])

    def _use_example(self, text: str) -> None:
        if self._obstacle():
            self.window.composer.set_text(text)
            self.window.composer.focus()
        else:
            self.send(text)

    def _connect(self) -> None:
        window = self.window
        window.closing.connect(self.close)
        window.new_requested.connect(self.new_chat)
        window.stop_requested.connect(self.stop)
        window.open_folder_requested.connect(self.ask_for_model)
        window.regenerate_requested.connect(lambda: self._with_last_reply(self.regenerate))
        window.copy_requested.connect(lambda: self._with_last_reply(self._copy))
        window.mode_step_requested.connect(lambda: self.set_mode(NEXT_MODE[self.settings.speculation]))
        window.sidebar.chosen.connect(self.select)
        window.sidebar.renamed.connect(self.rename)
        window.sidebar.delete_requested.connect(self.delete)
        window.sidebar.search_changed.connect(lambda _: self._list_chats())
        window.header.mode_chosen.connect(self.set_mode)
        window.header.model_chosen.connect(self.load)
        window.header.unload_requested.connect(self.unload)
        window.composer.submitted.connect(self.send)
        window.transcript.regenerate_requested.connect(self.regenerate)
        window.transcript.link_opened.connect(lambda address: QDesktopServices.openUrl(QUrl(address)))
        window.transcript.example_chosen.connect(self._use_example)
        window.settings_panel.changed.connect(self.change_settings)
        window.settings_panel.choose_draft_requested.connect(self.ask_for_draft)
        self.replies.grew.connect(self._show_growth)
        self.replies.ended.connect(self._end_reply)
        self.loader.changed.connect(self._show_state)
        self.loader.target_ready.connect(self._take_target)
        self.loader.draft_ready.connect(self._take_draft)
        self.loader.model_wanted.connect(self.ask_for_model)
        self.loader.draft_wanted.connect(self.ask_for_draft)
        self._qt.styleHints().colorSchemeChanged.connect(self._dress)
