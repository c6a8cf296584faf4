"""Markdown that grows. Blocks that no further text can change are sealed; only the open tail is read again."""

import re
from dataclasses import replace

from app.blocks import Block, Code, Prose
from app.markdown import Environment, line_starts, parse, parse_sections

_OPEN_FENCE = re.compile(r"(?:[ \t]*\n)*(`{3,}|~{3,})[^`\n\r]*\n")
_WORDS = re.compile(r"[^\n\r\t\0\x0b\x0c!#$%&*+<=>@\[\\\]^_`{}~|;()]+")
_UNUSUAL = re.compile(r"[\r\0]")  # the parser replaces these, so places in the text shift


class MarkdownStream:
    """The blocks of a text that arrives in pieces.

    CommonMark is read line by line and a closed block is never reopened, so a block is final as soon as the next one
    has begun. "Begun" needs two whole lines of that next one: whether `a | b` is a table shows on the second line.
    The items of a list at top level are sealed one by one likewise. A link reference defined after its use reaches
    back all the same, and a list indented in some odd way may; `finish` puts that right.
    """

    def __init__(self) -> None:
        self.text = ""
        self.blocks: list[Block] = []
        self.sealed = 0  # blocks[:sealed] will not change while the text grows
        self._sealed_at = 0  # where in the text the open tail begins
        self._number = 0  # of the list item the tail begins with
        self._definitions: Environment = {}
        self._fence = ""  # the marker of the open fence, when the tail is nothing but one
        self._body = 0  # and where its code begins

    def append(self, piece: str) -> None:
        if not piece:
            return
        before = len(self.text)
        self.text += piece
        if not (self._grow_fence(before) or self._grow_words(before)):
            self._read_tail()

    def finish(self) -> bool:
        """Compare with reading the whole at once, and take that. True if it made a difference."""
        whole = parse(self.text)
        differs = whole != self.blocks
        self.blocks = whole
        self.sealed = len(whole)
        return differs

    def _read_tail(self) -> None:
        tail = self.text[self._sealed_at :]
        env = _copy(self._definitions)
        sections = parse_sections(tail, self._sealed_at, env, self._number)
        lines = line_starts(tail)
        sealed = 0  # sections
        for number, following in enumerate(sections[1:], start=1):
            if following.first_line + 1 < lines.complete:
                sealed = number
        self.blocks[self.sealed :] = [block for section in sections for block in section.blocks]
        if sealed:
            end = lines.offsets[sections[sealed - 1].last_line]
            if env != self._definitions:
                parse_sections(tail[:end], self._sealed_at, self._definitions)
            self._sealed_at += end
            self._number = sections[sealed].number
            self.sealed += sum(len(section.blocks) for section in sections[:sealed])
        opened = _OPEN_FENCE.match(self.text, self._sealed_at)
        alone = len(sections) - sealed == 1 and not _UNUSUAL.search(tail)
        if opened and alone and not _may_close(self.text, opened[1], opened.end()):
            self._fence, self._body = opened[1], opened.end()

    def _grow_fence(self, before: int) -> bool:
        """Lines of code in an open fence need no parser, unless one of them may close it."""
        if not self._fence:
            return False
        line = self.text.rfind("\n", 0, before) + 1
        if _UNUSUAL.search(self.text, before) or _may_close(self.text, self._fence, line):
            self._fence = ""
            return False
        block = self.blocks[-1]
        assert isinstance(block, Code)
        end = len(self.text.rstrip(" \t"))
        end = end if self.text[end - 1] == "\n" else len(self.text)  # an unfinished line of blanks does not count yet
        code = self.text[self._body : end].removesuffix("\n")
        last = block.starts[-1] if block.starts else self._body
        offsets = line_starts(self.text[last:end].removesuffix("\n")).offsets
        starts = (*block.starts[:-1], *(last + offset for offset in offsets)) if code else ()
        self.blocks[-1] = replace(block, text=code, starts=starts)
        return True

    def _grow_words(self, before: int) -> bool:
        """Words at the end of a paragraph need no parser either: nothing in them, or next to them, is Markdown."""
        block = self.blocks[-1] if self.blocks else None
        if not isinstance(block, Prose) or block.level or not block.spans:
            return False
        last, first = block.spans[-1], block.spans[0]
        end = last.start + len(last.text)
        line = self.text[max(self.text.rfind("\n", 0, before), self.text.rfind("\r", 0, before)) + 1 : before]
        if (
            last.start < 0
            or last.code
            or last.link
            or "://" in line + self.text[before:]  # an address may have begun
            or first.text.startswith("[")  # may turn out to define a link
            or not _WORDS.fullmatch(self.text, before - 1)
            or not any(character.isalpha() for character in line)  # "1" may turn out to be a list
            or self.text[end:before].strip(" ")
        ):
            return False
        grown = replace(last, text=last.text + self.text[end:].rstrip(" "))
        self.blocks[-1] = replace(block, spans=(*block.spans[:-1], grown))
        return True


def _may_close(text: str, marker: str, start: int) -> bool:
    """Whether any line from `start` on could end the fence. Too careful is fine: then the tail is read again."""
    return any(line.lstrip(" \t").startswith(marker) for line in text[start:].split("\n"))


def _copy(definitions: Environment) -> Environment:
    return {"references": dict(definitions["references"])} if "references" in definitions else {}
