"""The list of chats: choosing, renaming, pinning, folders, deleting, searching."""

import logging
import sqlite3
from collections.abc import Collection

from PySide6.QtCore import QObject

from app.chats import Chats, FolderRemoval
from app.chatting import Chatting
from app.conversation import Conversation
from app.language import tr
from app.replies import Replies
from app.search import Hit
from app.searcher import Searcher
from app.undoing import Undoing
from app.views.banner import Action
from app.views.chat_list_model import Group, HitLine
from app.views.window import Window

log = logging.getLogger(__name__)


class ChatShelf(QObject):
    def __init__(
        self,
        window: Window,
        chats: Chats,
        replies: Replies,
        chatting: Chatting,
        *,
        searcher: Searcher,
        undoing: Undoing,
    ) -> None:
        super().__init__()
        self._window = window
        self._chats = chats
        self._replies = replies
        self._chatting = chatting
        self._searcher = searcher
        self._undoing = undoing
        self._hits: list[HitLine] = []
        chatting.listed.connect(self.refresh)
        searcher.found.connect(self._take_hits)
        sidebar = window.sidebar
        sidebar.chosen.connect(self.select)
        sidebar.hit_chosen.connect(self.show_hit)
        sidebar.renamed.connect(self.rename)
        sidebar.delete_requested.connect(self.delete)
        sidebar.pin_requested.connect(self.pin)
        sidebar.private_requested.connect(self.set_private)
        sidebar.move_requested.connect(self.move)
        sidebar.dropped.connect(self.put)
        sidebar.folder_requested.connect(self.move_to_new_folder)
        sidebar.folder_renamed.connect(self.rename_folder)
        sidebar.folder_remove_requested.connect(self.remove_folder)
        sidebar.folder_delete_requested.connect(self.delete_folder)
        sidebar.search_changed.connect(self.search)

    @property
    def words(self) -> str:
        """What is looked for."""
        return self._window.sidebar.search.text().strip()

    def refresh(self) -> None:
        current = self._chatting.conversation.id
        hits = self._hits if self.words else ()
        self._window.sidebar.show_chats(self._chats.rows(self.words), current, folders=self._chats.folders(), hits=hits)

    def search(self, words: str) -> None:
        """Titles at once, messages when they are found."""
        if words:
            self._searcher.search(self._chats.path, words)
        else:
            self._searcher.forget()
            self._hits = []
        self.refresh()

    def show_hit(self, identifier: str, message_id: str) -> None:
        """Open the chat where the message is, with the version that has it."""
        self.select(identifier)
        conversation = self._chatting.conversation
        if conversation.id != identifier or message_id not in conversation.tree:
            return
        if conversation.run_id is None and conversation.tree.show(message_id):
            self._chats.save_choices(conversation)
            self._chatting.refresh()
        if any(message.id == message_id for message in conversation.messages):
            self._window.transcript.go_to(message_id, self.words)

    def select(self, identifier: str) -> None:
        if identifier == self._chatting.conversation.id:
            return
        try:
            self._chatting.show(self._chats.conversation(identifier))
        except sqlite3.DatabaseError as error:
            log.warning("a chat cannot be read: %s", error)
            text = tr("This chat cannot be read: the file that keeps it is damaged.")
            older = Action(tr("Restore a backup…"), self._window.sidebar.restore_requested.emit, asks=True)
            self._window.banners.show_banner("chats", text, tone="error", actions=[older])

    def open(self, conversation: Conversation) -> None:
        """Show a chat that is new to the list."""
        self._chatting.show(conversation)
        self.refresh()

    def rename(self, identifier: str, title: str) -> None:
        if title:
            self._chats.rename(identifier, title)
        self.show_title(identifier)

    def show_title(self, identifier: str) -> None:
        """A chat has another title."""
        self.refresh()
        if identifier == self._chatting.conversation.id:
            self._window.show_title(self._chatting.conversation.title)

    def pin(self, identifier: str, pinned: bool) -> None:
        self._chats.pin(identifier, pinned)
        self.refresh()

    def set_private(self, identifier: str, private: bool) -> None:
        self._chats.set_private(identifier, private)
        self.refresh()

    def move(self, identifier: str, folder_id: str) -> None:
        self._chats.move(identifier, folder_id)
        self.refresh()

    def put(self, identifier: str, group: Group) -> None:
        """Where it was dropped. One that is pinned keeps its folder, as by the menu."""
        row = self._chats.row(identifier)
        if row is None:
            return
        if row.pinned != group.pinned:
            self._chats.pin(identifier, group.pinned)
        if row.folder != group.folder and not group.pinned:
            self._chats.move(identifier, group.folder)
        self.refresh()

    def move_to_new_folder(self, identifier: str, name: str) -> None:
        if name:
            self.move(identifier, self._chats.add_folder(name).id)

    def rename_folder(self, folder_id: str, name: str) -> None:
        if name:
            self._chats.rename_folder(folder_id, name)
            self.refresh()

    def remove_folder(self, folder_id: str) -> None:
        removal = self._chats.delete_folder(folder_id)
        self.refresh()
        text = tr('The folder "{name}" was removed; its chats were kept.').format(name=removal.folder.name)
        self._undoing.offer(text, lambda: self._restore_folder(removal, ""))

    def delete_folder(self, folder_id: str) -> None:
        """With the chats that stand in it."""
        chats = self._chats.listed_in(folder_id)
        shown = self._chatting.conversation.id
        self._stop_in(chats)
        removal = self._chats.delete_folder(folder_id, chats)
        self._leave(chats)
        text = tr('The folder "{name}" and its {count} chats were deleted.')
        if len(chats) == 1:
            text = tr('The folder "{name}" and its chat were deleted.')
        text = text.format(name=removal.folder.name, count=len(chats))
        self._undoing.offer(text, lambda: self._restore_folder(removal, shown if shown in chats else ""))

    def delete(self, identifier: str) -> None:
        self._stop_in([identifier])
        row = self._chats.delete(identifier)
        self._leave([identifier])
        text = tr('"{title}" was deleted.').format(title=row.title)
        self._undoing.offer(text, lambda: self._restore(identifier))

    def reload(self, changed: Collection[str]) -> None:
        """Chats were added to the file, or messages to chats."""
        if self._chatting.conversation.id in changed and self._chatting.conversation.run_id is None:
            self._chatting.show(self._chats.conversation(self._chatting.conversation.id))
        self.refresh()

    def begin_anew(self) -> None:
        """All chats are others now."""
        self._undoing.forget_all()
        self._hits = []
        self._chatting.show(Conversation())
        self.refresh()

    def _take_hits(self, words: str, hits: list[Hit]) -> None:
        if words != self.words:
            return
        self._hits = []
        for hit in hits:
            row = self._chats.row(hit.conversation)
            if row is not None:
                line = HitLine(hit.conversation, row.title, hit.message, hit.line, hit.start, hit.end)
                self._hits.append(line)
        self.refresh()

    def _restore(self, identifier: str) -> None:
        self._chats.restore(identifier)
        self.refresh()
        self.select(identifier)

    def _restore_folder(self, removal: FolderRemoval, shown: str) -> None:
        """shown: the chat of it that was open, or ""."""
        self._chats.restore_folder(removal)
        self.refresh()
        if shown:
            self.select(shown)

    def _stop_in(self, chats: Collection[str]) -> None:
        """The reply that is being written in one of them."""
        replying = self._replies.conversation
        if replying is not None and replying.id in chats:
            self._chatting.stop()

    def _leave(self, deleted: Collection[str]) -> None:
        """These chats are not there any more."""
        if self._chatting.conversation.id in deleted:
            self._chatting.show(Conversation())
            self._window.composer.focus()  # from where Tab leads to Undo
        self._hits = [hit for hit in self._hits if hit.chat not in deleted]
        self.refresh()
