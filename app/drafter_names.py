"""What drafts, in words: whole, and short for places where a model's whole name would be cut."""

import re

from app.language import tr
from inference.profiles import NATIVE, Candidate
from inference.settings import SpeculationSettings

ROOM = 24  # characters beside the gauges
# What says nothing to somebody who knows the model: how it was tuned, packed or rounded.
_USUAL = re.compile(r"[-_. ](instruct|chat|it|base|gguf|hf|preview|q\d\w*|iq\d\w*|f16|bf16)$", re.IGNORECASE)
_SIZE = re.compile(r"\d[\d.]*[BM]", re.IGNORECASE)


def drafter_words(kind: str, draft: str = "") -> str:
    """A kind of drafter within a sentence. draft: the name of the draft model or head, where one is meant."""
    named = _own(draft) or (tr("trained draft") if kind == "head" else tr("draft model"))
    names = {
        "automatic": tr("the fastest draft"),  # a reply's figures say which it was
        "none": tr("no draft"),
        "ngram": tr("n-gram"),
        "model": named,
        "head": named,
        "combined": tr("n-gram + {draft}").format(draft=named),
    }
    return names.get(kind, kind)


def drafter_name(settings: SpeculationSettings, draft: str = "") -> str:
    """What drafts as the settings have it. draft: the name of the draft model that is loaded."""
    models = settings.drafter in ("model", "combined")
    return drafter_words(settings.drafter, (draft or tr("no draft model")) if models else "")


def candidate_name(candidate: Candidate) -> str:
    """With the whole name of the draft."""
    draft = tr("{name} (by its text)").format(name=candidate.draft) if candidate.aligned else candidate.draft
    return tr("no speculation") if candidate.kind == "none" else drafter_words(candidate.kind, draft)


def key_name(key: str) -> str:
    """What a `Candidate.key` says, or a kind alone, in few words."""
    kind, _, draft = key.partition(":")
    return drafter_words(kind, _short(draft) if draft else "")


def _own(draft: str) -> str:
    """The name of a draft, in the person's language where it is no name."""
    return tr("own prediction layer") if draft == NATIVE else draft


def capital(name: str) -> str:
    """To begin a line or a sentence with."""
    return name[:1].upper() + name[1:]


def short_draft(name: str) -> str:
    """ "Qwen2.5-Coder-0.5B-Instruct" becomes "Qwen2.5-Coder-0.5B"; a head is called by what it was trained for. Of
    several that took turns, "a, b", the last."""
    name = name.rpartition(", ")[2]
    parts = [_short(part) for part in name.split(" + ")]
    if len(" + ".join(parts)) > ROOM:
        parts = [_least(part) for part in parts]
    return " + ".join(parts)


def _short(name: str) -> str:
    known = {"none": tr("none"), "n-gram": tr("n-gram"), "ngram": tr("n-gram"), "": tr("none"), NATIVE: _own(NATIVE)}
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
