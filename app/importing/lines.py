"""Chats that are a plain line of messages: ShareGPT, and OpenAI's `messages`."""

from collections.abc import Iterator
from typing import Any

from app.history import StoredChat
from app.importing.found import Skipped, line_of_messages, stable_id, stored
from inference.messages import Role

SPEAKERS: dict[str, Role] = {
    **dict.fromkeys(("human", "user", "prompter"), "user"),
    **dict.fromkeys(("gpt", "assistant", "chatgpt", "model", "bot", "bing", "bard", "claude"), "assistant"),
    **dict.fromkeys(("system", "developer"), "system"),
}


def sharegpt(value: Any, where: str, now: float) -> Iterator[StoredChat | Skipped]:
    """{"id": ..., "conversations": [{"from": "human", "value": "..."}, ...]}; `items` in older files."""
    turns = value.get("conversations") or value.get("items")
    yield from _chat("sharegpt", value, turns, ("from", "value"), where=where, now=now)


def openai(value: Any, where: str, now: float) -> Iterator[StoredChat | Skipped]:
    """{"messages": [{"role": "user", "content": "..." or [{"type": "text", "text": "..."}]}, ...]}"""
    yield from _chat("openai", value, value.get("messages"), ("role", "content"), where=where, now=now)


def _chat(
    form: str, value: Any, found: Any, keys: tuple[str, str], *, where: str, now: float
) -> Iterator[StoredChat | Skipped]:
    if not isinstance(found, list):
        yield Skipped(where, "it has no messages")
        return
    turns: list[tuple[Role, str]] = []
    strangers: dict[str, int] = {}
    for turn in found:
        speaker, text = (turn.get(keys[0]), _text(turn.get(keys[1]))) if isinstance(turn, dict) else (None, "")
        role = SPEAKERS.get(str(speaker).lower())
        if role is None or not text.strip():
            strangers[_why(role, speaker)] = strangers.get(_why(role, speaker), 0) + 1
            continue
        turns.append((role, text))
    if not any(role != "system" for role, _ in turns):
        yield Skipped(where, "none of its messages has text")
        return
    # Where the file has no name for a chat, its content is its name.
    identifier = stable_id(form, value.get("id")) if value.get("id") else stable_id(form, *map("\0".join, turns))
    messages, system = line_of_messages(identifier, turns, now)
    title = str(value.get("title") or "")
    yield stored(identifier, title, messages, {}, created=now, updated=now, system=system)
    for why, count in strangers.items():
        yield Skipped(title or where, f"{count} × {why}")


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type", "text") == "text"]
    return "\n\n".join(text for text in texts if isinstance(text, str))


def _why(role: Role | None, speaker: Any) -> str:
    return "message without text" if role is not None else f'message of "{str(speaker)[:20]}"'
