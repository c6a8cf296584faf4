"""Changing what was said: other words, other versions, a chat of its own, deleting with undo."""

from PySide6.QtCore import QObject, Signal

from app.chats import Chats
from app.chatting import Chatting
from app.conversation import Conversation
from app.language import tr
from app.message_tree import Removal
from app.undoing import Undoing
from app.views.window import Window

NOTE_S = 12.0


class MessageChanges(QObject):
    """Nothing happens in a chat in which a reply is being written."""

    branched = Signal(object)  # the new Conversation

    def __init__(self, window: Window, chats: Chats, chatting: Chatting, undoing: Undoing) -> None:
        super().__init__()
        self._window = window
        self._chats = chats
        self._chatting = chatting
        self._undoing = undoing
        transcript = window.transcript
        transcript.edited.connect(self.edit)
        transcript.version_requested.connect(self.step)
        transcript.branch_requested.connect(self.branch)
        transcript.delete_requested.connect(self.delete)
        window.edit_requested.connect(self.edit_last_question)

    def edit(self, message_id: str, text: str) -> None:
        """Keep other words as a new version; a question is asked again with them."""
        conversation = self._chatting.conversation
        if self._busy(conversation):
            self._window.transcript.edit(message_id, text)  # the words are not lost
            return
        if conversation.tree[message_id].role == "user" and (obstacle := self._chatting.obstacle()):
            self._window.banners.show_banner("edit", obstacle, tone="warning", seconds=NOTE_S)
        message = conversation.edit(message_id, text)
        self._chats.save(conversation, message)
        self._chatting.refresh()
        if message.role == "user":
            self._chatting.reply()

    def edit_last_question(self) -> None:
        """Put an editor in its place."""
        questions = [message.id for message in self._chatting.conversation.messages if message.role == "user"]
        if questions and not self._busy(self._chatting.conversation):
            self._window.transcript.edit(questions[-1])

    def step(self, message_id: str, step: int) -> None:
        """Show the version before or the next."""
        conversation = self._chatting.conversation
        if self._busy(conversation):
            return
        conversation.show_version(message_id, step)
        self._chats.save_choices(conversation)
        self._chatting.refresh()

    def branch(self, message_id: str) -> None:
        """Another chat that begins with what was said up to here."""
        conversation = self._chatting.conversation
        other = conversation.fork(message_id)
        last = other.messages[-1]
        if last.state == "streaming":
            last.state, last.finish_reason = "stopped", "cancelled"
        self._chats.save_all(other)
        row = self._chats.row(conversation.id)
        if row is not None and row.private:
            self._chats.set_private(other.id, True)
        self._chats.touch(other)
        self.branched.emit(other)

    def delete(self, message_id: str) -> None:
        conversation = self._chatting.conversation
        if self._busy(conversation):
            return
        removal = conversation.remove(message_id)
        self._chats.remove(conversation, removal)
        self._chatting.refresh()
        count = len(removal.messages)
        text = tr("The message was deleted.")
        if count > 1:
            several = tr("The message and the {count:,} after it were deleted.").format(count=count - 1)
            text = several if count > 2 else tr("The message and the one after it were deleted.")
        self._undoing.offer(text, lambda: self._restore(conversation, removal), conversation.id)

    def _restore(self, conversation: Conversation, removal: Removal) -> None:
        """Put it back where it was, and show it."""
        conversation = self._chats.conversation(conversation.id)  # an import may have read it anew
        if removal.messages[0].parent not in {"", *(message.id for message in conversation.tree)}:
            return
        conversation.restore(removal)
        self._chats.put_back(conversation, removal)
        if conversation is self._chatting.conversation:
            self._chatting.refresh()
        else:
            self._chatting.show(conversation)
        self._window.transcript.go_to(removal.messages[0].id)

    def _busy(self, conversation: Conversation) -> bool:
        """Whether a reply is being written there, which is said."""
        busy = conversation.run_id is not None
        if busy:
            text = tr("A reply is being written. Wait for its end, or stop it.")
            self._window.banners.show_banner("busy", text, seconds=NOTE_S)
        return busy
