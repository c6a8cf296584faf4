"""Copies a model's folder piece by piece, so that it can be followed and cancelled."""

import threading
from collections.abc import Iterator
from pathlib import Path

from inference.events import LoadProgress
from inference.manager.download import DownloadCancelled
from inference.manager.files import explained, require_space

_PIECE = 16 << 20  # bytes


class CopyCancelled(DownloadCancelled):
    message_text = "Copying was cancelled."


def copy_folder(source: Path, target: Path, cancel: threading.Event) -> Iterator[LoadProgress]:
    """Every file but hidden ones, which tools leave there; where links lead, and not the links: the folders of other
    programs are made of them. Raises UserError, CopyCancelled."""
    with explained(source):
        files = [path for path in sorted(source.rglob("*")) if path.is_file() and not _hidden(path.relative_to(source))]
        done, total = 0, sum(path.stat().st_size for path in files)
        require_space(target, total)
        for path in files:
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            with path.open("rb") as original, place.open("wb") as copy:
                while piece := original.read(_PIECE):
                    if cancel.is_set():
                        raise CopyCancelled
                    copy.write(piece)
                    done += len(piece)
                    yield LoadProgress("copy", done, total, source.name)


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
