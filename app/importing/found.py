"""What readers of other programs' files find: chats, and what they had to leave out."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from app.chat_message import ChatMessage
from app.history import ConversationRow, StoredChat
from app.message_tree import ROOT
from app.titles import title_of
from inference.messages import Role

LATEST = 1e11  # seconds since 1970: times beyond are no times


@dataclass(frozen=True)
class Skipped:
    """`where` in the file something was left out, and why."""

    where: str
    why: str


def stable_id(*parts: object) -> str:
    """The same for the same parts, whenever they are imported: so nothing is imported twice."""
    digest = hashlib.sha256()
    for part in parts:
        text = str(part).encode("utf-8", "surrogatepass")
        digest.update(len(text).to_bytes(8, "big") + text)
    return digest.hexdigest()[:32]


def clean(text: str) -> str:
    """Half a surrogate pair has no UTF-8."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def stored(
    identifier: str,
    title: str,
    messages: Sequence[ChatMessage],
    chosen: dict[str, str],
    *,
    created: float,
    updated: float,
    pinned: bool = False,
    system: str = "",
) -> StoredChat:
    """A chat ready to be added. system: what its model was told before all."""
    first = next((message.text for message in messages if message.role == "user"), "")
    name = " ".join(clean(title).split()) or title_of(first) or "Chat"
    row = ConversationRow(identifier, name, created, updated, pinned, named="person")
    overrides = {"system_prompt": clean(system)} if system.strip() else {}
    return StoredChat(row, messages, chosen, "", overrides)


def line_of_messages(
    identifier: str, turns: Sequence[tuple[Role, str]], created: float
) -> tuple[list[ChatMessage], str]:
    """Messages that follow each other, and the system prompt before them."""
    messages: list[ChatMessage] = []
    system: list[str] = []
    parent = ROOT
    for place, (role, text) in enumerate(turns):
        if role == "system":
            system.append(text)
            continue
        parent_now, parent = parent, stable_id(identifier, place, role, text)
        messages.append(ChatMessage(role, clean(text), parent, parent=parent_now, created=created))
    return messages, "\n\n".join(system)
