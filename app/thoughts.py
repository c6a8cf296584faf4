"""Where a reply thinks and where it answers. A thought stands at the beginning, between <think> and </think>."""

import re
from dataclasses import dataclass

_OPENS = re.compile(r"\s*<(think|thinking)>\n?")
_CLOSES = re.compile(r"\n?</(think|thinking)>\s*")
_CLOSES_ALONE = re.compile(r"\n</(think|thinking)>[ \t]*(\n\s*|$)")  # on a line of its own, so nobody talks about it
_UNFINISHED = re.compile(r"\s*<(t(h(i(n(k(i(n(g)?)?)?)?)?)?)?)?$")  # a tag that is still being written


@dataclass(frozen=True)
class Thought:
    """Characters [start, end) of a reply are the thought, those from `answer` on what it says. No thought: all 0."""

    start: int = 0
    end: int = 0
    answer: int = 0
    open: bool = False  # it still thinks


NONE = Thought()


def thought_of(text: str) -> Thought:
    """Also of a reply whose template opened the thought, so that only its end can be seen."""
    opened = _OPENS.match(text)
    closed = _CLOSES.search(text, opened.end()) if opened else _CLOSES_ALONE.search(text)
    if opened is None and closed is None:
        return Thought(0, 0, len(text), open=True) if _UNFINISHED.fullmatch(text) else NONE
    start = opened.end() if opened else 0
    if closed is None:
        return Thought(start, len(text), len(text), open=True)
    return Thought(start, closed.start(), closed.end())


def answer_of(text: str) -> str:
    """The reply without its thought: what is sent back to the model."""
    return text[thought_of(text).answer :]


def read_of(text: str) -> str:
    """Thought and answer as they are read: without what sets them apart."""
    thought = thought_of(text)
    parts = (text[thought.start : thought.end], text[thought.answer :])
    return "\n".join(part for part in parts if part)
