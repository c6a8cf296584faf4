"""Reads parts of a file of weights into memory of our own.

Not through a memory map: a file that is cut, or a drive that is pulled out, while it is mapped ends the whole process
(SIGBUS) and not just the load.
"""

from pathlib import Path
from typing import BinaryIO

from inference.errors import UserError


def read_into(file: BinaryIO, offset: int, target: memoryview) -> None:
    """Fill `target` (bytes) from there. Raises OSError, and UserError where the file ends before."""
    file.seek(offset)
    done = 0
    while done < len(target):
        count = file.readinto(target[done:])  # type: ignore[attr-defined]  # of every file that is opened for bytes
        if not count:
            name = Path(file.name).name
            raise UserError(f"{name} became shorter while it was read.", "Get the file again.")
        done += count
