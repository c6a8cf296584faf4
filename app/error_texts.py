"""Errors in the person's language. The engine says what went wrong in English, with names and numbers in it, and so it
stands in the log; the sentences that a person can meet in the window have their form in `error_forms`, and with it a
translation. Others stay English.
"""

import re
from functools import cache

from app.error_forms import FORMS
from app.language import listed, sentences, tr
from app.system_reasons import REASONS
from inference.errors import UserError

# Words within a value: a size as `size_text` says it (larger units read the same), and which shard of a model it is.
_FEW_BYTES = re.compile(r"(?P<count>\d+) bytes?")
_SHARD = re.compile(r"(?P<name>.+) \(part (?P<number>\d+) of (?P<count>\d+)\)")
# What is wrong with a file of weights: whoever reads it says no more than the reason.
_FAULT = re.compile(r"(?P<name>.+?\.\w+(?: \(part \d+ of \d+\))?) (?P<reason>.+)\.")
# An OSError as a text: it may name a file.
_OS_ERROR = re.compile(r"\[(?:Errno|WinError) \d+\] (?P<reason>.+?)(?:: '(?P<place>.+?)'(?: -> '.+')?)?")


def in_words(message: str, remedy: str = "") -> str:
    """What happened and what to do about it in the person's language, where there is one for it.

    A message may hold both already, one sentence after the other.
    """
    text = " ".join(filter(None, [message, remedy]))
    said = _said(text)
    return text if said is None else said


def _said(text: str) -> str | None:
    """None where a sentence of it is not known."""
    for stop in re.finditer(r"\. ", text):
        first = _in_words(text[: stop.start() + 1])
        if first is not None and (rest := _said(text[stop.end() :])) is not None:
            return sentences(first, rest)
    return _in_words(text)


def told(error: UserError) -> str:
    """What happened and what to do about it, in the person's language."""
    return in_words(error.message, error.remedy)


def _in_words(sentence: str) -> str | None:
    if (words := _words_of_value(sentence)) is not None:
        return words
    for form, pattern in _patterns():
        match = pattern.fullmatch(sentence)
        if match:
            values = match.groupdict()
            if "label" in values:  # of a setting
                values["label"] = tr(values["label"])
            if "weights" in values:
                values["weights"] = tr(values["weights"])
            if "changes" in values:
                parts = re.split(r", (?!\d)| and ", values["changes"])
                values["changes"] = listed(_in_words(part) or part for part in parts)
            for name in values.keys() & {"reason", "error", "detail", "names", "device", "messages", "chats"}:
                values[name] = _in_words(values[name]) or values[name]
            if "tried" in values:
                values["tried"] = tr("; ").join(_source(one) for one in re.split(r"; (?=[a-z ]+: )", values["tried"]))
            for name, value in values.items():
                if _FEW_BYTES.fullmatch(value) or _SHARD.fullmatch(value):
                    values[name] = in_words(value)
            return tr(form).format(**values)
    if (fault := _FAULT.fullmatch(sentence)) and (reason := _in_words(fault["reason"])) is not None:
        return tr("{name} {reason}.").format(name=_in_words(fault["name"]) or fault["name"], reason=reason)
    return None


def _words_of_value(text: str) -> str | None:
    """Of what stands within a sentence."""
    if few := _FEW_BYTES.fullmatch(text):
        return tr("1 byte") if few["count"] == "1" else tr("{count} bytes").format(**few.groupdict())
    if shard := _SHARD.fullmatch(text):
        return tr("{name} (part {number} of {count})").format(**shard.groupdict())
    refused = _OS_ERROR.fullmatch(text)
    reason = REASONS.get(refused["reason"] if refused else text)
    if reason is not None and refused and refused["place"]:
        return tr("{place}: {reason}").format(place=refused["place"], reason=tr(reason))
    return tr(reason) if reason is not None else None


def _source(tried: str) -> str:
    """One of the places that something was to come from, and why it did not."""
    place, colon, reason = tried.partition(": ")
    words = [_in_words(part) or part for part in (place, reason)]
    return tr("{place}: {reason}").format(place=words[0], reason=words[1]) if colon else words[0]


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    return [(form, re.compile(re.sub(r"\\{(\w+)\\}", _value, re.escape(form)))) for form in FORMS]


def _value(placeholder: re.Match[str]) -> str:
    """What may stand in its place: a count is a number, or a folder called "old chats" would be so many chats."""
    anything = r"[\d,]+" if placeholder[1] == "count" else ".+"
    return f"(?P<{placeholder[1]}>{anything})"
