"""Finding words in a chat as it is read: without the signs of Markdown, in code and tables too."""

import re
from collections.abc import Iterator, Sequence

from app.blocks import Block, Code, Formula, Prose, Table
from app.chat_message import ChatMessage
from app.markdown import parse, parse_plain
from app.thoughts import thought_of

Pattern = re.Pattern[str]

_SIGNS = re.compile(r"[*_~`\\]+")  # may stand between letters that are read side by side


def pattern_of(words: str) -> Pattern | None:
    """What is looked for: upper or lower case, any blanks where `words` has some; None for nothing."""
    parts = [re.escape(part) for part in words.split()]
    return re.compile(r"\s+".join(parts), re.IGNORECASE) if parts else None


def stretches_of(block: Block) -> Iterator[str]:
    """The text of a block as its surfaces show it."""
    match block:
        case Prose():
            yield "".join(span.shown for span in block.spans)
        case Formula(span=span):
            yield span.shown
        case Code(text=text):
            yield text
        case Table(rows=rows):
            yield "\n".join("".join(span.shown for span in cell) for row in rows for cell in row)


class Finder:
    """Counts the hits in each message of a chat; remembers what it has read, so that other words are quick."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {}

    def forget(self) -> None:
        self._read.clear()

    def hits(self, message: ChatMessage, pattern: Pattern) -> int:
        return self.hits_in_thought(message, pattern) + _count(self._texts(message, pattern)[1], pattern)

    def hits_in_thought(self, message: ChatMessage, pattern: Pattern) -> int:
        return _count(self._texts(message, pattern)[0], pattern)

    def _texts(self, message: ChatMessage, pattern: Pattern) -> tuple[Sequence[str], Sequence[str]]:
        """Of the thought and of the answer. Nothing is parsed that cannot have a hit."""
        text = message.text
        known = self._read.get(message.id)
        if known is not None and known[0] == text:
            return known[1:]
        if "&" not in text and not pattern.search(text) and not pattern.search(_SIGNS.sub("", text)):
            return (), ()
        if message.role == "assistant":
            split = thought_of(text)
            thought, answer = parse(text[split.start : split.end]), parse(text[split.answer :])
        else:
            thought, answer = [], parse_plain(text)
        read = text, _texts(thought), _texts(answer)
        self._read[message.id] = read
        return read[1:]


def _texts(blocks: Sequence[Block]) -> tuple[str, ...]:
    return tuple(text for block in blocks for text in stretches_of(block))


def _count(texts: Sequence[str], pattern: Pattern) -> int:
    return sum(1 for text in texts for _ in pattern.finditer(text))
