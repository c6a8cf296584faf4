"""LM Studio's conversation files: messages with versions, replies in steps, and null wherever something is missing."""

from collections.abc import Iterator
from typing import Any

from app.chat_message import ChatMessage
from app.history import StoredChat
from app.importing.found import LATEST, Skipped, clean, stable_id, stored
from app.message_tree import ROOT
from inference.messages import Role

ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant"}


def chats_of(value: Any, where: str, now: float) -> Iterator[StoredChat | Skipped]:
    """One file."""
    made = value.get("createdAt")
    created = float(made) / 1000 if isinstance(made, int | float) and 0 < made < LATEST * 1000 else now
    title = str(value.get("name") or "")
    identifier = stable_id("lm studio", made or where)
    messages: list[ChatMessage] = []
    chosen: dict[str, str] = {}
    left_out: dict[str, int] = {}
    parent = ROOT
    for entry in value.get("messages") or []:
        versions = (entry or {}).get("versions") or []
        selected = (entry or {}).get("currentlySelected")
        added = []
        for place, version in enumerate(versions):
            message = _message(version or {}, identifier, parent, place, created=created, left_out=left_out)
            if message is not None:
                added.append((place, message))
        if not added:
            continue
        messages += [message for _, message in added]
        shown = next((message for place, message in added if place == selected), added[-1][1])
        chosen[parent] = shown.id
        parent = shown.id  # what follows belongs to the version that was shown
    if not messages:
        yield Skipped(where, "none of its messages has text")
        return
    system = str(value.get("systemPrompt") or "")
    pinned = bool(value.get("pinned"))
    yield stored(identifier, title, messages, chosen, created=created, updated=created, pinned=pinned, system=system)
    for what, count in left_out.items():
        yield Skipped(title or where, f"{count} × {what}")


def _message(
    version: dict[str, Any], chat: str, parent: str, place: int, *, created: float, left_out: dict[str, int]
) -> ChatMessage | None:
    role = ROLES.get(str(version.get("role")))
    if version.get("type") == "multiStep" or version.get("steps"):
        text = _steps(version.get("steps") or [], left_out)
    else:
        text = _content(version.get("content"), left_out)
    if role is None or not text.strip():
        if text.strip():
            left_out[f'message of "{str(version.get("role"))[:20]}"'] = 1
        return None
    model = str((version.get("senderInfo") or {}).get("senderName") or "") if role == "assistant" else ""
    identifier = stable_id(chat, parent, place, role, text)
    return ChatMessage(role, clean(text), identifier, parent=parent, created=created, model=model)


def _steps(steps: list[Any], left_out: dict[str, int]) -> str:
    """Blocks of content follow each other; those styled as thinking become the thought before the answer."""
    thoughts: list[str] = []
    answers: list[str] = []
    for step in filter(None, steps):
        text = _content(step.get("content"), left_out)
        if step.get("type") not in ("contentBlock", None) or not text.strip():
            continue
        thinking = (step.get("style") or {}).get("type") == "thinking"
        (thoughts if thinking else answers).append(text)
    answer = "".join(answers).strip()
    thought = "\n\n".join(_untagged(text) for text in thoughts)
    return f"<think>\n{thought}\n</think>\n\n{answer}" if thought else answer


def _untagged(text: str) -> str:
    return text.strip().removeprefix("<think>").removesuffix("</think>").strip()


def _content(content: Any, left_out: dict[str, int]) -> str:
    if isinstance(content, str):
        return content
    texts = []
    for part in filter(None, content or []):
        if isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif part.get("type") == "file":
            left_out["picture or file"] = left_out.get("picture or file", 0) + 1
    return "".join(texts)
