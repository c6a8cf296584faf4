"""In which script a text is written: enough to tell that a title is not in the language of its question."""

import unicodedata
from collections import defaultdict

CLEAR = 0.75  # of a text's words in one script: others may only be quoted in it
NAMES = 0.35  # least share of Chinese in a Chinese title, in which names stay as they are
LETTERS_A_WORD = {"CJK": 1.5, "HIRAGANA": 2.5, "KATAKANA": 2.5, "HANGUL": 2.5}  # others: 5
TOGETHER = {"HIRAGANA": "KANA", "KATAKANA": "KANA"}


def script_of(text: str) -> str:
    """The script of most of its words, as Unicode calls it (LATIN, CJK, CYRILLIC, ...); "" where it has no letters."""
    words = _words(text)
    return _most(words) if words else ""


def same_script(text: str, model: str) -> bool:
    """Whether `text` is written in a script of `model`. Japanese may leave out its syllables, and not the reverse."""
    words, known = _words(text), _words(model)
    if not known or not words:
        return True
    total = sum(known.values())
    main = _most(known)
    allowed = {main} if known[main] >= CLEAR * total else {script for script in known if known[script] > total / 10}
    if "KANA" in known:
        allowed |= {"CJK", "KANA"}
    elif "KANA" in words:
        return False
    share = sum(words.get(script, 0.0) for script in allowed) / sum(words.values())
    return share > 0.5 or ("CJK" in allowed and share > NAMES)


def _most(words: dict[str, float]) -> str:
    return max(words, key=lambda script: words[script])


def _words(text: str) -> dict[str, float]:
    found: defaultdict[str, float] = defaultdict(float)
    for character in text:
        if character.isalpha():
            script = unicodedata.name(character, "").split(" ")[0]
            found[TOGETHER.get(script, script)] += 1 / LETTERS_A_WORD.get(script, 5)
    return found
