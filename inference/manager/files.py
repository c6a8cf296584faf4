"""Files on disk: written whole or not at all, and only where they fit."""

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inference.errors import UserError

RESERVE = 256 << 20  # bytes left free for the rest of the system


def write_atomically(path: Path, content: bytes) -> None:
    """Readers see the old content or the new one, also after a power cut."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    write_atomically(path, (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode())


def read_json(path: Path) -> Any:
    """Raises OSError, or ValueError for whatever is not JSON (bad bytes, bad syntax, nested beyond reason)."""
    try:
        return json.loads(path.read_bytes())
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def size_text(count: int) -> str:
    """1536 -> "1.5 kB". Decimal units, as file managers and the hub show them."""
    value = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:.0f} {unit if count != 1 else 'byte'}" if unit == "bytes" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} TB"


def existing_parent(path: Path) -> Path:
    """The nearest folder of `path` that exists: its disk is the one that will be written to."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def require_space(folder: Path, needed: int) -> None:
    """Raise UserError unless `needed` bytes fit on the disk of `folder` with some to spare."""
    free = shutil.disk_usage(existing_parent(folder)).free
    if needed + RESERVE > free:
        raise UserError(
            f"Not enough disk space: {size_text(needed + RESERVE)} are needed and {size_text(free)} are free.",
            "Make room on the disk that holds the models folder, or move that folder to another disk.",
        )


def folder_size(folder: Path) -> int:
    """Bytes of all files below `folder`; a file with two names there counts once. Files that vanish count nothing."""
    sizes: dict[tuple[int, int], int] = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                status = (Path(parent) / name).stat()
            except OSError:
                continue
            sizes[status.st_dev, status.st_ino] = status.st_size
    return sum(sizes.values())


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what a disk refuses to do into a sentence."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise UserError("The disk is full.", f"Make room on the disk that holds {path}.") from error
        if isinstance(error, FileNotFoundError):
            raise UserError(f"{error.filename or path} does not exist.", "Check where it is.") from error
        if isinstance(error, PermissionError) or error.errno == errno.EROFS:
            raise UserError(f"{path} may not be read or written.", "Change its permissions.") from error
        raise UserError(
            f"{path} could not be used: {error.strerror or error}.", "Check the disk and try again."
        ) from error
