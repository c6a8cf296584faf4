"""Finding words in all chats, Chinese ones of one and two characters among them.

SQLite's FTS5 takes a run of Chinese for one word. So every such character is made a word of its own before it is
indexed, and a search for several of them asks for them one right after the other.
"""

import re
import sqlite3
import unicodedata
from dataclasses import dataclass

from app.message_rows import unpacked_attachments
from app.thoughts import read_of

MOST_HITS = 200
BEFORE, AFTER = 24, 96  # characters of the text around what was found
# Kana, Han, Hangul: scripts without spaces between words, or with endings that stick to them.
_ALONE = re.compile(
    r"[\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Hit:
    """A message that has what was looked for, and a line of it; [start, end) of the line is what was found."""

    conversation: str
    message: str
    line: str
    start: int = 0
    end: int = 0


def spaced(text: str) -> str:
    """The text as it is indexed."""
    return _ALONE.sub(r" \g<0> ", unicodedata.normalize("NFKC", text))


def query_of(search: str) -> str:
    """What FTS5 is asked: all of the words, each perhaps only begun. "" when there is no letter in it."""
    phrases = []
    for part in search.split():
        words = _WORD.findall(spaced(part))
        if words:
            begun = "" if _ALONE.fullmatch(words[-1]) else "*"
            phrases.append(f'"{" ".join(words)}"{begun}')
    return " AND ".join(phrases)


def literals_of(search: str) -> list[str]:
    """LIKE patterns for the parts of a search with signs in them, which FTS5 does not see."""
    parts = [part for part in search.split() if re.search(r"[\W_]", part)]
    return ["%" + re.sub(r"([\\%_])", r"\\\1", part) + "%" for part in parts]


def find(db: sqlite3.Connection, search: str, most: int = MOST_HITS) -> list[Hit]:
    """The newest messages that have every word of the search."""
    query, literals = query_of(search), literals_of(search)
    if not query and not literals:
        return []
    sql = (
        "SELECT m.conversation, m.id, m.text, m.attachments FROM messages AS m"
        " JOIN conversations AS c ON c.id = m.conversation"
    )
    values: list[object] = []
    where = ["c.deleted IS NULL", "m.deleted IS NULL"]
    if query:
        sql += " JOIN words ON words.rowid = m.key"
        where.append("words MATCH ?")
        values.append(query)
    for literal in literals:
        where.append(r"(m.text LIKE ? ESCAPE '\' OR m.attachments LIKE ? ESCAPE '\')")
        values += [literal, literal]
    order = "words.rowid" if query else "m.key"
    sql += f" WHERE {' AND '.join(where)} ORDER BY {order} DESC LIMIT ?"
    rows = db.execute(sql, (*values, most))
    return [
        Hit(conversation, message, *_line(text, attachments, search))
        for conversation, message, text, attachments in rows
    ]


def index_some(db: sqlite3.Connection, most: int = 500) -> int:
    """Index messages that are whole and not indexed yet; how many there were. Call it in a transaction."""
    rows = db.execute(
        "SELECT key, text, attachments FROM messages WHERE indexed = 0 AND state <> 'streaming' ORDER BY key LIMIT ?",
        (most,),
    ).fetchall()
    keys = [(key,) for key, _, _ in rows]
    db.executemany("DELETE FROM words WHERE rowid = ?", keys)
    texts = [(key, spaced("\n".join([read_of(text), *_attached(attachments)]))) for key, text, attachments in rows]
    db.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", texts)
    db.executemany("UPDATE messages SET indexed = 1 WHERE key = ?", keys)
    return len(rows)


def place_of(text: str, search: str) -> tuple[int, int]:
    """Where the first of the words that can be found stands in the text; (0, 0) when none can."""
    for part in (search.strip(), *search.split()):
        found = re.search(re.escape(part), text, re.IGNORECASE) if part else None
        if found:
            return found.start(), found.end()
    for word in _WORD.findall(search):
        found = re.search(re.escape(word), text, re.IGNORECASE)
        if found:
            return found.start(), found.end()
    return 0, 0


def _attached(packed: str) -> list[str]:
    """Names and texts of attachments."""
    return [part for file in unpacked_attachments(packed) for part in (file.name, file.text)] if packed != "[]" else []


def _line(text: str, attachments: str, search: str) -> tuple[str, int, int]:
    """An excerpt of the first part of a message that has what was looked for."""
    parts = [read_of(text), *_attached(attachments)]
    return excerpt(next((part for part in parts if place_of(part, search)[1]), parts[0]), search)


def excerpt(text: str, search: str) -> tuple[str, int, int]:
    """One line around what was found, and where that stands in it."""
    start, end = place_of(text, search)
    before, found, after = text[max(0, start - BEFORE) : start], text[start:end], text[end : end + AFTER]
    before = ("…" if start > BEFORE else "") + " ".join(before.split()) + (" " if before[-1:].isspace() else "")
    found = " ".join(found.split())
    after = (" " if after[:1].isspace() else "") + " ".join(after.split())
    before = before.lstrip()
    return before + found + after, len(before), len(before) + len(found)
