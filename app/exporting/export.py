"""Writes chats to files, while others go on using them."""

import json
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.atomic_file import replacing
from app.exporting.chat_json import FORMAT, VERSION, chat_to_json
from app.exporting.chat_markdown import chat_to_markdown
from app.history import History, StoredChat
from inference.errors import UserError

_UNSAFE = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)$", re.IGNORECASE)
LONGEST_NAME = 60


@dataclass(frozen=True)
class ExportProgress:
    """Chats written of those there are."""

    done: int
    total: int


def export_json(
    database: Path, identifiers: Sequence[str], target: Path, cancel: threading.Event
) -> Iterator[ExportProgress]:
    """One file with these chats. Cancelled, it leaves none. Raises UserError."""
    history = History(database)
    try:
        folders = {folder.id: folder for folder in history.folders()}
        with replacing(target) as file:
            file.write(f'{{"format": {json.dumps(FORMAT)}, "version": {VERSION}, "chats": [')
            between = "\n"
            for done, chat in _chats(history, identifiers, cancel):
                file.write(between + json.dumps(chat_to_json(chat, folders.get(chat.row.folder)), ensure_ascii=False))
                between = ",\n"
                yield ExportProgress(done, len(identifiers))
            file.write("\n]}\n")
    except OSError as error:
        raise _refused(target, error) from error
    finally:
        history.close()


def export_markdown(
    database: Path, identifiers: Sequence[str], target: Path, cancel: threading.Event
) -> Iterator[ExportProgress]:
    """One chat into the file `target`; several into the folder `target`, a file each. Raises UserError."""
    history = History(database)
    several = len(identifiers) != 1
    try:
        if several:
            target.mkdir(exist_ok=True)
        taken: set[str] = set()
        for done, chat in _chats(history, identifiers, cancel):
            with replacing(target / file_name(chat.row.title, ".md", taken) if several else target) as file:
                file.write(chat_to_markdown(chat))
            yield ExportProgress(done, len(identifiers))
    except OSError as error:
        raise _refused(target, error) from error
    finally:
        history.close()


def file_name(title: str, ending: str, taken: set[str] | None = None) -> str:
    """A name every system accepts, and another than those in `taken`, which it joins."""
    stem = " ".join(_UNSAFE.sub(" ", title).split())[:LONGEST_NAME].strip(" .") or "chat"
    stem = f"{stem} chat" if _RESERVED.match(stem) else stem
    taken = set() if taken is None else taken
    name, number = stem + ending, 1
    while name.casefold() in taken:
        number += 1
        name = f"{stem} {number}{ending}"
    taken.add(name.casefold())
    return name


def _chats(history: History, identifiers: Sequence[str], cancel: threading.Event) -> Iterator[tuple[int, StoredChat]]:
    for done, identifier in enumerate(identifiers, 1):
        if cancel.is_set():
            raise UserError("The export was cancelled.")
        chat = history.chat(identifier)
        if chat is not None:
            yield done, chat


def _refused(target: Path, error: OSError) -> UserError:
    return UserError(
        f"{target.name} could not be written ({error.strerror}).", "Choose another place, or check that there is room."
    )
