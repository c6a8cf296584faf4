"""A chat: its messages, the reply that is being written, and what the model is asked to read. Knows nothing of Qt."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from app.attachments import Attachment, with_attachments
from app.chat_message import ChatMessage, Run, State
from app.course import Moment, with_moment
from app.message_tree import MessageTree, Removal
from app.thoughts import answer_of, thought_of
from app.titles import title_of
from inference.events import (
    Delta,
    Event,
    Failed,
    Finished,
    Piece,
    PromptProgress,
    Round,
    TaskChanged,
    ThoughtOpened,
    TurnsOmitted,
)
from inference.ladder import MemoryStep
from inference.messages import Message
from inference.settings import GenerationSettings
from inference.statistics import ReplyStatistics

THOUGHT_MARK = "<think>\n"  # of a thought that the template opened


@dataclass(frozen=True)
class Change:
    """What a batch of events did to the reply: text to append, the latest figures, and whether it ended."""

    pieces: tuple[Piece, ...] = ()
    prompt: PromptProgress | None = None
    round: Round | None = None
    omitted: int = 0
    ended: bool = False
    switches: tuple[TaskChanged, ...] = ()
    memory: tuple[MemoryStep, ...] = ()  # what was given up because memory ran out


class Conversation:
    """`tree` holds every version of every message, `messages` those that are shown.

    overrides: settings that hold in this chat only, by name; preset: the name of the preset they come from.
    """

    def __init__(
        self, identifier: str = "", title: str = "", messages: Iterable[ChatMessage] = (), created: float | None = None
    ) -> None:
        self.id = identifier or uuid4().hex
        self.title = title
        self.created = time.time() if created is None else created
        self.tree = MessageTree(messages)
        self.preset = ""
        self.overrides: dict[str, Any] = {}
        self.run_id: str | None = None
        self.reply: ChatMessage | None = None  # that is being written
        self._thinking_since: float | None = None
        # Of a reply that is continued: how long it was, and its settings, course and statistics.
        self._before: tuple[int, GenerationSettings | None, list[Moment], ReplyStatistics | None] | None = None

    @property
    def messages(self) -> list[ChatMessage]:
        return self.tree.path

    def index(self, message_id: str) -> int:
        """Place of a message among those that are shown. Raises KeyError."""
        for index, message in enumerate(self.messages):
            if message.id == message_id:
                return index
        raise KeyError(message_id)

    def ask(self, text: str, attachments: Sequence[Attachment] = ()) -> ChatMessage:
        """Add a question; the first one names the chat."""
        self._must_rest()
        question = ChatMessage("user", text, attachments=tuple(attachments))
        self.tree.add(question, self._last())
        if not self.title:
            self.title = title_of(text) or (attachments[0].name if attachments else "")
        return question

    def begin_reply(
        self, run_id: str, model: str = "", settings: GenerationSettings | None = None, instead: str = ""
    ) -> ChatMessage:
        """Add an empty reply that grows by the events of `run_id`; `instead`: as another version of this one."""
        self._must_rest()
        if instead and self.tree[instead].role != "assistant":
            raise ValueError("only a reply can be written again")
        self._before = None
        reply = ChatMessage("assistant", state="streaming", model=model, settings=settings)
        self.tree.add(reply, self.tree[instead].parent if instead else self._last())
        self._begin(run_id, reply)
        return reply

    def continue_reply(self, run_id: str, settings: GenerationSettings | None = None) -> ChatMessage:
        """Let the last message, a reply, go on growing by the events of `run_id`."""
        self._must_rest()
        if not self.can_continue:
            raise ValueError("only a reply at the end can be continued")
        reply = self.messages[-1]
        reply.state, reply.finish_reason, reply.error = "streaming", None, ""
        if unknown := len(reply.text) - sum(run.length for run in reply.runs):  # a person wrote it, or another program
            reply.runs.append(Run(unknown, "plain", 0))
        self._before = len(reply.text), reply.settings, reply.course, reply.statistics
        reply.settings, reply.course = settings, []
        self._begin(run_id, reply)
        return reply

    @property
    def can_continue(self) -> bool:
        last = self.messages[-1] if self.messages else None
        return last is not None and last.role == "assistant" and bool(last.text) and self.run_id is None

    def edit(self, message_id: str, text: str) -> ChatMessage:
        """A new version with other words; what followed the old one stays with it."""
        self._must_rest()
        old = self.tree[message_id]
        new = ChatMessage(old.role, text, attachments=old.attachments, model=old.model, edited=True)
        self.tree.add(new, old.parent)
        return new

    def remove(self, message_id: str) -> Removal:
        self._must_rest()
        return self.tree.remove(message_id)

    def restore(self, removal: Removal) -> None:
        """Put it back, and show it: another version of what it follows may have been chosen since."""
        self._must_rest()
        self.tree.restore(removal)
        self.tree.show(removal.messages[0].id)

    def show_version(self, message_id: str, step: int) -> str:
        """Show the version `step` places further on; its id."""
        self._must_rest()
        versions = self.tree.versions(message_id)
        place = max(0, min(len(versions) - 1, versions.index(message_id) + step))
        self.tree.show(versions[place])
        return versions[place]

    def fork(self, message_id: str) -> "Conversation":
        """Another chat that begins with the messages up to this one."""
        other = Conversation(title=self.title, messages=self.tree.copy_of_path(message_id))
        other.preset, other.overrides = self.preset, dict(self.overrides)
        return other

    def apply(self, run_id: str, events: Sequence[Event], clock: Callable[[], float] = time.monotonic) -> Change:
        """Let the reply grow. Events of another run are dropped. clock: in seconds, for how long it thinks."""
        reply = self.reply
        if run_id != self.run_id or reply is None:
            return Change()
        pieces: list[Piece] = []
        prompt: PromptProgress | None = None
        latest: Round | None = None
        omitted = 0
        switches = [event for event in events if isinstance(event, TaskChanged)]
        memory = tuple(event for event in events if isinstance(event, MemoryStep))
        for event in events:
            match event:
                case Delta(pieces=new):
                    pieces.extend(new)
                    for piece in new:
                        reply.append(piece)
                case ThoughtOpened():
                    pieces.append(Piece(THOUGHT_MARK, "plain", 0))
                    reply.append(pieces[-1])
                case PromptProgress():
                    prompt = event
                case Round():
                    latest = event
                    reply.statistics = event.reply
                    moment = Moment(event.reply.reply_tokens, event.tokens_per_second, event.acceptance_rate)
                    reply.course = with_moment(reply.course, moment)
                case TurnsOmitted(messages=count):
                    omitted = count
                case Finished(reason=reason, statistics=statistics):
                    self._end("stopped" if reason == "cancelled" else "finished")
                    reply.finish_reason, reply.statistics = reason, statistics
                    self._keep_figures(reply)
                    break
                case Failed(message=message, remedy=remedy):
                    self._end("failed")
                    reply.error = f"{message} {remedy}".strip()
                    break
        if pieces:
            self._time_thought(reply, clock())
        ended = self.run_id is None
        return Change(tuple(pieces), prompt, latest, omitted, ended=ended, switches=tuple(switches), memory=memory)

    def _keep_figures(self, reply: ChatMessage) -> None:
        """A reply that was continued and had nothing more to say was made as before."""
        if self._before is not None and self._before[0] == len(reply.text) and self._before[3] is not None:
            _, reply.settings, reply.course, reply.statistics = self._before

    def abandon(self) -> None:
        """The program ends before the reply does: what was said stands."""
        if self.reply is not None:
            self.reply.finish_reason = "cancelled"
            self._end("stopped")

    def prompt(self, system_prompt: str, instead: str = "", continuing: bool = False) -> list[Message]:
        """What the model reads. instead: up to this reply, which is written again; continuing: the last one goes on.

        Empty replies and thoughts are left out, but for the thought of a reply that is continued. Neighbours of one
        role become one, as templates demand.
        """
        messages = self.messages[: self.index(instead)] if instead else self.messages
        turns = [Message("system", system_prompt.strip())] if system_prompt.strip() else []
        for message in messages:
            content = with_attachments(message.text, message.attachments)
            if message.role == "assistant" and not (continuing and message is messages[-1]):
                content = answer_of(content)
            if not content:
                continue
            if turns and turns[-1].role == message.role:
                turns[-1] = Message(message.role, f"{turns[-1].content}\n\n{content}")
            else:
                turns.append(Message(message.role, content))
        return turns

    def _last(self) -> str:
        return self.messages[-1].id if self.messages else ""

    def _must_rest(self) -> None:
        if self.run_id is not None:
            raise ValueError("a reply is being written")

    def _begin(self, run_id: str, reply: ChatMessage) -> None:
        self.run_id, self.reply, self._thinking_since = run_id, reply, None

    def _end(self, state: State) -> None:
        assert self.reply is not None
        self.reply.state = state
        self.run_id = self.reply = None

    def _time_thought(self, reply: ChatMessage, now: float) -> None:
        thought = thought_of(reply.text)
        if not thought.answer:
            return
        if self._thinking_since is None and reply.thought_s is None:
            self._thinking_since = now
        if self._thinking_since is not None:
            reply.thought_s = now - self._thinking_since
            if not thought.open:
                self._thinking_since = None
