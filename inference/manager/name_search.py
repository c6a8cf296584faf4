"""Finding models by words of their names: in any order, in any case, however they are separated."""

import re
import unicodedata

_BETWEEN = re.compile(r"[\s_/\\\-–—,;:+]+")  # words; a full stop stays, as in 0.5b
_INSIDE = re.compile(r"[\W_]+")


def words_of(search: str) -> list[str]:
    """As they are typed, without what stands between them."""
    return [word for word in _BETWEEN.split(search.strip()) if _plain(word)]


def is_meant(name: str, search: str) -> bool:
    """Whether the name has every word of the search. An empty search means every name."""
    plain = _plain(name)
    return all(_plain(word) in plain for word in words_of(search))


def _plain(text: str) -> str:
    """Letters and digits alone: qwen2.5-coder and Qwen 2.5 Coder are one."""
    return _INSIDE.sub("", unicodedata.normalize("NFKC", text).casefold())
