"""Between a message and its row in the table."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar

from app.attachments import Attachment
from app.chat_message import ChatMessage, Run
from app.course import packed, unpacked
from inference.events import Origin
from inference.settings import GenerationSettings, SamplingSettings, SpeculationSettings
from inference.statistics import ReplyStatistics

T = TypeVar("T")
U = TypeVar("U")

ORIGINS: tuple[Origin, ...] = ("plain", "accepted", "recovered", "bonus", "recalled")
READ = (
    "id, parent, role, text, attachments, runs, statistics, settings, thought_s, state, finish_reason, error, model,"
    " edited, created, course, chosen"
)
WRITTEN = (
    "id, conversation, parent, role, text, attachments, runs, statistics, settings, thought_s, state, finish_reason,"
    " error, model, edited, created, course"
)
CHANGING = (
    "text",
    "attachments",
    "runs",
    "statistics",
    "settings",
    "thought_s",
    "state",
    "finish_reason",
    "error",
    "course",
)


def values_of(conversation_id: str, message: ChatMessage) -> tuple[Any, ...]:
    """In the order of WRITTEN."""
    return (
        message.id,
        conversation_id,
        message.parent or None,
        message.role,
        message.text,
        packed_attachments(message.attachments),
        json.dumps([(run.length, ORIGINS.index(run.origin), run.round) for run in message.runs]),
        None if message.statistics is None else json.dumps(message.statistics.to_json()),
        None if message.settings is None else json.dumps(asdict(message.settings)),
        message.thought_s,
        message.state,
        message.finish_reason,
        message.error,
        message.model,
        int(message.edited),
        message.created,
        json.dumps(packed(message.course)) if message.course else None,
    )


def message_of(row: tuple[Any, ...]) -> ChatMessage:
    """From the columns of READ, `chosen` left aside."""
    identifier, parent, role, text, attachments, runs, statistics, settings = row[:8]
    thought_s, state, reason, error, model, edited, created, course, _ = row[8:]
    message = ChatMessage(
        role=role,
        text=text,
        id=identifier,
        state=state,
        finish_reason=reason,
        error=error,
        model=model,
        parent=parent or "",
        created=created,
        attachments=unpacked_attachments(attachments) if attachments != "[]" else (),
        thought_s=thought_s,
        edited=bool(edited),
    )
    return message.put_off(
        runs=lambda: whole(runs, _runs, []),
        statistics=lambda: whole(statistics, ReplyStatistics.from_json, None),
        settings=lambda: whole(settings, settings_from, None),
        course=lambda: whole(course, unpacked, []),
    )


def packed_attachments(attachments: tuple[Attachment, ...]) -> str:
    return json.dumps([(one.name, one.text) for one in attachments], ensure_ascii=False)


def unpacked_attachments(packed: str) -> tuple[Attachment, ...]:
    return whole(packed, lambda values: tuple(Attachment(name, text) for name, text in values), ())


def settings_from(values: dict[str, Any]) -> GenerationSettings:
    """What `asdict` made of it. Raises TypeError or ValueError for anything else."""
    return GenerationSettings(
        sampling=SamplingSettings(**values["sampling"]),
        speculation=SpeculationSettings(**values["speculation"]),
        max_tokens=values["max_tokens"],
        stop=tuple(values["stop"]),
    )


def whole(packed: str | None, make: Callable[[Any], T], otherwise: U) -> T | U:
    """Also `otherwise` where the file was damaged, or another version of Foreword knew what this one does not: a chat
    that can be read is worth more than a figure of it."""
    try:
        return otherwise if packed is None else make(json.loads(packed))
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return otherwise


def _runs(values: list[tuple[int, int, int]]) -> list[Run]:
    return [Run(length, ORIGINS[origin], round_index) for length, origin, round_index in values]
