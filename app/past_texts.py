"""What was said in past chats, for drafts to learn from: read-only, and nothing of chats that are private."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from app.database import as_text
from app.message_rows import unpacked_attachments
from inference.errors import UserError

MOST = 16_000_000  # characters; an index holds a quarter of it
_MESSAGES = """
    SELECT text, attachments FROM messages JOIN conversations ON conversations.id = messages.conversation
    WHERE private = 0 AND messages.deleted IS NULL AND conversations.deleted IS NULL AND state <> 'streaming'
    ORDER BY messages.key DESC
"""


def past_texts(path: Path) -> Iterator[str]:
    """Messages and attached files, the newest first. Raises UserError when the chats cannot be read."""
    room = MOST
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            db.text_factory = as_text
            for text, attachments in db.execute(_MESSAGES):
                for said in (text, *(file.text for file in unpacked_attachments(attachments))):
                    room -= len(said)
                    if room < 0:
                        return
                    if said:
                        yield said
    except sqlite3.Error as error:
        raise UserError(f"Past chats cannot be learned from ({error}).") from error
