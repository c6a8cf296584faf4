"""What one build of torch needed and nothing needs any more. Run by the Python of the environment it is about:

    python leftovers.py brought            the distributions there that torch requires, and what they require
    python leftovers.py unneeded NAMES     which of these nothing else there requires, and the bytes that they take

What an extra would require counts as required, and what somebody asked for by its name (pip notes that) is no leftover.
Standard library only: packages are what is being installed.
"""

import json
import re
import sys
from collections.abc import Collection, Iterable
from contextlib import suppress
from importlib.metadata import Distribution, distributions
from pathlib import Path

MARK = "leftovers:"  # before the answer; lines around it may be anybody's warnings


def brought(found: Iterable[Distribution]) -> list[str]:
    wants = {_name(one.name): _required(one) for one in found}
    known: set[str] = set()
    waiting = ["torch"]
    while waiting:
        new = wants.get(waiting.pop(), set()) & wants.keys() - known
        known |= new
        waiting += new
    return sorted(known - {"torch"})


def unneeded(found: Collection[Distribution], names: Collection[str]) -> tuple[list[str], int]:
    """Those that require each other go together."""
    going = {_name(one.name): one for one in found if _name(one.name) in names and one.read_text("REQUESTED") is None}
    while True:
        needed = set[str]().union(*(_required(one) for one in found if _name(one.name) not in going))
        if not needed & going.keys():
            return sorted(going), sum(map(_bytes, going.values()))
        going = {name: one for name, one in going.items() if name not in needed}


def _required(one: Distribution) -> set[str]:
    return {_name(match[0]) for line in one.requires or [] if (match := re.match(r"[\w.-]+", line))}


def _name(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


def _bytes(one: Distribution) -> int:
    size = 0
    for file in one.files or []:
        with suppress(OSError):
            size += Path(str(one.locate_file(file))).stat().st_size
    return size


if __name__ == "__main__":
    here = list(distributions())
    what, *given = sys.argv[1:]
    print(MARK, json.dumps(brought(here) if what == "brought" else unneeded(here, given)))
