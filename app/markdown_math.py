"""Formulas for the Markdown parser: $...$ and \\(...\\) within a line, $$...$$ and \\[...\\] alone on lines too."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from app.mathematics import inline_end, is_formula

INLINE = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"))
BLOCK = {"$$": "$$", "\\[": "\\]"}
_TRAILING = re.compile(r"[ \t]*[.,;:]?[ \t]*$")  # what may stand behind a formula on its line


def add_mathematics(parser: MarkdownIt) -> None:
    parser.inline.ruler.before("escape", "formula", _inline)
    parser.block.ruler.before(
        "fence", "formula_block", _block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )


def _inline(state: StateInline, silent: bool) -> bool:
    text, at = state.src, state.pos
    if text[at] not in "$\\":
        return False
    for opener, closer in INLINE:
        if not text.startswith(opener, at):
            continue
        end = inline_end(text, at, opener, closer)
        if end < 0 or end > state.posMax:
            if opener == "$$":  # two dollars are not one
                return False
            continue
        tex = text[at + len(opener) : end - len(closer)]
        if not is_formula(tex) and opener[0] == "$" and "\\" not in tex:
            return False  # most likely none was meant
        if not silent:
            token = state.push("formula" if is_formula(tex) else "formula_source", "", 0)
            token.content, token.meta = text[at:end], {"tex": tex}
        state.pos = end
        return True
    return False


def _block(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    if state.is_code_block(first):
        return False
    start = state.bMarks[first] + state.tShift[first]
    line = state.src[start : state.eMarks[first]]
    closer = BLOCK.get(line[:2], "")
    if not closer:
        return False
    lines, number, closed = [line[2:]], first, False
    while True:
        before, found, after = lines[-1].rpartition(closer)
        if found and _TRAILING.fullmatch(after):
            lines[-1], closed = before, True
            break
        if found and number == first:
            return False  # words behind it: a formula within a paragraph
        number += 1
        if number >= last or state.isEmpty(number) or state.sCount[number] < state.blkIndent:
            break
        lines.append(state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]])
    written_on = number >= len(state.bMarks) - 1  # the text ends here: perhaps it goes on
    if not closed and not (written_on and number == last):
        return False
    if silent:
        return True
    end = number + 1 if closed else number
    tex = "\n".join(lines).strip()
    token = state.push("formula_block", "", 0)
    token.map = [first, end]
    token.content = state.getLines(first, end, state.blkIndent, False).strip()
    token.meta = {"tex": tex if closed and is_formula(tex) else ""}
    state.line = end
    return True
