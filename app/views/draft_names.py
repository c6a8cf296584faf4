"""What drafts, in few words: for places where a model's whole name would be cut."""

import re

from app.language import tr

ROOM = 24  # characters beside the gauges
# What says nothing to somebody who knows the model: how it was tuned, packed or rounded.
_USUAL = re.compile(r"[-_. ](instruct|chat|it|base|gguf|hf|preview|q\d\w*|iq\d\w*|f16|bf16)$", re.IGNORECASE)
_SIZE = re.compile(r"\d[\d.]*[BM]", re.IGNORECASE)


def short_draft(name: str) -> str:
    """ "Qwen2.5-Coder-0.5B-Instruct" becomes "Qwen2.5-Coder-0.5B"; a head is called by what it was trained for. Of
    several that took turns, "a, b", the last."""
    name = name.rpartition(", ")[2]
    parts = [_short(part) for part in name.split(" + ")]
    if len(" + ".join(parts)) > ROOM:
        parts = [_least(part) for part in parts]
    return " + ".join(parts)


def _short(name: str) -> str:
    known = {"none": tr("none"), "n-gram": tr("n-gram"), "ngram": tr("n-gram"), "": tr("none")}
    if name in known:
        return known[name]
    heads = {"any": tr("trained head"), "code": tr("code head"), "prose": tr("prose head")}
    task = name.rpartition("/")[2]
    if "/" in name and task in heads:
        return heads[task]
    while (found := _USUAL.search(name)) is not None:
        name = name[: found.start()]
    return name


def _least(name: str) -> str:
    """The word with the size in it, and what fits before it."""
    words = re.split(r"[-_ ]", name)
    sized = [index for index, word in enumerate(words) if _SIZE.fullmatch(word)]
    if not sized or len(name) <= ROOM // 2:
        return name
    least = words[sized[-1]]
    before = words[sized[-1] - 1] if sized[-1] else ""
    return f"{before} {least}" if before and len(before) + len(least) < ROOM // 2 else least
