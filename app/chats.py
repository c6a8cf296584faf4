"""The chats of a session: those listed, those opened, and where their changes go. Knows nothing of Qt."""

import logging
import sqlite3
import tempfile
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from uuid import uuid4

from app.attachments import Attachment
from app.chat_message import ChatMessage
from app.conversation import Conversation
from app.history import ConversationRow, Folder, History, Named
from app.history_writer import HistoryWriter
from app.message_tree import Removal
from inference.manager.paths import CHATS

log = logging.getLogger(__name__)
Unsent = tuple[str, tuple[Attachment, ...]]
NOTHING: Unsent = ("", ())


@dataclass(frozen=True)
class FolderRemoval:
    """chats: those that were deleted with it; inside: all that it had."""

    folder: Folder
    chats: Sequence[str]
    inside: Sequence[str]


class Chats:
    """Reads are made at once, changes in the writer's thread. What changed in this session is held in memory, so the
    list and every open chat are up to date before the disk is.
    """

    def __init__(self, folder: Path, on_error: Callable[[str], None]) -> None:
        """`on_error` is called in the writer's thread. `trouble` says what was wrong with the file, or is empty."""
        self._on_error = on_error
        self._spare: tempfile.TemporaryDirectory[str] | None = None
        try:
            self._history, self.trouble = History.open(folder / CHATS)
        except (sqlite3.OperationalError, OSError) as error:
            log.warning("chats cannot be kept in %s: %s", folder, error)
            self._spare = tempfile.TemporaryDirectory(prefix="foreword-")
            self._history, _ = History.open(Path(self._spare.name) / CHATS)
            self.trouble = f"Your chats can be neither read nor kept ({error}); this session's are lost at its end."
        self._begin()

    @property
    def path(self) -> Path:
        """The file, for whoever copies or searches it in another thread."""
        return self._history.path

    # The list

    def rows(self, search: str = "") -> list[ConversationRow]:
        """Newest first; with `search`, those whose title has it."""
        rows = list(self._rows.values())
        if search:
            rows = [row for row in rows if search.casefold() in row.title.casefold()]
        return sorted(rows, key=attrgetter("updated"), reverse=True)

    def row(self, identifier: str) -> ConversationRow | None:
        return self._rows.get(identifier)

    def folders(self) -> list[Folder]:
        return sorted(self._folders.values(), key=lambda folder: folder.name.casefold())

    def rename(self, identifier: str, title: str, named: Named = "person") -> None:
        self._rows[identifier] = replace(self._rows[identifier], title=title, named=named)
        if identifier in self._open:
            self._open[identifier].title = title
        self._writer.do(History.rename, identifier, title, named)

    def pin(self, identifier: str, pinned: bool) -> None:
        self._rows[identifier] = replace(self._rows[identifier], pinned=pinned)
        self._writer.do(History.pin, identifier, pinned)

    def set_private(self, identifier: str, private: bool) -> None:
        """Whether nothing is to be learned from it."""
        self._rows[identifier] = replace(self._rows[identifier], private=private)
        self._writer.do(History.set_private, identifier, private)

    def move(self, identifier: str, folder_id: str) -> None:
        """Into a folder; "" for none."""
        self._rows[identifier] = replace(self._rows[identifier], folder=folder_id)
        self._writer.do(History.move, identifier, folder_id)

    def add_folder(self, name: str) -> Folder:
        """One of this name; the one there is, if there is one."""
        for known in self._folders.values():
            if known.name == name:
                return known
        folder = Folder(uuid4().hex, name)
        self._save_folder(folder)
        return folder

    def rename_folder(self, folder_id: str, name: str) -> None:
        self._save_folder(Folder(folder_id, name))

    def listed_in(self, folder_id: str) -> list[str]:
        """The chats that stand in a folder; those that are pinned stand elsewhere."""
        return [row.id for row in self._rows.values() if row.folder == folder_id and not row.pinned]

    def delete_folder(self, folder_id: str, chats: Sequence[str] = ()) -> FolderRemoval:
        """With these of its chats; the others stay, in no folder."""
        inside, gone = [row for row in self._rows.values() if row.folder == folder_id], set(chats)
        for row in inside:
            if row.id in gone:
                self._deleted[row.id] = self._rows.pop(row.id)
            else:
                self._rows[row.id] = replace(row, folder="")
        self._writer.do(History.delete_folder, folder_id, chats)
        return FolderRemoval(self._folders.pop(folder_id), chats, [row.id for row in inside])

    def restore_folder(self, removal: FolderRemoval) -> None:
        """With its chats, but for those that are in another folder by now."""
        folder = self._folders[removal.folder.id] = removal.folder
        back = [identifier for identifier in removal.chats if identifier in self._deleted]
        for identifier in back:
            self._rows[identifier] = self._deleted.pop(identifier)
        inside = [row.id for row in self._deleted.values() if row.folder == folder.id]  # gone before the folder was
        for identifier in removal.inside:
            row = self._rows.get(identifier)
            if row is not None and row.folder in ("", folder.id):
                self._rows[identifier] = replace(row, folder=folder.id)
                inside.append(identifier)
        self._writer.do(History.restore_folder, folder, back, inside)

    def delete(self, identifier: str) -> ConversationRow:
        """Take a chat out of the list; `restore` brings it back until the next session."""
        row = self._deleted[identifier] = self._rows.pop(identifier)
        self._writer.do(History.delete, identifier)
        return row

    def restore(self, identifier: str) -> None:
        """Nothing happens where an import has brought it back."""
        if identifier not in self._deleted:
            return
        self._rows[identifier] = self._deleted.pop(identifier)
        self._writer.do(History.restore, identifier)

    # What is in a chat

    def conversation(self, identifier: str) -> Conversation:
        """Raises KeyError if there is none, sqlite3.DatabaseError if it cannot be read."""
        row = self._rows[identifier]
        if identifier not in self._open:
            stored = self._history.chat(identifier)
            if stored is None:
                raise KeyError(identifier)
            conversation = Conversation(identifier, row.title, stored.messages, row.created)
            conversation.tree.chosen = dict(stored.chosen)
            conversation.preset, conversation.overrides = stored.preset, dict(stored.overrides)
            self._open[identifier] = conversation
            self._chosen[identifier] = dict(stored.chosen)
        return self._open[identifier]

    def knows(self, conversation: Conversation) -> bool:
        return conversation.id in self._rows

    def save(self, conversation: Conversation, message: ChatMessage) -> None:
        """Keep a message as it is now. The chat is listed from its first message on."""
        self._create(conversation)
        self._writer.save(conversation.id, message)
        self.save_choices(conversation)

    def save_all(self, conversation: Conversation) -> None:
        """Keep every message of a chat that was made from another."""
        for message in conversation.tree:
            self.save(conversation, message)

    def save_choices(self, conversation: Conversation) -> None:
        """Keep which versions are shown."""
        known = self._chosen.setdefault(conversation.id, {})
        changed = {a: b for a, b in conversation.tree.chosen.items() if known.get(a) != b}
        if changed:
            known.update(changed)
            self._writer.do(History.choose, conversation.id, changed)

    def save_preset(self, conversation: Conversation) -> None:
        if self.knows(conversation):
            self._writer.do(History.set_preset, conversation.id, conversation.preset, dict(conversation.overrides))

    def rename_preset(self, old: str, new: str) -> None:
        """In every chat that uses it."""
        for conversation in self._open.values():
            if conversation.preset == old:
                conversation.preset = new
        self._writer.do(History.rename_preset, old, new)

    def remove(self, conversation: Conversation, removal: Removal) -> None:
        """A message was taken out of the chat."""
        gone = [message.id for message in removal.messages]
        self._writer.do(History.remove_messages, gone, removal.children, removal.messages[0].parent)
        self.save_choices(conversation)

    def put_back(self, conversation: Conversation, removal: Removal) -> None:
        """It was put back."""
        first = removal.messages[0].id
        children = [child for child in removal.children if child in conversation.tree.children(first)]
        self._writer.do(History.restore_messages, [message.id for message in removal.messages], children, first)
        self.save_choices(conversation)

    def touch(self, conversation: Conversation) -> None:
        """Move a chat to the top of the list."""
        if conversation.id in self._rows:
            self._rows[conversation.id] = replace(self._rows[conversation.id], updated=time.time())

    # Unsent questions

    def unsent(self, identifier: str) -> Unsent:
        """What was written in a chat and not sent; "" for a chat that has no message yet."""
        return self._unsent.get(identifier, NOTHING)

    def keep_unsent(self, identifier: str, text: str, attachments: Sequence[Attachment] = ()) -> None:
        unsent = (text, tuple(attachments))
        if unsent != self.unsent(identifier):
            self._unsent[identifier] = unsent
            self._writer.do(History.keep_unsent, identifier, *unsent)

    # The file

    def flush(self) -> None:
        """Wait until everything is on the disk."""
        self._writer.flush()

    def after_writing(self, done: Callable[[], None]) -> None:
        """Call `done`, in the writer's thread, when everything up to now is on the disk."""
        self._writer.do(lambda history: done())

    def reload(self, changed: Collection[str]) -> None:
        """Others have added to these chats of the file, or added them."""
        self._writer.flush()
        listed = {row.id: row for row in self._history.conversations()}
        for identifier in changed:
            self._deleted.pop(identifier, None)
            if identifier not in self._open or self._open[identifier].run_id is None:
                self._open.pop(identifier, None)
                self._chosen.pop(identifier, None)
        self._rows |= {identifier: row for identifier, row in listed.items() if identifier in changed}
        self._folders = {folder.id: folder for folder in self._history.folders()}

    def replace_file(self, prepared: Path) -> None:
        """Go on with the chats of another file, which takes the place of the present one. Raises OSError."""
        path = self.path
        self._history.close()
        self._writer.close()
        try:
            for ending in ("-wal", "-shm"):  # the last connection has emptied them
                Path(f"{path}{ending}").unlink(missing_ok=True)
            prepared.replace(path)
        finally:
            self._history, self.trouble = History.open(path)
            self._begin()

    def close(self) -> None:
        """Wait until everything is on the disk."""
        self._history.close()
        self._writer.close()
        if self._spare is not None:
            self._spare.cleanup()

    def _begin(self) -> None:
        self._writer = HistoryWriter(self._history.path, self._on_error)
        self._rows = {row.id: row for row in self._history.conversations()}
        self._folders = {folder.id: folder for folder in self._history.folders()}
        self._unsent: dict[str, Unsent] = dict(self._history.unsent())
        self._deleted: dict[str, ConversationRow] = {}
        self._open: dict[str, Conversation] = {}
        self._chosen: dict[str, dict[str, str]] = {}  # as it is on the disk

    def _create(self, conversation: Conversation) -> None:
        if conversation.id in self._rows or conversation.id in self._deleted:
            return
        created = conversation.created
        self._rows[conversation.id] = ConversationRow(conversation.id, conversation.title, created, created)
        self._open[conversation.id] = conversation
        self._writer.do(History.create, conversation.id, conversation.title, created)
        self.save_preset(conversation)

    def _save_folder(self, folder: Folder) -> None:
        self._folders[folder.id] = folder
        self._writer.do(History.save_folder, folder)
