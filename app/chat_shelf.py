"""The list of chats: choosing, renaming, deleting, searching."""

import logging
import sqlite3

from PySide6.QtCore import QObject

from app.chats import Chats
from app.chatting import Chatting
from app.conversation import Conversation
from app.replies import Replies
from app.views.banner import Action
from app.views.window import Window

log = logging.getLogger(__name__)

UNDO_S = 12.0


class ChatShelf(QObject):
    def __init__(self, window: Window, chats: Chats, replies: Replies, chatting: Chatting) -> None:
        super().__init__()
        self._window = window
        self._chats = chats
        self._replies = replies
        self._chatting = chatting
        chatting.listed.connect(self.refresh)
        window.sidebar.chosen.connect(self.select)
        window.sidebar.renamed.connect(self.rename)
        window.sidebar.delete_requested.connect(self.delete)
        window.sidebar.search_changed.connect(lambda _: self.refresh())

    def refresh(self) -> None:
        search = self._window.sidebar.search.text().strip()
        self._window.sidebar.show_chats(self._chats.rows(search), self._chatting.conversation.id)

    def select(self, identifier: str) -> None:
        if identifier == self._chatting.conversation.id:
            return
        try:
            self._chatting.show(self._chats.conversation(identifier))
        except sqlite3.DatabaseError as error:
            log.warning("a chat cannot be read: %s", error)
            text = self.tr("This chat cannot be read: the file that keeps it is damaged.")
            self._window.banners.show_banner("chats", text, tone="error")

    def rename(self, identifier: str, title: str) -> None:
        if title:
            self._chats.rename(identifier, title)
        self.refresh()
        if identifier == self._chatting.conversation.id:
            self._window.show_title(self._chatting.conversation.title)

    def delete(self, identifier: str) -> None:
        replying = self._replies.conversation
        if replying is not None and replying.id == identifier:
            self._chatting.stop()
        row = self._chats.delete(identifier)
        if identifier == self._chatting.conversation.id:
            self._chatting.show(Conversation())
            self._window.composer.focus()  # from where Tab leads to Undo
        self.refresh()
        text = self.tr('"{title}" was deleted.').format(title=row.title)
        undo = Action(self.tr("Undo"), lambda: self._restore(identifier))
        self._window.banners.show_banner("deleted " + identifier, text, actions=[undo], seconds=UNDO_S)

    def _restore(self, identifier: str) -> None:
        self._chats.restore(identifier)
        self.refresh()
        self.select(identifier)
