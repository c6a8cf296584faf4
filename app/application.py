"""Wires the views to the chats, the settings and the worker. What is decided is decided elsewhere."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from time import monotonic

from PySide6.QtCore import QObject, QSettings, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication

from app.chat_message import ChatMessage
from app.chats import Chats
from app.conversation import Conversation
from app.folder_dialog import choose_folder
from app.loader import Loader
from app.mailbox import Mailbox
from app.preferences import Preferences
from app.settings import Settings
from app.theme import DARK, LIGHT, Theme
from app.views.banner import Action
from app.views.header import ModelChoice
from app.views.style import dress
from app.views.window import Window
from app.worker import Letter, ModelStore, Worker
from inference.chat_engine import ChatEngine, LoadedModel
from inference.errors import UserError
from inference.events import Delta, Failed, Finished, PromptProgress, Round, TurnsOmitted
from inference.manager.catalogue import Catalogue
from inference.settings import GenerationSettings, Mode

log = logging.getLogger(__name__)

FRAME_MS = 33  # how often the window looks for news while a reply runs
SAVE_S = 0.5  # how often a running reply is saved
UNDO_S, NOTE_S = 12.0, 30.0
REPLY_EVENTS = (Delta, Round, PromptProgress, TurnsOmitted, Finished, Failed)
NEXT_MODE: dict[Mode, Mode] = {"automatic": "on", "on": "off", "off": "automatic"}


@dataclass(frozen=True)
class Parts:
    """What the program is made of besides its window. The factories are called in the worker's thread."""

    preferences: Preferences
    chats_folder: Path
    window_state: Path
    make_engine: Callable[[], ChatEngine]
    make_store: Callable[[], ModelStore]


class Application(QObject):
    reply_grew = Signal()
    reply_ended = Signal(object)  # the ChatMessage
    model_ready = Signal(object)  # the LoadedModel
    closed = Signal()
    _woken = Signal()
    _not_saved = Signal(str)

    def __init__(self, qt: QApplication, parts: Parts) -> None:
        super().__init__()
        self._qt = qt
        self._preferences = parts.preferences
        self._window_state = QSettings(str(parts.window_state), QSettings.Format.IniFormat)
        self._not_saved.connect(self._tell_not_saved, Qt.ConnectionType.QueuedConnection)
        self.chats = Chats(parts.chats_folder, self._not_saved.emit)
        self.conversation = Conversation()
        self._replying: Conversation | None = None
        self._unsent: dict[str, str] = {}
        self._saved_at = 0.0
        self._closing = False
        self._tasks: set[asyncio.Task[None]] = set()
        dress(qt, self._theme())  # before the first widget, so that each is made in its right font
        self.window = Window()
        self.window.set_theme(self._theme())
        self.window.restore_kept_geometry(self._window_state)
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._drain)
        self._woken.connect(self._wake, Qt.ConnectionType.QueuedConnection)
        self._mailbox: Mailbox[Letter] = Mailbox(self._woken.emit)
        self._worker = Worker(parts.make_engine, parts.make_store, self._mailbox)
        self.loader = Loader(self._worker, self.window.banners)
        self._connect()

    @property
    def settings(self) -> Settings:
        return self._preferences.current

    @property
    def replying(self) -> bool:
        return self._replying is not None

    def start(self) -> None:
        """Show the window, then load."""
        self._show_settings()
        self._list_chats()
        self._show_conversation(Conversation())
        self.window.show()
        self.window.composer.focus()
        for name, trouble in (("chats", self.chats.trouble), ("settings", self._preferences.trouble)):
            if trouble:
                self.window.banners.show_banner(name, trouble, tone="warning")
        self.load(self.settings.model)

    def close(self) -> None:
        """End the reply, save it, free the engine. Returns when every thread has ended."""
        if self._closing:
            return
        self._closing = True
        self.window.keep_geometry(self._window_state)
        self._window_state.sync()
        self.window.hide()
        self._timer.stop()
        for task in self._tasks:
            task.cancel()
        self._worker.close()
        self._drain()
        if self._replying is not None:
            reply = self._replying.reply
            self._replying.abandon()
            if reply is not None:
                self.chats.save(self._replying, reply)
        self.chats.close()
        self._qt.styleHints().colorSchemeChanged.disconnect(self._dress)
        self.closed.emit()

    # Questions and replies

    def send(self, text: str) -> None:
        """Ask in the chat that is shown. Nothing happens while no reply could come."""
        if self._obstacle() or self.replying or not text.strip():
            return
        question = self.conversation.ask(text)
        self.window.composer.set_text("")
        self.window.show_title(self.conversation.title)
        self._add(question)
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
        if self._replying is not None and self._replying.run_id is not None:
            self._worker.cancel(self._replying.run_id)

    def _reply(self) -> None:
        settings, target = self._generation(), self.loader.target
        prompt = self.conversation.prompt(self.settings.system_prompt)
        run_id = self._worker.generate(prompt, settings)
        reply = self.conversation.begin_reply(run_id, target.spec.name if target else "")
        self._replying = self.conversation
        self._add(reply)
        self.window.gauges.begin_reply()
        self._saved_at = monotonic()
        self._timer.start()
        self._show_state()

    def _add(self, message: ChatMessage) -> None:
        self.window.transcript.add_message(message)
        self.chats.save(self.conversation, message)

    def _generation(self) -> GenerationSettings:
        """A draft model that is not loaded (yet) leaves the drafting to the n-grams."""
        settings = self.settings.generation()
        if settings.speculation.drafter == "model" and self.loader.draft is None:
            settings = replace(settings, speculation=replace(settings.speculation, drafter="ngram"))
        return settings

    def _wake(self) -> None:
        if not self._timer.isActive():  # else the timer comes by soon
            self._drain()

    def _drain(self) -> None:
        for run_id, group in groupby(self._mailbox.take_all(), key=lambda entry: entry[0]):
            letters = [letter for _, letter in group]
            if self._replying is not None and run_id == self._replying.run_id:
                self._grow(self._replying, run_id, letters)
            else:
                for letter in letters:
                    self.loader.take(run_id, letter)

    def _grow(self, conversation: Conversation, run_id: str, letters: Sequence[Letter]) -> None:
        reply = conversation.messages[-1]
        change = conversation.apply(run_id, [letter for letter in letters if isinstance(letter, REPLY_EVENTS)])
        if change.pieces:
            if conversation is self.conversation:
                self.window.transcript.extend(reply.id)
            self.reply_grew.emit()
        if change.prompt is not None and not reply.text:
            self.window.gauges.show_prompt(change.prompt)
        if change.round is not None:
            self.window.gauges.show_round(change.round)
        if change.omitted:
            text = self.tr("The chat is longer than the model can read; its oldest messages are left out: {count}.")
            self.window.banners.show_banner("omitted", text.format(count=change.omitted))
        if change.ended:
            self._end_reply(conversation, reply)
        elif monotonic() - self._saved_at >= SAVE_S:
            self._saved_at = monotonic()
            self.chats.save(conversation, reply)

    def _end_reply(self, conversation: Conversation, reply: ChatMessage) -> None:
        self._replying = None
        self._timer.stop()
        self.chats.save(conversation, reply)
        if self._closing:
            return
        if conversation is self.conversation:
            self.window.transcript.finish(reply.id)
        if reply.statistics is not None:
            self.window.gauges.finish_reply(reply.statistics)
        self._show_state()
        self.reply_ended.emit(reply)

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
        if self._replying is not None and self._replying.id == identifier:
            self.stop()
        row = self.chats.delete(identifier)
        if identifier == self.conversation.id:
            self._show_conversation(Conversation())
        self._list_chats()
        text = self.tr('"{title}" was deleted.').format(title=row.title)
        undo = Action(self.tr("Undo"), lambda: self._restore(identifier))
        self.window.banners.show_banner("deleted " + identifier, text, actions=[undo], seconds=UNDO_S)

    def _restore(self, identifier: str) -> None:
        self.chats.restore(identifier)
        self._list_chats()
        self.select(identifier)

    def _show_conversation(self, conversation: Conversation) -> None:
        self._unsent[self.conversation.id] = self.window.composer.text()
        self.conversation = conversation
        self.window.transcript.show_messages(conversation.messages)
        self.window.composer.set_text(self._unsent.pop(conversation.id, ""))
        self.window.show_title(conversation.title or self.tr("New chat"))
        self.window.sidebar.select(conversation.id)
        self.window.banners.close_banner("omitted")
        self._show_state()

    def _list_chats(self) -> None:
        search = self.window.sidebar.search.text().strip()
        self.window.sidebar.show_chats(self.chats.rows(search), self.conversation.id)

    # Models

    def load(self, model: str) -> None:
        self.stop()
        self.loader.load(model, self.settings.load())

    def load_draft(self, folder: str) -> None:
        self.loader.load_draft(folder, self.settings.load())

    def _take_target(self, model: LoadedModel, asked: str) -> None:
        if model.spec.note and not self.chats.rows():
            self.window.banners.show_banner("note", f"{model.spec.name}: {model.spec.note}", seconds=NOTE_S)
        self._change_if_new(self.settings.with_value("model", asked))
        if self.settings.draft_model and self.settings.drafter == "model":
            self.load_draft(self.settings.draft_model)
        self.model_ready.emit(model)

    def _take_draft(self, draft: LoadedModel | None, asked: str) -> None:
        if draft is not None:
            self._change_if_new(self.settings.with_value("draft_model", asked).with_value("drafter", "model"))

    def _change_if_new(self, settings: Settings) -> None:
        if settings != self.settings:
            self.change_settings(settings)

    def ask_for_model(self) -> None:
        self._spawn(self._ask(self.tr("Open a model's folder"), self.load))

    def ask_for_draft(self) -> None:
        self._spawn(self._ask(self.tr("Open a draft model's folder"), self.load_draft))

    async def _ask(self, title: str, take: Callable[[str], None]) -> None:
        folder = await choose_folder(self.window, title)
        if folder is not None:
            take(str(folder))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Settings

    def change_settings(self, new: Settings) -> None:
        old = self.settings
        try:
            self._preferences.change(new)
        except UserError as error:
            self.window.banners.show_banner("settings", str(error), tone="warning")
        if new.appearance != old.appearance:
            self._dress()
        self._show_settings()
        if new.load() != old.load() and self.loader.target is not None:
            again = Action(self.tr("Load again"), lambda: self.load(new.model))
            text = self.tr("This takes effect when the model is loaded again.")
            self.window.banners.show_banner("load again", text, actions=[again])
        if self.loader.target is not None and new.drafter == "model" and new.draft_model != self.loader.wanted_draft:
            self.load_draft(new.draft_model)
        self._show_state()

    def set_mode(self, mode: Mode) -> None:
        self.change_settings(self.settings.with_value("speculation", mode))

    def _dress(self) -> None:
        dress(self._qt, self._theme())
        self.window.set_theme(self._theme())

    def _theme(self) -> Theme:
        appearance = self.settings.appearance
        dark = (
            self._qt.styleHints().colorScheme() == Qt.ColorScheme.Dark
            if appearance == "system"
            else appearance == "dark"
        )
        return DARK if dark else LIGHT

    def _show_settings(self) -> None:
        self.window.settings_panel.show_settings(self.settings)
        self.window.transcript.set_show_tokens(self.settings.show_tokens)

    # What the window says

    def _obstacle(self) -> str:
        """Why no question can be sent just now; "" if one can."""
        obstacle = self.loader.obstacle()
        if obstacle:
            return obstacle
        if self._replying is not None and self._replying is not self.conversation:
            return self.tr('Foreword is replying in "{title}".').format(title=self._replying.title)
        return ""

    def _show_state(self) -> None:
        window, speculation = self.window, self._generation().speculation
        here = self._replying is self.conversation
        window.composer.set_running(here)
        window.composer.set_enabled_reason("" if here else self._obstacle())
        window.sidebar.set_replying(self._replying.id if self._replying else "")
        draft = self.loader.draft.spec.name if self.loader.draft else ""
        window.header.set_speculation(speculation, draft)
        drafts = {"none": "", "ngram": self.tr("n-gram"), "model": draft}
        window.gauges.show_draft(drafts[speculation.drafter] if speculation.enabled else "")
        if not self.replying:
            window.gauges.show_idle("" if speculation.enabled else self.tr("Speculation is off."))
        self._show_model()

    def _show_model(self) -> None:
        header, target = self.window.header, self.loader.target
        if target is not None:
            spec = target.spec
            name = f"{spec.name} ({self.tr('English')})" if spec.languages == ("en",) else spec.name
            header.set_model(name, "\n".join(filter(None, [target.description, spec.note])))
        else:
            header.set_model(self.tr("Loading…") if self.loader.loading else self.tr("No model"))
        choices = [ModelChoice(spec.identifier, spec.name) for spec in Catalogue.read().specs]
        if target is not None and target.spec.identifier not in [choice.model for choice in choices]:
            choices.append(ModelChoice(target.spec.identifier, target.spec.name))
        current = target.spec.identifier if target else None
        header.show_models([replace(choice, current=choice.model == current) for choice in choices])

    def _tell_not_saved(self, error: str) -> None:
        text = self.tr("The last change to your chats could not be saved: {error}").format(error=error)
        self.window.banners.show_banner("chats", text, tone="error")

    def _copy(self, message_id: str) -> None:
        message = self.conversation.messages[self.conversation.index(message_id)]
        QGuiApplication.clipboard().setText(message.text)

    def _last_reply(self) -> str | None:
        replies = [message.id for message in self.conversation.messages if message.role == "assistant"]
        return replies[-1] if replies else None

    def _with_last_reply(self, act: Callable[[str], None]) -> None:
        reply = self._last_reply()
        if reply is not None:
            act(reply)

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
        window.composer.submitted.connect(self.send)
        window.transcript.regenerate_requested.connect(self.regenerate)
        window.transcript.link_opened.connect(lambda address: QDesktopServices.openUrl(QUrl(address)))
        window.transcript.example_chosen.connect(self._use_example)
        window.settings_panel.changed.connect(self.change_settings)
        window.settings_panel.choose_draft_requested.connect(self.ask_for_draft)
        self.loader.changed.connect(self._show_state)
        self.loader.target_ready.connect(self._take_target)
        self.loader.draft_ready.connect(self._take_draft)
        self.loader.model_wanted.connect(self.ask_for_model)
        self.loader.draft_wanted.connect(self.ask_for_draft)
        self._qt.styleHints().colorSchemeChanged.connect(self._dress)
