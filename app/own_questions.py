"""What the person asked in their chats, for training a draft on it: read-only, and only when they said so."""

import sqlite3
from pathlib import Path

from app.database import as_text
from inference.errors import UserError
from inference.manager.paths import CHATS, data_folder

_QUESTIONS = """
    SELECT text FROM messages JOIN conversations ON conversations.id = messages.conversation
    WHERE role = 'user' AND messages.deleted IS NULL AND conversations.deleted IS NULL
    AND private = 0 ORDER BY messages.created DESC
"""


def own_questions(path: Path | None = None) -> list[str]:
    """Newest first; none where there are no chats. Raises UserError when the file cannot be read."""
    path = path or data_folder() / CHATS
    if not path.exists():
        return []
    try:
        with sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True) as file:
            file.text_factory = as_text
            return [str(row[0]) for row in file.execute(_QUESTIONS)]
    except sqlite3.Error as error:
        raise UserError(f"Your chats cannot be read ({error}).", "Open the program once, or leave them out.") from error


def main(arguments: list[str]) -> int:
    """`foreword train-draft`, which may ask for the chats."""
    from inference.training.command import main as train

    return train(arguments, own_questions)
