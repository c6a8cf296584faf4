"""Reads a huge JSON array one element at a time."""

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

CHUNK = 1 << 20
_BLANK = re.compile(r"[ \t\r\n]*")


def elements(file: TextIO, chunk: int = CHUNK) -> Iterator[Any]:
    """Every element of the array the file holds; of anything else than an array, that one value.

    Raises json.JSONDecodeError where the text is no JSON.
    """
    decoder = json.JSONDecoder()
    text = _more(file, "", chunk)
    if not text.startswith("["):
        yield json.loads(text + file.read())
        return
    text = _more(file, text[1:], chunk)
    if text.startswith("]"):
        return
    while True:
        text = _more(file, text, chunk)
        try:
            value, end = decoder.raw_decode(text)
            after = text[_end_of_blanks(text, end) :]
            if after[:1] not in (",", "]") or not after:  # 1 may go on as 12, 1. as 1.5
                raise json.JSONDecodeError("a comma is missing", text, end)
        except json.JSONDecodeError:
            longer = file.read(max(chunk, len(text)))  # twice as much each time, so that nothing is read too often
            if not longer:
                raise
            text += longer
            continue
        yield value
        if after[0] == "]":
            return
        text = after[1:]


def _more(file: TextIO, text: str, chunk: int) -> str:
    """The text without the blanks before it, longer where it was used up."""
    while True:
        text = text[_end_of_blanks(text, 0) :]
        if text:
            return text
        text = file.read(chunk)
        if not text:
            return ""


def _end_of_blanks(text: str, start: int) -> int:
    match = _BLANK.match(text, start)
    return match.end() if match else start
