"""The messages of a chat as a tree: every version of a question or reply is kept, and one path through it is shown."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from uuid import uuid4

from app.chat_message import ChatMessage

ROOT = ""  # the parent of a chat's first message


@dataclass(frozen=True)
class Version:
    """This is the `number`th (from 1) of `count` versions."""

    number: int
    count: int


@dataclass(frozen=True)
class Removal:
    """What was taken out, and what is needed to put it back."""

    messages: tuple[ChatMessage, ...]  # parents before children
    place: int  # among its versions
    children: tuple[str, ...]  # now with its parent; empty when they were taken out as well
    chosen: tuple[tuple[str, str], ...]  # as it was


class MessageTree:
    """Knows nothing of text. `chosen` says which child of a message is shown; without an entry it is the last."""

    def __init__(self, messages: Iterable[ChatMessage] = (), chosen: Mapping[str, str] | None = None) -> None:
        """Parents come before their children; a message whose parent is not there becomes a first one."""
        self._messages: dict[str, ChatMessage] = {}
        self._children: dict[str, list[str]] = {ROOT: []}
        self._path: list[ChatMessage] | None = None
        for message in messages:
            if message.parent not in self._children:
                message.parent = ROOT
            self._insert(message)
        self.chosen = dict(chosen or {})

    def __len__(self) -> int:
        return len(self._messages)

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._messages

    def __getitem__(self, message_id: str) -> ChatMessage:
        return self._messages[message_id]

    def __iter__(self) -> Iterator[ChatMessage]:
        """Every message, in the order they came about."""
        return iter(self._messages.values())

    @property
    def path(self) -> list[ChatMessage]:
        """What is shown, first to last."""
        if self._path is None:
            self._path = []
            at = ROOT
            while (at := self.child(at)) != ROOT:
                self._path.append(self._messages[at])
        return self._path

    def child(self, parent: str) -> str:
        """The one that is shown after `parent`; ROOT when there is none."""
        children = self._children[parent]
        chosen = self.chosen.get(parent)
        return chosen if chosen in children else children[-1] if children else ROOT

    def children(self, parent: str) -> tuple[str, ...]:
        return tuple(self._children[parent])

    def add(self, message: ChatMessage, parent: str) -> None:
        """Put a message after `parent` and show it."""
        if message.id in self._messages or parent not in self._children:
            raise ValueError("the message is there already, or its parent is not")
        message.parent = parent
        self._insert(message)
        self.chosen[parent] = message.id
        self._path = None

    def versions(self, message_id: str) -> tuple[str, ...]:
        return tuple(self._children[self._messages[message_id].parent])

    def version(self, message_id: str) -> Version:
        versions = self.versions(message_id)
        return Version(versions.index(message_id) + 1, len(versions))

    def shown_versions(self) -> dict[str, Version]:
        """Of the messages that are shown, those with more than one version."""
        several = [message.id for message in self.path if len(self._children[message.parent]) > 1]
        return {message_id: self.version(message_id) for message_id in several}

    def show(self, message_id: str) -> list[str]:
        """Have the path lead through this message; the parents whose choice is another now."""
        changed = []
        at = message_id
        while at != ROOT:
            parent = self._messages[at].parent
            if self.child(parent) != at:
                changed.append(parent)
            self.chosen[parent] = at
            at = parent
        self._path = None
        return changed

    def remove(self, message_id: str) -> Removal:
        """Take a message out: one of several versions with all that follows it, an only one by itself."""
        message = self._messages[message_id]
        versions = self._children[message.parent]
        place, chosen = versions.index(message_id), tuple(self.chosen.items())
        if len(versions) > 1:
            gone = list(self._below(message_id))
            children: tuple[str, ...] = ()
            versions.remove(message_id)
        else:
            gone, children = [message], tuple(self._children[message_id])
            versions[:] = children
            shown = self.child(message_id)
            self.chosen.pop(message.parent, None)
            if shown != ROOT:
                self.chosen[message.parent] = shown
            for child in children:
                self._messages[child].parent = message.parent
        for one in gone:
            del self._messages[one.id]
            del self._children[one.id]
            self.chosen.pop(one.id, None)
        self._path = None
        return Removal(tuple(gone), place, children, chosen)

    def restore(self, removal: Removal) -> None:
        """Put back what the last `remove` took out, or an earlier one whose surroundings are still there."""
        first = removal.messages[0]
        if first.parent not in self._children:
            raise ValueError("what this message followed is gone")
        siblings = self._children[first.parent]
        children = [child for child in removal.children if child in siblings]
        for child in children:
            siblings.remove(child)
            self._messages[child].parent = first.id
        for message in removal.messages:
            self._insert(message)
        siblings.remove(first.id)
        siblings.insert(min(removal.place, len(siblings)), first.id)
        self._children[first.id].extend(children)
        self.chosen.update((parent, child) for parent, child in removal.chosen if child in self._messages)
        self._path = None

    def copy_of_path(self, last: str) -> list[ChatMessage]:
        """The shown messages up to `last`, as new ones in a line."""
        copies: list[ChatMessage] = []
        for message in self.path:
            parent = copies[-1].id if copies else ROOT
            copies.append(replace(message, id=uuid4().hex, parent=parent, runs=list(message.runs)))
            if message.id == last:
                return copies
        raise KeyError(last)

    def _insert(self, message: ChatMessage) -> None:
        self._messages[message.id] = message
        self._children[message.parent].append(message.id)
        self._children[message.id] = []

    def _below(self, message_id: str) -> Iterator[ChatMessage]:
        """A message and all that follows it, parents first."""
        waiting = [message_id]
        while waiting:
            at = waiting.pop()
            yield self._messages[at]
            waiting.extend(reversed(self._children[at]))
