"""The reply that is being written: asks for it, lets it grow, saves it on the way."""

from collections.abc import Sequence
from time import monotonic

from PySide6.QtCore import QObject, Signal

from app.chat_message import ChatMessage
from app.chats import Chats
from app.conversation import Conversation
from app.worker import Letter, Worker
from inference.events import Delta, Failed, Finished, PromptProgress, Round, TaskChanged, ThoughtOpened, TurnsOmitted
from inference.ladder import MemoryStep
from inference.messages import Message
from inference.settings import GenerationSettings

SAVE_S = 0.5  # a crash costs at most what came since the last save
REPLY_EVENTS = (Delta, Round, PromptProgress, TaskChanged, ThoughtOpened, TurnsOmitted, MemoryStep, Finished, Failed)


class Replies(QObject):
    """At most one at a time; it goes on in its own chat, whichever is shown."""

    began = Signal(object)  # the Conversation
    grew = Signal(object, object)  # the Conversation, and the Change that was made to its reply
    ended = Signal(object, object)  # the Conversation and the ChatMessage, when it is saved

    def __init__(self, worker: Worker, chats: Chats) -> None:
        super().__init__()
        self._worker = worker
        self._chats = chats
        self._saved_at = 0.0
        self.conversation: Conversation | None = None  # in which a reply is being written

    def begin(
        self,
        conversation: Conversation,
        prompt: Sequence[Message],
        settings: GenerationSettings,
        model: str,
        *,
        instead: str = "",
    ) -> ChatMessage:
        """Add an empty reply to `conversation` and ask the engine to fill it; `instead`: see `Conversation`."""
        self.began.emit(conversation)
        reply = conversation.begin_reply(self._worker.generate(prompt, settings), model, settings, instead)
        self.conversation = conversation
        self._save(reply)
        return reply

    def go_on(self, conversation: Conversation, prompt: Sequence[Message], settings: GenerationSettings) -> ChatMessage:
        """Ask the engine to continue the last message of `conversation`."""
        self.began.emit(conversation)
        reply = conversation.continue_reply(self._worker.generate(prompt, settings), settings)
        self.conversation = conversation
        self._save(reply)
        return reply

    def stop(self) -> None:
        """Takes effect within one round."""
        if self.conversation is not None and self.conversation.run_id is not None:
            self._worker.cancel(self.conversation.run_id)

    def take(self, run_id: str, letters: Sequence[Letter]) -> bool:
        """News of a run; False if it is not the one that replies."""
        conversation = self.conversation
        if conversation is None or conversation.run_id != run_id or conversation.reply is None:
            return False
        reply = conversation.reply
        change = conversation.apply(run_id, [letter for letter in letters if isinstance(letter, REPLY_EVENTS)])
        if change.ended or monotonic() - self._saved_at >= SAVE_S:
            self._save(reply)
        self.grew.emit(conversation, change)
        if change.ended:
            self.conversation = None
            self.ended.emit(conversation, reply)
        return True

    def abandon(self) -> None:
        """The program ends first: keep what was said."""
        if self.conversation is not None and self.conversation.reply is not None:
            reply = self.conversation.reply
            self.conversation.abandon()
            self._save(reply)
            self.conversation = None

    def _save(self, reply: ChatMessage) -> None:
        if self.conversation is not None:
            self._saved_at = monotonic()
            self._chats.save(self.conversation, reply)
