"""ChatGPT's export: a list of chats, each a tree of nodes (`mapping`) of which `current_node` was shown last."""

from collections.abc import Iterator
from typing import Any

from app.chat_message import ChatMessage
from app.history import StoredChat
from app.importing.found import LATEST, Skipped, clean, stable_id, stored
from app.message_tree import ROOT
from inference.messages import Role

ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant"}


def chats_of(value: Any, where: str, now: float) -> Iterator[StoredChat | Skipped]:
    """One element of conversations.json."""
    mapping = value.get("mapping")
    title = str(value.get("title") or "")
    if not isinstance(mapping, dict):
        yield Skipped(where, "it has no messages")
        return
    created = _time(value.get("create_time"), now)
    identifier = stable_id("chatgpt", value.get("conversation_id") or value.get("id") or f"{title} {created}")
    reader = _Reader(identifier, mapping, created)
    reader.read()
    if not reader.messages:
        yield Skipped(f"{where}: {title}" if title else where, "none of its messages has text")
        return
    chosen = reader.path_to(str(value.get("current_node") or ""))
    updated = _time(value.get("update_time"), created)
    yield stored(identifier, title, reader.messages, chosen, created=created, updated=updated)
    for what, count in reader.left_out.items():
        yield Skipped(title or where, f"{count} × {what}")


class _Reader:
    """Nodes without words are passed over; what follows them follows what was before them."""

    def __init__(self, identifier: str, mapping: dict[str, Any], created: float) -> None:
        self._identifier = identifier
        self._mapping = {name: node for name, node in mapping.items() if isinstance(node, dict)}
        self._created = created
        self._kept: dict[str, str] = {}  # by node: the message that stands for it, or the last one before it
        self.messages: list[ChatMessage] = []
        self.left_out: dict[str, int] = {}

    def read(self) -> None:
        roots = [name for name, node in self._mapping.items() if node.get("parent") not in self._mapping]
        waiting = [(name, ROOT, "") for name in reversed(roots)]
        seen: set[str] = set()
        while waiting:
            name, parent, thought = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            node = self._mapping[name]
            message, thought = self._message(name, node.get("message"), parent, thought)
            if message is not None:
                self.messages.append(message)
                parent = message.id
            self._kept[name] = parent
            children = [child for child in node.get("children") or [] if child in self._mapping]
            waiting.extend((child, parent, thought) for child in reversed(children))

    def path_to(self, node: str) -> dict[str, str]:
        """The choices that lead to the message of a node."""
        parents = {message.id: message.parent for message in self.messages}
        chosen: dict[str, str] = {}
        at = self._kept.get(node, ROOT)
        while at != ROOT:
            chosen[parents[at]] = at
            at = parents[at]
        return chosen

    def _message(self, name: str, message: Any, parent: str, thought: str) -> tuple[ChatMessage | None, str]:
        """The message of a node if it is one people see, and a thought that waits for the reply it belongs to."""
        if not isinstance(message, dict):
            return None, thought
        author = message.get("author") or {}
        metadata = message.get("metadata") or {}
        content = message.get("content") or {}
        role = ROLES.get(str(author.get("role")))
        kind = str(content.get("content_type") or "text")
        if kind == "thoughts":
            parts = [str(one.get("content") or one.get("summary") or "") for one in content.get("thoughts") or []]
            return None, "\n\n".join(filter(None, [thought, *parts]))
        text = clean(self._text(content))
        if role is None or metadata.get("is_visually_hidden_from_conversation") or kind == "reasoning_recap":
            if text.strip() and author.get("role") == "tool":
                self._leave_out("message of a tool")
            return None, thought
        if not text.strip():
            return None, thought
        if role == "assistant" and thought:
            text, thought = f"<think>\n{clean(thought)}\n</think>\n\n{text}", ""
        created = _time(message.get("create_time"), self._created)
        model = str(metadata.get("model_slug") or "") if role == "assistant" else ""
        identifier = stable_id(self._identifier, name)
        return ChatMessage(role, text, identifier, parent=parent, created=created, model=model), thought

    def _text(self, content: dict[str, Any]) -> str:
        if content.get("content_type") == "code":
            return f"```{content.get('language') or ''}\n{content.get('text') or ''}\n```".replace("```unknown", "```")
        parts = content.get("parts")
        if not isinstance(parts, list):
            return str(content.get("text") or "")
        texts = []
        for part in parts:
            if isinstance(part, str):
                texts.append(part)
            elif isinstance(part, dict) and isinstance(part.get("text"), str):
                texts.append(part["text"])  # what was said aloud
            elif part is not None:
                self._leave_out("picture or file")
        return "\n\n".join(filter(str.strip, texts))

    def _leave_out(self, what: str) -> None:
        self.left_out[what] = self.left_out.get(what, 0) + 1


def _time(value: Any, otherwise: float) -> float:
    return float(value) if isinstance(value, int | float) and 0 < value < LATEST else otherwise
