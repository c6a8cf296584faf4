"""From messages to the tokens a model reads: its own chat template, or a plain one where it has none.

What templates cannot do is done before: neighbours of one role are merged, a system prompt goes into the first question
where the template has no place for one, and a conversation that opens with a greeting gets an empty question before it.

Control tokens written by a person ("<|im_end|>" in a question) stay text. Every occurrence in a message gets a mark
inside it before the template runs, and the rendered text is tokenized in parts, cut at the marks. A conversation
without such words has no marks, so its tokens are exactly those of the rendered text as a whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from inference.errors import UserError
from inference.messages import Message
from inference.template_sandbox import TemplateSandbox

if TYPE_CHECKING:
    from inference.tokenizer import Tokenizer

# Headings that base models know from instruction texts. Each turn ends with a blank line.
PLAIN_TEMPLATE = (
    "{% for message in messages %}"
    "{% if message.role != 'system' %}{{ '### ' + message.role | capitalize + ':\n' }}{% endif %}"
    "{{ message.content + '\n\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '### Assistant:\n' }}{% endif %}"
)
PLAIN_STOP_STRINGS = ("\n\n### User:", "\n### User:", "\n\n### Assistant:", "\n### Assistant:")

_THOUGHTS = ("<think>", "<thinking>")
# Used only where a template does not show what follows an assistant's words.
_ENDS_OF_TURN = ("<|im_end|>", "<|eot_id|>", "<end_of_turn>", "<|end|>", "<|end_of_text|>", "</s>")
_PROBE = "Foreword7481"  # a word no template writes, and none changes


def render(tokenizer: "Tokenizer", messages: Sequence[Message], continue_last: bool = False) -> list[int]:
    """The tokens of a prompt, ready for generation.

    continue_last: the last message is the assistant's and goes on where it stops. Raises UserError when the template
    fails.
    """
    written = "".join(message.content for message in messages)
    mark = unused_character(written)
    marked = [replace(message, content=tokenizer.mark_control_tokens(message.content, mark)) for message in messages]
    tokens = tokenizer.encode_marked(tokenizer.template.prompt(marked, continue_last), mark)
    return [*tokenizer.opening_tokens, *tokens] if tokenizer.template.plain else tokens


def starts_in_thought(tokenizer: "Tokenizer", messages: Sequence[Message]) -> bool:
    """Whether the template itself opens `<think>`, so that the reply starts inside the thought.

    False when an assistant's message is to be continued: what was shown of it says where it stands.
    """
    if messages and messages[-1].role == "assistant":
        return False
    return opens_thought(tokenizer.template.prompt([*messages, Message("user", _PROBE)]))


def plain_stop_strings(tokenizer: "Tokenizer") -> tuple[str, ...]:
    """Stop strings a reply needs because no end token ends a turn of the plain template; () with a real template."""
    return PLAIN_STOP_STRINGS if tokenizer.template.plain else ()


def opens_thought(prompt: str) -> bool:
    return prompt.rstrip().endswith(_THOUGHTS)


def unused_character(text: str) -> str:
    """A private-use character that does not occur in `text`."""
    return next(mark for mark in map(chr, range(0xF0000, 0xFFFFE)) if mark not in text)


def normalized(messages: Sequence[Message], system_role: bool) -> list[Message]:
    """The same words as one optional system message and then turns whose neighbours differ in role.

    System messages elsewhere than at the start, or anywhere when `system_role` is false, join the next question.
    """
    result: list[Message] = []
    waiting: list[str] = []  # system text for the next question

    def add(message: Message) -> None:
        if result and result[-1].role == message.role:
            message = replace(message, content=_joined(result.pop().content, message.content))
        result.append(message)

    for message in messages:
        match message.role:
            case "system" if not message.content.strip():
                continue
            case "system" if system_role and all(earlier.role == "system" for earlier in result):
                add(message)
            case "system":
                waiting.append(message.content)
            case "user":
                add(replace(message, content=_joined(*waiting, message.content)))
                waiting.clear()
            case "assistant":
                add(message)
    if waiting:
        add(Message("user", _joined(*waiting)))
    return result


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)


class ChatTemplate:
    """A template and what it can do. source None: the plain template. variables: bos_token and its like, by name."""

    def __init__(self, source: str | None, variables: Mapping[str, str]) -> None:
        self.source = source
        self._variables = dict(variables)

    @property
    def plain(self) -> bool:
        return self.source is None

    def prompt(self, messages: Sequence[Message], continue_last: bool = False) -> str:
        """Text up to where the assistant speaks, or up to the end of the assistant's last message."""
        turns = normalized(messages, self._has_system_role)
        if not (continue_last and turns and turns[-1].role == "assistant"):
            return self._text(turns, reply=True)
        *before, last = turns
        before = before or [Message("user", "")]
        # What the model had read when it began this message; so a thought the template opened stays open.
        opened = self._text(before, reply=True)
        placed = self._text([*before, replace(last, content=_PROBE)], reply=False).rpartition(_PROBE)[0]
        if placed.startswith(opened) and placed[len(opened) :].isspace():
            opened = placed  # a template that writes a space before the assistant's words
        content = last.content
        if opens_thought(opened):
            for thought in _THOUGHTS:
                if content.lstrip().startswith(thought):
                    content = content.lstrip().removeprefix(thought).removeprefix("\n")
        return opened + content

    def end_of_turn(self, special_tokens: Sequence[str]) -> str | None:
        """The special token that stands right after an assistant's words. None with the plain template."""
        if self.source is None:
            return None
        try:
            text = self._text([Message("user", "?"), Message("assistant", _PROBE)], reply=False)
        except UserError:
            text = ""
        tail = text.rpartition(_PROBE)[2].lstrip()
        found = [token for token in special_tokens if token and tail.startswith(token)]
        known = [token for token in _ENDS_OF_TURN if token in special_tokens and token in self.source]
        return max(found, key=len) if found else next(iter(known), None)

    @cached_property
    def _sandbox(self) -> TemplateSandbox:
        return TemplateSandbox(PLAIN_TEMPLATE if self.source is None else self.source)

    @cached_property
    def _has_system_role(self) -> bool:
        return self._shows(Message("system", _PROBE), Message("user", "?"))

    @cached_property
    def _takes_greeting(self) -> bool:
        return self._shows(Message("assistant", _PROBE), Message("user", "?"))

    @cached_property
    def _content_in_parts(self) -> bool:
        """Some multimodal templates read a message's content as a list of typed parts and nothing else."""
        question = Message("user", _PROBE)
        if _PROBE in self._rendered([question], reply=True, in_parts=False):
            return False
        if _PROBE in self._rendered([question], reply=True, in_parts=True):
            return True
        raise UserError("The model's chat template leaves out what you say.", "Choose another model.")

    def _shows(self, *turns: Message) -> bool:
        try:
            return _PROBE in self._rendered(turns, reply=True, in_parts=self._content_in_parts)
        except UserError:
            return False

    def _text(self, turns: Sequence[Message], reply: bool) -> str:
        first = next((turn.role for turn in turns if turn.role != "system"), "user")
        if first == "assistant" and not self._takes_greeting:
            place = sum(turn.role == "system" for turn in turns)
            turns = [*turns[:place], Message("user", ""), *turns[place:]]
        return self._rendered(turns, reply, self._content_in_parts)

    def _rendered(self, turns: Sequence[Message], reply: bool, in_parts: bool) -> str:
        messages: list[dict[str, Any]] = [
            {"role": turn.role, "content": [{"type": "text", "text": turn.content}] if in_parts else turn.content}
            for turn in turns
        ]
        return self._sandbox.render(
            {**self._variables, "messages": messages, "tools": None, "documents": None, "add_generation_prompt": reply}
        )
