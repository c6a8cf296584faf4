"""A chat's title, written by the model that answered: what it is asked, and which of its answers will do."""

import re
import unicodedata
from collections.abc import Sequence

from app.chat_message import ChatMessage
from app.scripts import same_script, script_of
from app.thoughts import answer_of
from inference.messages import Message
from inference.settings import GenerationSettings, SamplingSettings, SpeculationSettings

MOST_READ = 600  # characters of the question and of the reply
TITLE_COLUMNS = 44  # of the first words of a question
WIDEST, SHORTEST = 60, 2  # columns, of which a Chinese character takes two; characters
MOST_TOKENS = 40
ENGLISH = "Give this conversation a title of two to six words in its own language. Write only the title."
CHINESE = "用四到十个汉字给这段对话起一个标题。只写标题，不要标点。"

_PAIRS = ('""', "''", "“”", "‘’", "「」", "『』", "《》", "``", "**", "__", "()", "（）", "[]", "【】")
_QUOTES = '"“”《》「」『』'
_EXPLAINS = ("-", "–", "—", "(", "（", ":", "：", ",", "，")  # after a title in quotation marks
_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|《([^》]+)》|「([^」]+)」|『([^』]+)』')
_EDGES = " \t#>*_`~-–—.,;:…。，；："
_LABEL = re.compile(  # "Title:", "**Title**:", "The title is:", "对话标题："
    r"(?:(?:the|a|my|your|this|suggested|possible|proposed|conversation|chat|here is|here's)\s+)*"
    r"(?:title|assistant|topic|subject|answer)(?:\s+(?:of|for)\s+(?:the|this)\s+(?:conversation|chat))?"
    r"(?:\s+(?:is|would be|could be))?[*_`\s]*[:：][*_`\s]*"
    r"|(?:对话|聊天|会话|标题|题目|主题|助手|的|是|为)+[*_`\s]*[:：][*_`\s]*",
    re.I,
)
_ABOUT_A_TITLE = re.compile(r"\btitles?\b|two to six words|in its own language|标题|题目", re.I)
_REFUSALS = re.compile(
    r"(i'?m sorry|i am sorry|sorry\b|i cannot|i can'?t|i'?m unable|as an ai\b|sure\b|certainly\b|of course\b|okay\b"
    r"|here is\b|here'?s\b|here are\b|give this conversation\b|对不起|抱歉|很抱歉|当然|好的|以下是|这是|用四到十个)",
    re.I,
)
_EMPTY = re.compile(
    r"(the |a )?((conversation|chat|new|short) )*(title|conversation|chat|untitled)|无标题|标题|对话", re.I
)
_CODE = re.compile(r"[{}\[\]<>=|\\]|\w\(\w*\)|^(def|class|import|from|function|const|print)\b")
_SENTENCES = re.compile(r"[.!?]\s+\S|[。！？]\s*\S")


def title_prompt(messages: Sequence[ChatMessage]) -> list[Message]:
    """From the first question and its reply."""
    question = first_question(messages)[:MOST_READ]
    reply = next((answer_of(message.text) for message in messages if message.role == "assistant"), "")[:MOST_READ]
    wish = CHINESE if script_of(question) == "CJK" else ENGLISH
    return [Message("user", question), Message("assistant", reply or "…"), Message("user", wish)]


def first_question(messages: Sequence[ChatMessage]) -> str:
    return next((message.text for message in messages if message.role == "user" and message.text), "")


def title_settings() -> GenerationSettings:
    """Greedy and short; drafting would not pay for so few tokens."""
    sampling, speculation = SamplingSettings(temperature=0.0), SpeculationSettings(mode="off")
    return GenerationSettings(sampling, speculation, MOST_TOKENS)


def title_of(text: str) -> str:
    """The start of the first line that says something, cut where a word ends."""
    line = next((line for line in text.splitlines() if line.strip(" #*`>-\t")), "")
    words = " ".join(line.strip(" #*`>-\t").split())[: TITLE_COLUMNS + 1]  # each takes a column at least
    if columns(words) <= TITLE_COLUMNS:
        return words
    cut = words
    while columns(cut) > TITLE_COLUMNS - 1:
        cut = cut[:-1]
    head, _, _ = cut.rpartition(" ")
    return (head if columns(head) > TITLE_COLUMNS // 2 else cut).rstrip(" ,;:.，。；：") + "…"


def columns(text: str) -> int:
    """How wide it is, as Chinese characters are twice as wide as others."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def usable_title(written: str, question: str, *, cut: bool = False) -> str:
    """What the model wrote, without what it put around it; "" when it is no title: too long, sentences, code, talk
    of what follows or of titles, or in another script than the question's. cut: there was more to come."""
    answer = answer_of(written)
    line = _title_line(answer)
    if cut and answer.rstrip().endswith(line):  # nobody knows what the title would have been
        return ""
    title = _bare(line)
    if _ABOUT_A_TITLE.search(title) and not _ABOUT_A_TITLE.search(question):
        return ""
    bad = (_REFUSALS.match, _EMPTY.fullmatch, _CODE.search, _SENTENCES.search)
    if len(title) < SHORTEST or columns(title) > WIDEST or any(test(title) for test in bad):
        return ""
    return title if any(map(str.isalpha, title)) and same_script(title, question) else ""


def _title_line(answer: str) -> str:
    """The line that has it: the first, the one after an announcement of a title, or what is quoted in one."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    if not lines or lines[0].startswith("```"):
        return ""
    first = lines[0]
    about = _ABOUT_A_TITLE.search(first)
    if first.rstrip("*_ ").endswith((":", "：")):
        return lines[1] if about and len(lines) > 1 else ""
    quoted = [next(filter(None, found)) for found in _QUOTED.findall(first)]
    return quoted[0] if about and len(quoted) == 1 else first


def _bare(line: str) -> str:
    """Without markdown, numbers of a list, labels, quotation marks and a full stop."""
    before = None
    while line != before:
        before = line
        line = re.sub(r"^\d{1,2}[.)、]\s*", "", line.strip(_EDGES))
        labelled = _LABEL.match(line)
        line = line[labelled.end() :] if labelled else line
        for pair in _PAIRS:
            left, right = pair[0], pair[1]
            inside = line[1:-1]
            if line.startswith(left) and line.endswith(right) and left not in inside and right not in inside:
                line = inside
        quoted = _QUOTED.match(line)
        if quoted and line[quoted.end() :].lstrip().startswith(_EXPLAINS):
            line = next(filter(None, quoted.groups()))
    if sum(line.count(mark) for mark in _QUOTES) == 1:  # one that was never closed
        line = line.translate(str.maketrans("", "", _QUOTES))
    return " ".join(re.sub(r"\*\*|__|`", "", line).split())
