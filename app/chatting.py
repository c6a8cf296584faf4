"""The chat that is shown: its questions, its replies, and what was written but not sent."""

import logging
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from app.chat_message import ChatMessage
from app.chat_settings import ChatSettings
from app.chats import Chats
from app.composing import Composing
from app.conversation import Change, Conversation
from app.frames import Frames
from app.language import tr
from app.loader import Loader
from app.replies import Replies
from app.views.window import Window
from inference.settings import GenerationSettings
from inference.statistics import ReplyStatistics

log = logging.getLogger(__name__)

NOTE_S = 12.0


class Chatting(QObject):
    shown = Signal(object)  # the Conversation that is shown from now on
    changed = Signal()  # what can be done now is another
    listed = Signal()  # the list of chats is another
    memory_lowered = Signal(object)  # a MemoryStep: memory ran out in a reply

    def __init__(
        self,
        window: Window,
        chats: Chats,
        replies: Replies,
        loader: Loader,
        *,
        settings: ChatSettings,
        composing: Composing,
        frames: Frames,
    ) -> None:
        """`frames` runs while a reply does."""
        super().__init__()
        self._window = window
        self._chats = chats
        self._replies = replies
        self._loader = loader
        self._settings = settings
        self._composing = composing
        self._frames = frames
        self.conversation = Conversation()
        self.closing = False
        replies.grew.connect(self._show_growth)
        replies.ended.connect(self._end_reply)

    @property
    def replying(self) -> bool:
        return self._replies.conversation is not None

    def show(self, conversation: Conversation) -> None:
        """Show this chat and no other."""
        window = self._window
        self.conversation = conversation
        self._settings.show(conversation)
        window.transcript.show_messages(conversation.messages, conversation.tree.shown_versions())
        self._composing.show(conversation.id if conversation.messages else "")
        window.show_title(conversation.title or tr("New chat"))
        window.sidebar.select(conversation.id)
        window.banners.close_banner("omitted")
        self._show_figures()
        self.shown.emit(conversation)
        self.changed.emit()

    def refresh(self) -> None:
        """Other messages of the chat are shown, or other versions of them."""
        conversation = self.conversation
        self._window.transcript.update_messages(conversation.messages, conversation.tree.shown_versions())
        self._show_figures()
        self.changed.emit()

    def new_chat(self) -> None:
        if self.conversation.messages:
            self.show(Conversation())
        self._window.composer.focus()

    def send(self, text: str) -> None:
        """Ask in the chat that is shown. While no reply could come, what was written stays."""
        self._window.settings_panel.flush()
        waiting = bool(self._composing.attachments)
        if self.obstacle() or self._composing.obstacle() or self.replying or not (text.strip() or waiting):
            if text and not self._window.composer.text():
                self._window.composer.set_text(text)
            return
        conversation = self.conversation
        question = conversation.ask(text, self._composing.take_all())
        self._composing.key = conversation.id
        self._window.show_title(conversation.title)
        self._window.transcript.add_message(question)
        self._chats.save(conversation, question)
        self._chats.touch(conversation)
        self.reply()
        self.listed.emit()

    def regenerate(self, message_id: str) -> None:
        """Write a reply again, or that to a question; the one before stays as another version."""
        if self._refuses():
            return
        tree = self.conversation.tree
        if tree[message_id].role != "assistant":
            message_id = tree.child(message_id)
            if not message_id:
                self.reply()
        if not message_id or tree[message_id].role != "assistant":
            return
        prompt = self.conversation.prompt(self._settings.current.system_prompt, instead=message_id)
        self._replies.begin(self.conversation, prompt, self.generation(), self._model(), instead=message_id)
        self.refresh()
        self._begin()

    def reply(self) -> None:
        """Have the last question answered, if that can be."""
        if self.obstacle() or self.replying:
            return
        prompt = self.conversation.prompt(self._settings.current.system_prompt)
        self._replies.begin(self.conversation, prompt, self.generation(), self._model())
        self.refresh()
        self._begin()

    def continue_reply(self, message_id: str = "") -> None:
        """Let the last reply go on where it stops; another one only when it is the last that is shown."""
        conversation = self.conversation
        if not conversation.can_continue or self._refuses():
            return
        last = conversation.messages[-1]
        if message_id not in ("", last.id):
            text = tr("Only the last reply can be continued. Start a new chat from this one to continue it there.")
            self._window.banners.show_banner("continue", text, seconds=NOTE_S)
            return
        prompt = conversation.prompt(self._settings.current.system_prompt, continuing=True)
        self._replies.go_on(conversation, prompt, self.generation())
        self._window.transcript.resume(last.id)
        self._begin()

    def stop(self) -> None:
        self._replies.stop()

    def use_example(self, text: str) -> None:
        """Ask it at once; while no reply could come, write it down."""
        if self.obstacle():
            self._window.composer.set_text(text)
            self._window.composer.focus()
        else:
            self.send(text)

    def copy(self, message_id: str) -> None:
        message = self.conversation.messages[self.conversation.index(message_id)]
        QGuiApplication.clipboard().setText(message.text)

    def answer(self) -> None:
        """Write the last reply again, or the first one to a question that has none."""
        if self.conversation.messages:
            self.regenerate(self.conversation.messages[-1].id)

    def with_last_reply(self, act: Callable[[str], None]) -> None:
        replies = [message.id for message in self.conversation.messages if message.role == "assistant"]
        if replies:
            act(replies[-1])

    def obstacle(self) -> str:
        """Why no reply can be had just now; "" if one can."""
        obstacle = self._loader.obstacle()
        if obstacle:
            return obstacle
        replying = self._replies.conversation
        if replying is not None and replying is not self.conversation:
            return tr('Foreword is replying in "{title}".').format(title=replying.title)
        return ""

    def _refuses(self) -> bool:
        """Whether no other reply can be had just now, which is said."""
        why = self.obstacle()
        if not why and self.replying:
            why = tr("A reply is being written. Wait for its end, or stop it.")
        if why:
            self._window.banners.show_banner("busy", why, seconds=NOTE_S)
        return bool(why)

    def generation(self) -> GenerationSettings:
        """How the next reply is made. A draft model that is not loaded (yet) leaves the drafting to the n-grams."""
        settings = self._settings.current.generation()
        if settings.speculation.needs_model and self._loader.draft is None:
            settings = replace(settings, speculation=replace(settings.speculation, drafter="ngram"))
        return settings

    def _begin(self) -> None:
        self._window.gauges.begin_reply()
        self._frames.begin()
        self.changed.emit()

    def _model(self) -> str:
        return self._loader.target.spec.name if self._loader.target else ""

    def _show_growth(self, conversation: Conversation, change: Change) -> None:
        reply, window = conversation.reply or conversation.messages[-1], self._window
        if change.pieces and conversation is self.conversation:
            window.transcript.extend(reply.id)
        for step in change.memory:
            self.memory_lowered.emit(step)
        if conversation is not self.conversation:
            return
        if change.prompt is not None and not reply.text:
            window.gauges.show_prompt(change.prompt)
        due = change.round is not None and self._frames.figures_due()
        if due or change.switches:
            window.gauges.show_course(reply.course)
        for switch in change.switches:
            window.gauges.mark_task(switch)
        if due and change.round is not None:
            window.gauges.show_round(change.round)
        if change.omitted:
            text = tr("The chat is longer than the model can read; its oldest messages are left out: {count:,}.")
            window.banners.show_banner("omitted", text.format(count=change.omitted))

    def _end_reply(self, conversation: Conversation, reply: ChatMessage) -> None:
        self._frames.stop()
        if self.closing:
            return
        if conversation is self.conversation:
            self._window.transcript.finish(reply.id)
            self._window.gauges.show_course(reply.course)
            if reply.statistics is not None:
                self._window.gauges.finish_reply(reply.statistics)
            elif not reply.text:  # it failed before it began
                self._window.gauges.finish_reply(ReplyStatistics())
        self.changed.emit()

    def _show_figures(self) -> None:
        """Of the last reply of the chat that is shown; one that is being written goes on with its own."""
        reply = next((one for one in reversed(self.conversation.messages) if one.role == "assistant"), None)
        known = reply.statistics if reply is not None and reply.state != "streaming" else None
        self._window.gauges.show_past(known, reply.course if reply is not None else ())
