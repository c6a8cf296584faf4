"""Opens what was chosen (a file, a zip, a folder), finds out whose it is, and reads chat after chat."""

import io
import json
import logging
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from app.exporting.chat_json import FORMAT, VERSION, chat_from_json
from app.history import Folder, StoredChat
from app.importing import chatgpt, lines, lm_studio
from app.importing.found import Skipped
from app.importing.json_stream import elements
from inference.errors import UserError

log = logging.getLogger(__name__)
MOST_FILES = 100_000  # in a folder
_CHATGPT = re.compile(r"conversations(-\d+)?\.json")  # a large export comes in parts; others beside it hold no chats
_LOCKED = 1  # in the flags of a zip's entry
_ENDINGS = (".json", ".jsonl", ".ndjson")
# ChatGPT's export unpacked; LM Studio's, which keeps chats in folders.
_FOLDERS_OF_CHATS = ("conversations.json", "conversations-*.json", "*.conversation.json", "*/*.conversation.json")


@dataclass(frozen=True)
class Read:
    """How far the reading is, in bytes."""

    done: int
    total: int


@dataclass(frozen=True)
class Brought:
    """One of the files and folders that were chosen, read to its end: there were chats in it."""

    name: str


Found = StoredChat | Folder | Skipped | Read


def read(path: Path) -> Iterator[Found]:
    """Raises UserError when there is nothing to read; what cannot be read in between is a Skipped."""
    try:
        if path.is_dir():
            yield from _folder(path)
        elif zipfile.is_zipfile(path):
            yield from _zip(path)
        else:
            with path.open("rb") as file:
                yield from _file(file, path.name, path.stat().st_size, path.stat().st_mtime)
    except OSError as error:
        raise UserError(f"{path.name} cannot be read ({error.strerror or error}).") from error
    except zipfile.BadZipFile as error:
        raise UserError(f"{path.name} is damaged.", "Download it again.") from error


def read_all(paths: Sequence[Path]) -> Iterator[Found | Brought]:
    """Several one after the other; of these, what cannot be read at all is a Skipped too."""
    done = 0
    sizes = {path: _size(path) for path in paths}
    for path, size in sizes.items():
        chats = left_out = False
        try:
            for found in read(path):
                chats = chats or isinstance(found, StoredChat)
                left_out = left_out or isinstance(found, Skipped)
                share = found.done / max(1, found.total) if isinstance(found, Read) else 0.0
                yield Read(done + round(size * share), sum(sizes.values())) if isinstance(found, Read) else found
        except UserError as error:
            if len(paths) == 1:
                raise
            left_out = True
            yield Skipped(path.name, str(error))
        if chats:
            yield Brought(path.name)
        elif not left_out:
            yield Skipped(path.name, "it holds no chats")
        done += size


def has_chats(path: Path) -> bool:
    """Whether this is an archive of chats, or a folder that can be nothing else. What cannot be looked at is none."""
    try:
        if path.is_dir():
            return any(next(path.glob(pattern), None) is not None for pattern in _FOLDERS_OF_CHATS)
        with zipfile.ZipFile(path) as archive:
            return any(_CHATGPT.fullmatch(Path(name).name) for name in archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False


def may_be_chats(path: Path) -> bool:
    """Whether this is chats rather than anything else but a text."""
    try:
        return has_chats(path) or (path.suffix.lower() in _ENDINGS and path.is_file())
    except OSError:
        return False


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _folder(path: Path) -> Iterator[Found]:
    named = (file for file in sorted(path.rglob("*.*json*")) if file.suffix in _ENDINGS and file.is_file())
    files = [file for _, file in zip(range(MOST_FILES), named, strict=False)]
    exports = {file.parent for file in files if _CHATGPT.fullmatch(file.name)}
    files = [file for file in files if file.parent not in exports or _CHATGPT.fullmatch(file.name)]
    if not files:
        raise UserError(f"{path.name} holds no chats.", "Choose a folder with .json or .jsonl files.")
    total, done = sum(file.stat().st_size for file in files), 0
    for name in files:
        size = name.stat().st_size
        with name.open("rb") as file:
            for found in _file(file, str(name.relative_to(path)), size, name.stat().st_mtime):
                yield Read(done + found.done, total) if isinstance(found, Read) else found
        done += size


def _zip(path: Path) -> Iterator[Found]:
    now = path.stat().st_mtime
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        names = [entry for entry in entries if _CHATGPT.fullmatch(Path(entry.filename).name)]
        names = names or [entry for entry in entries if entry.filename.endswith(_ENDINGS)]
        if not names:
            raise UserError(f"{path.name} holds no chats.", "A ChatGPT export has a conversations.json in it.")
        total, done = sum(entry.file_size for entry in names), 0
        for entry in names:
            for found in _entry(archive, entry, now):
                yield Read(done + found.done, total) if isinstance(found, Read) else found
            done += entry.file_size


def _entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, now: float) -> Iterator[Found]:
    """What was read before a damaged place counts."""
    if entry.flag_bits & _LOCKED:
        yield Skipped(entry.filename, "it is locked with a password")
        return
    try:
        with archive.open(entry) as file:
            yield from _file(file, entry.filename, entry.file_size, now)
    except (zipfile.BadZipFile, zlib.error, EOFError):
        yield Skipped(entry.filename, "from here on it is damaged")
    except NotImplementedError:  # zipfile's own word for it
        yield Skipped(entry.filename, "it is packed in a way we cannot open")


def _file(file: IO[bytes], name: str, size: int, now: float) -> Iterator[Found]:
    counted = _Counted(file)
    text = io.TextIOWrapper(io.BufferedReader(counted), encoding="utf-8-sig", errors="replace")
    values = _json_lines(text, name) if name.endswith((".jsonl", ".ndjson")) else _json(text, name)
    for value in values:
        if isinstance(value, Skipped):
            yield value
        else:
            yield from _value(value[0], value[1], now)
        yield Read(min(counted.done, size), size)


class _Counted(io.RawIOBase):
    """Counts what is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.done = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self._file.read(len(buffer))
        buffer[: len(content)] = content
        self.done += len(content)
        return len(content)


def _json_lines(text: io.TextIOWrapper, name: str) -> Iterator[tuple[Any, str] | Skipped]:
    for number, line in enumerate(text, 1):
        where = f"{name}, line {number}"
        if not line.strip():
            continue
        try:
            yield json.loads(line), where
        except json.JSONDecodeError:
            yield Skipped(where, "it is no JSON")
        except RecursionError:
            yield Skipped(where, "it is nested too deeply")


def _json(text: io.TextIOWrapper, name: str) -> Iterator[tuple[Any, str] | Skipped]:
    number = 0
    try:
        for number, value in enumerate(elements(text), 1):
            yield value, f"{name}, chat {number}"
    except json.JSONDecodeError:
        if number:
            yield Skipped(f"{name}, chat {number + 1}", "from here on it is no JSON")
        else:
            yield Skipped(name, "it is no JSON")
    except RecursionError:
        yield Skipped(name, "it is nested too deeply")


def _value(value: Any, where: str, now: float) -> Iterator[Found]:
    """Whatever program it is from. A reader that meets what it does not expect leaves that chat out."""
    try:
        match value:
            case {"format": str(form), "version": int(version), "chats": list(chats)} if form == FORMAT:
                yield from _ours(chats, version, where)
            case {"mapping": _}:
                yield from chatgpt.chats_of(value, where, now)
            case {"conversations": _} | {"items": _}:
                yield from lines.sharegpt(value, where, now)
            case {"messages": [{"versions": _}, *_]} | {"messages": [None, *_]} | {"messages": _, "createdAt": _}:
                yield from lm_studio.chats_of(value, where, now)
            case {"messages": _}:
                yield from lines.openai(value, where, now)
            case _:
                yield Skipped(where, "no program we know writes this")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        log.info("a chat to be imported is not as we know it: %s", type(error).__name__)  # more might quote it
        yield Skipped(where, "it is not as we know it")


def _ours(chats: list[Any], version: int, where: str) -> Iterator[Found]:
    if version > VERSION:
        yield Skipped(where, "it is from a newer Foreword")
        return
    for chat in chats:
        try:
            read_chat, folder = chat_from_json(chat)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            log.info("a chat of ours to be imported is not as we know it: %s", type(error).__name__)
            yield Skipped(where, "a chat is not as we know it")
            continue
        if folder is not None:
            yield folder
        yield read_chat
