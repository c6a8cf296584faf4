"""What is being written now, code or prose: first from the request, then from the reply as it grows.

Inside a fenced code block (CommonMark 0.31, section 4.5) it is code from its first line, outside it is prose. A reply
that is code without a fence is known by its first lines; one line is enough where the request asks for code.
"""

import re
from typing import Literal

from inference.task_words import (
    ASK,
    CODE_END,
    CODE_THING,
    CODE_VERB,
    HOW_TO,
    INDENT,
    LANGUAGE,
    MAKE,
    ONLY_CODE,
    ONLY_PROSE,
    OPENING,
    PROSE_THING,
    REMARK,
)

Task = Literal["code", "prose"]
TaskChoice = Literal["automatic", "code", "prose"]
TASKS: tuple[Task, ...] = ("code", "prose")

INSTRUCTION = 600  # characters from each end of a long request that are looked at: what is wanted stands first or last
FENCE = re.compile(r"[ \t]*(?:(?:[-*+>]|\d+[.)])[ \t]+)*(?P<marks>`{3,}|~{3,})(?P<info>.*)")
BLOCK = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
CLAUSE_END = re.compile(r"[，。；？！,;?!\n]")
LATE_LINES = 2  # lines in a row that must look like code where nothing else speaks for it
LONGEST_LINE = 400  # characters of a line that are looked at


def task_of_request(text: str) -> Task:
    """What most of a good reply to `text` will be. Prose unless something speaks for code."""
    given = BLOCK.search(text) is not None
    words = BLOCK.sub("\n", text).strip()
    if len(words) > 2 * INSTRUCTION:
        words = f"{words[:INSTRUCTION]}\n{words[-INSTRUCTION:]}"
    if ONLY_PROSE.search(words):
        return "prose"
    if ONLY_CODE.search(words):
        return "code"
    if OPENING.match(words):
        return "code"  # code alone, to be gone on with
    given = given or CODE_INSIDE.search(words) is not None
    make, ask = min(_first(MAKE, words), _first(CODE_VERB, words)), _first(ASK, words)
    code = min(_first(CODE_VERB, words), _first(CODE_THING, words), _first(LANGUAGE, words))
    prose = _first(PROSE_THING, words)
    if code == 0 < len(words) and not words.rstrip().endswith(("?", "？")):
        wanted = True  # "SQL for ..."
    elif ask <= make < len(words) or ask < make:
        wanted = bool(HOW_TO.match(words, ask)) and bool(LANGUAGE.search(words)) and prose == len(words)
    elif make < len(words):
        wanted = _head(words[make:], code < prose or (given and prose == len(words)))
        if words[make:].lower().startswith(("translate", "翻译")):
            wanted = given
    else:
        wanted = code < prose
    return "code" if wanted else "prose"


CODE_INSIDE = re.compile(r"\bdef \w+\(|\w+\([^)]*\)\s*[{:]|[{};]\s*$|=>|</\w+>|#include", re.MULTILINE)


def _head(words: str, otherwise: bool) -> bool:
    """Whether the thing to be made is code. What is made stands last in Chinese, behind its attributes."""
    thing = CLAUSE_END.split(words, maxsplit=1)[0].rpartition("的")[2]
    if thing == words or not thing:
        return otherwise
    code, prose = CODE_THING.search(thing) or LANGUAGE.search(thing), PROSE_THING.search(thing)
    return bool(code) if bool(code) != bool(prose) else otherwise


def _first(words: re.Pattern[str], text: str) -> int:
    """Where the first of them stands; the end of the text when none does."""
    found = words.search(text)
    return found.start() if found else len(text)


def looks_like_code(line: str) -> bool:
    """Whether a line that stands in no fence is of a kind that no sentence is."""
    return bool(OPENING.match(line) or CODE_END.search(line))


class TaskTracker:
    """The task of a reply as it grows. A pinned one stays."""

    def __init__(self, request: str, pinned: TaskChoice = "automatic") -> None:
        self.task: Task = "prose" if pinned == "automatic" else pinned
        self._pinned = pinned != "automatic"
        self._code_wanted = not self._pinned and task_of_request(request) == "code"
        self._fence = ""  # the marks that opened the block we are in
        self._line = ""
        self._in_a_row = 0  # lines that looked like code, outside a fence
        self._blank = False  # the line before was empty

    def feed(self, text: str) -> bool:
        """The reply goes on with `text`. Returns whether the task is another one now."""
        if self._pinned:
            return False
        before = self.task
        *lines, rest = (self._line + text).split("\n")
        for line in lines:
            self._take(line.rstrip("\r")[:LONGEST_LINE])
        self._line = rest if len(rest) <= LONGEST_LINE else rest[:LONGEST_LINE]
        if rest and not self._fence and self.task == "prose" and self._code_wanted and OPENING.match(rest):
            self.task = "code"  # need not wait for the end of the line
        return self.task != before

    def _take(self, line: str) -> None:
        fence = FENCE.fullmatch(line)
        if self._fence:
            if fence and fence["marks"].startswith(self._fence) and not fence["info"].strip():
                self._fence, self.task, self._in_a_row = "", "prose", 0
        elif fence and "`" not in fence["info"]:
            self._fence, self.task = fence["marks"], "code"
        else:
            self._take_bare(line)

    def _take_bare(self, line: str) -> None:
        """A line outside any fence."""
        if not line.strip():
            self._blank = True
            return
        code = looks_like_code(line) or (self.task == "code" and _goes_on(line))
        self._in_a_row = self._in_a_row + 1 if code else 0
        if self.task == "code":
            if not code and (self._blank or _is_sentence(line)):
                self.task = "prose"
        elif self._in_a_row >= (1 if self._code_wanted else LATE_LINES):
            self.task = "code"
        self._blank = False


def _goes_on(line: str) -> bool:
    """Whether a line that is no proof of code may stand within it."""
    return bool(INDENT.match(line) or REMARK.match(line))


def _is_sentence(line: str) -> bool:
    words = line.split()
    return line.rstrip().endswith((".", ":", "?", "!", "。", "：", "？", "！")) and (
        len(words) > 3 or not line.isascii()
    )
