"""The indexes over past texts on the disk: one for each vocabulary, named after it."""

import logging
import re
from collections.abc import Generator, Iterable
from pathlib import Path

from inference.drafters.history_index import Encode, HistoryIndex
from inference.manager.files import write_atomically

log = logging.getLogger(__name__)

ENDING = ".past"
MOST_FILES = 8  # vocabularies, the latest used
_NAME = re.compile(r"[0-9a-f]{64}")


class HistoryShelf:
    """What the engine's thread opens, teaches and forgets. Without a folder nothing is kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def open(self, fingerprint: str, vocabulary_size: int) -> HistoryIndex:
        """The index of that vocabulary; an empty one where there is none that can be used."""
        path = self._path(fingerprint)
        if path is not None and path.exists():
            try:
                index = HistoryIndex.unpack(path.read_bytes())
                if index.fingerprint != fingerprint or index.largest >= vocabulary_size:
                    raise ValueError("it is of another vocabulary")
                path.touch()
                return index
            except (OSError, ValueError) as error:
                log.warning("the index over past chats cannot be used and is made anew: %s", error)
        return HistoryIndex(fingerprint)

    def learn(
        self, texts: Iterable[str], index: HistoryIndex | None = None, encode: Encode | None = None
    ) -> Generator[None, None, None]:
        """Hold these texts and no others, the newest first, in `index` and on the disk; in the other vocabularies'
        files only what is no longer among them is forgotten. Closed before its end it has changed nothing.
        """
        if index is None or encode is None:
            seen = yield from HistoryIndex("").learn(texts, _nothing)
        else:
            before = index.digests
            seen = yield from index.learn(texts, encode)
            if index.digests != before:
                log.info("past chats to draft from: %d texts, %d tokens", index.texts, index.tokens)
                self._write(index)
        for path in self._files()[MOST_FILES:]:
            path.unlink(missing_ok=True)
        for path in self._files():
            if index is None or path != self._path(index.fingerprint):
                self._prune(path, seen)

    def forget(self) -> None:
        """Remove every file."""
        for path in self._files():
            path.unlink(missing_ok=True)

    def _prune(self, path: Path, seen: frozenset[bytes]) -> None:
        try:
            other = HistoryIndex.unpack(path.read_bytes())
        except (OSError, ValueError) as error:
            log.warning("an index over past chats is removed: %s", error)
            path.unlink(missing_ok=True)
            return
        if other.keep(seen):
            self._write(other)

    def _write(self, index: HistoryIndex) -> None:
        """What cannot be written is not left as it was either: it may hold what has to go."""
        path = self._path(index.fingerprint)
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, index.pack())
        except OSError as error:
            log.warning("the index over past chats could not be saved: %s", error)
            path.unlink(missing_ok=True)

    def _path(self, fingerprint: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{fingerprint}{ENDING}"

    def _files(self) -> list[Path]:
        """The latest used first."""
        if self._folder is None or not self._folder.is_dir():
            return []
        found = [path for path in self._folder.glob(f"*{ENDING}") if _NAME.fullmatch(path.stem)]
        return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)


def _nothing(text: str) -> list[int]:
    """Nobody can read it: no model is loaded."""
    return []
