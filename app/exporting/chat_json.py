"""A chat as JSON and back, with nothing lost: every version, token run, figure and setting.

    {"format": "foreword-chats", "version": 1, "chats": [{...}, ...]}

Times are seconds since 1970. A chat's messages come parents first; `parent` and `chosen` are described in
`app.message_tree`. A run is [characters, origin, round].
"""

from dataclasses import asdict
from typing import Any

from app.attachments import Attachment
from app.chat_message import ChatMessage, Run
from app.course import packed, unpacked
from app.history import ConversationRow, Folder, StoredChat
from app.message_rows import settings_from
from app.message_tree import ROOT
from inference.messages import Message
from inference.statistics import ReplyStatistics

FORMAT, VERSION = "foreword-chats", 1
ORIGINS = ("plain", "accepted", "recovered", "bonus", "recalled")
STATES = ("finished", "stopped", "failed")
LATEST = 1e11  # seconds since 1970
REASONS = (None, "end", "stop_string", "length", "context", "cancelled")


def chat_to_json(chat: StoredChat, folder: Folder | None) -> dict[str, Any]:
    row = chat.row
    return {
        "id": row.id,
        "title": row.title,
        "named": row.named,
        "created": row.created,
        "updated": row.updated,
        "pinned": row.pinned,
        "private": row.private,
        "folder": None if folder is None else {"id": folder.id, "name": folder.name},
        "preset": chat.preset,
        "overrides": dict(chat.overrides),
        "chosen": dict(chat.chosen),
        "messages": [_message_to_json(message) for message in chat.messages],
    }


def chat_from_json(values: dict[str, Any]) -> tuple[StoredChat, Folder | None]:
    """Raises KeyError, TypeError or ValueError for anything that `chat_to_json` would not write."""
    folder = values["folder"] and Folder(_text(values["folder"]["id"]), _text(values["folder"]["name"]))
    row = ConversationRow(
        id=_text(values["id"]),
        title=_text(values["title"]),
        created=_time(values["created"]),
        updated=_time(values["updated"]),
        pinned=bool(values["pinned"]),
        folder=folder.id if folder else "",
        named=_one_of(values["named"], ("words", "model", "person")),
        private=bool(values.get("private")),  # older files do not say
    )
    messages = [_message_from_json(message) for message in values["messages"]]
    before = {ROOT}
    for message in messages:
        if message.parent not in before or message.id in before:
            raise ValueError(f"message {message.id} follows none before it")
        before.add(message.id)
    chosen = {_text(parent): _text(child) for parent, child in values["chosen"].items()}
    chosen = {parent: child for parent, child in chosen.items() if parent in before and child in before}
    return StoredChat(row, messages, chosen, _text(values["preset"]), dict(values["overrides"])), folder or None


def _message_to_json(message: ChatMessage) -> dict[str, Any]:
    return {
        "id": message.id,
        "parent": message.parent,
        "role": message.role,
        "text": message.text,
        "attachments": [asdict(attachment) for attachment in message.attachments],
        "created": message.created,
        "state": message.state,
        "finish_reason": message.finish_reason,
        "error": message.error,
        "model": message.model,
        "edited": message.edited,
        "thought_s": message.thought_s,
        "runs": [[run.length, run.origin, run.round] for run in message.runs],
        "statistics": None if message.statistics is None else message.statistics.to_json(),
        "settings": None if message.settings is None else asdict(message.settings),
        "course": packed(message.course),
    }


def _message_from_json(values: dict[str, Any]) -> ChatMessage:
    state = values["state"]
    thought_s = values["thought_s"]
    return ChatMessage(
        role=Message(values["role"], _text(values["text"])).role,
        text=values["text"],
        id=_text(values["id"]),
        state=_one_of("stopped" if state == "streaming" else state, STATES),
        runs=[Run(int(length), _one_of(origin, ORIGINS), int(number)) for length, origin, number in values["runs"]],
        statistics=None if values["statistics"] is None else ReplyStatistics.from_json(values["statistics"]),
        finish_reason=_one_of(values["finish_reason"], REASONS),
        error=_text(values["error"]),
        model=_text(values["model"]),
        parent=_text(values["parent"]),
        created=_time(values["created"]),
        attachments=tuple(Attachment(_text(one["name"]), _text(one["text"])) for one in values["attachments"]),
        thought_s=None if thought_s is None else float(thought_s),
        settings=None if values["settings"] is None else settings_from(values["settings"]),
        edited=bool(values["edited"]),
        course=unpacked(values.get("course", [])),  # files of earlier versions have none
    )


def _time(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < LATEST:
        raise ValueError(f"{value!r} is no time")
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def _one_of(value: Any, known: tuple[Any, ...]) -> Any:
    if value not in known:
        raise ValueError(f"{value!r} is not one of {known}")
    return value
