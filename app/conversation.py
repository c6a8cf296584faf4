"""A chat: its messages, the reply that is being written, and what the model is asked to read. Knows nothing of Qt."""

import time
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import uuid4

from app.chat_message import ChatMessage
from inference.events import Delta, Event, Failed, Finished, Piece, PromptProgress, Round, TurnsOmitted
from inference.messages import Message

TITLE_COLUMNS = 44  # a Chinese character takes two


@dataclass(frozen=True)
class Change:
    """What a batch of events did to the reply: text to append, the latest figures, and whether it ended."""

    pieces: tuple[Piece, ...] = ()
    prompt: PromptProgress | None = None
    round: Round | None = None
    omitted: int = 0
    ended: bool = False


class Conversation:
    def __init__(
        self, identifier: str = "", title: str = "", messages: Iterable[ChatMessage] = (), created: float | None = None
    ) -> None:
        self.id = identifier or uuid4().hex
        self.title = title
        self.created = time.time() if created is None else created
        self.messages = list(messages)
        self.run_id: str | None = None

    @property
    def reply(self) -> ChatMessage | None:
        """The message that is being written."""
        return self.messages[-1] if self.run_id is not None else None

    def index(self, message_id: str) -> int:
        """Position of a message. Raises KeyError."""
        for index, message in enumerate(self.messages):
            if message.id == message_id:
                return index
        raise KeyError(message_id)

    def ask(self, text: str) -> ChatMessage:
        """Add a question; the first one names the chat."""
        if self.run_id is not None:
            raise ValueError("a reply is being written")
        question = ChatMessage("user", text)
        self.messages.append(question)
        if not self.title:
            self.title = title_of(text)
        return question

    def begin_reply(self, run_id: str, model: str = "") -> ChatMessage:
        """Add an empty reply that grows by the events of `run_id`."""
        if self.run_id is not None:
            raise ValueError("a reply is being written")
        reply = ChatMessage("assistant", state="streaming", model=model)
        self.messages.append(reply)
        self.run_id = run_id
        return reply

    def apply(self, run_id: str, events: Sequence[Event]) -> Change:
        """Let the reply grow. Events of another run are dropped."""
        if run_id != self.run_id:
            return Change()
        reply = self.messages[-1]
        pieces: list[Piece] = []
        prompt: PromptProgress | None = None
        latest: Round | None = None
        omitted = 0
        for event in events:
            match event:
                case Delta(pieces=new):
                    pieces.extend(new)
                    for piece in new:
                        reply.append(piece)
                case PromptProgress():
                    prompt = event
                case Round():
                    latest = event
                    reply.statistics = event.reply
                case TurnsOmitted(messages=count):
                    omitted = count
                case Finished(reason=reason, statistics=statistics):
                    reply.state = "stopped" if reason == "cancelled" else "finished"
                    reply.finish_reason, reply.statistics = reason, statistics
                    self.run_id = None
                    break
                case Failed(message=message, remedy=remedy):
                    reply.state, reply.error = "failed", f"{message} {remedy}".strip()
                    self.run_id = None
                    break
        return Change(tuple(pieces), prompt, latest, omitted, ended=self.run_id is None)

    def abandon(self) -> None:
        """The program ends before the reply does: what was said stands."""
        if self.reply is not None:
            self.reply.state, self.reply.finish_reason = "stopped", "cancelled"
            self.run_id = None

    def regenerate(self, message_id: str) -> int:
        """Drop this reply and everything after it; return the position from which messages are gone."""
        if self.run_id is not None:
            raise ValueError("a reply is being written")
        position = self.index(message_id)
        if self.messages[position].role != "assistant":
            raise ValueError("only a reply can be regenerated")
        del self.messages[position:]
        return position

    def prompt(self, system_prompt: str) -> list[Message]:
        """What the model reads. Empty replies are left out; neighbours of one role become one, as templates demand."""
        turns = [Message("system", system_prompt.strip())] if system_prompt.strip() else []
        for message in self.messages:
            if not message.text:
                continue
            if turns and turns[-1].role == message.role:
                turns[-1] = Message(message.role, f"{turns[-1].content}\n\n{message.text}")
            else:
                turns.append(Message(message.role, message.text))
        return turns


def title_of(text: str) -> str:
    """The start of the first line that says something, cut where a word ends."""
    line = next((line for line in text.splitlines() if line.strip(" #*`>-\t")), "")
    words = " ".join(line.strip(" #*`>-\t").split())
    if _columns(words) <= TITLE_COLUMNS:
        return words
    cut = words
    while _columns(cut) > TITLE_COLUMNS - 1:
        cut = cut[:-1]
    head, _, _ = cut.rpartition(" ")
    return (head if _columns(head) > TITLE_COLUMNS // 2 else cut).rstrip(" ,;:.，。；：") + "…"


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
