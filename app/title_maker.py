"""Has the model name new chats while it has nothing else to do."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from app.chat_message import ChatMessage
from app.chats import Chats
from app.conversation import Conversation
from app.loader import Loader
from app.replies import Replies
from app.titles import first_question, title_prompt, title_settings, usable_title
from app.worker import Letter, Worker
from inference.events import Delta, Failed, Finished

IDLE_MS = 1500  # after a reply; whoever asks on at once is not kept waiting


class TitleMaker(QObject):
    titled = Signal(str)  # the chat's id

    def __init__(
        self, worker: Worker, chats: Chats, replies: Replies, loader: Loader, wanted: Callable[[], bool]
    ) -> None:
        """wanted: whether the settings ask for it."""
        super().__init__()
        self._wanted = wanted
        self._worker = worker
        self._chats = chats
        self._replies = replies
        self._loader = loader
        self._waiting: Conversation | None = None
        self._run_id = self._title = ""
        self._timer = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._timer.timeout.connect(self._ask)
        replies.began.connect(self.give_up)
        replies.ended.connect(self._consider)

    def give_up(self) -> None:
        """Somebody asks a question: leave the model to them."""
        self._timer.stop()
        if self._run_id:
            self._worker.cancel(self._run_id)
            self._run_id = ""

    def take(self, run_id: str, letters: Sequence[Letter]) -> bool:
        """News of a run; False if it is not the one that writes a title."""
        if run_id != self._run_id or not run_id:
            return False
        for letter in letters:
            match letter:
                case Delta(text=text):
                    self._title += text
                case Finished() | Failed():
                    self._run_id = ""
                    if isinstance(letter, Finished) and letter.reason != "cancelled":
                        self._name(self._title, cut=letter.reason == "length")
        return True

    def _consider(self, conversation: Conversation, reply: ChatMessage) -> None:
        row = self._chats.row(conversation.id)
        new = row is not None and row.named == "words"
        if new and self._wanted() and reply.state != "failed" and reply.text:
            self._waiting = conversation
            self._timer.start()

    def _ask(self) -> None:
        conversation = self._waiting
        if conversation is None or self._replies.conversation is not None or self._loader.obstacle():
            return
        if not first_question(conversation.messages):
            return
        self._title = ""
        self._run_id = self._worker.generate(title_prompt(conversation.messages), title_settings())

    def _name(self, written: str, *, cut: bool) -> None:
        conversation, self._waiting = self._waiting, None
        row = self._chats.row(conversation.id) if conversation is not None else None
        if row is None or row.named != "words":  # deleted, or renamed in the meantime
            return
        assert conversation is not None
        title = usable_title(written, first_question(conversation.messages), cut=cut)
        self._chats.rename(row.id, title or row.title, "model")
        self.titled.emit(row.id)
