"""Modules imported after Qt leave nothing behind but themselves."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import linecache
import PySide6.QtCore
from app.plain_imports import restore_import
if "plain" in __import__("sys").argv:
    restore_import()
import unittest
print(any("unittest" in name for name in linecache.cache))
"""


def kept(*arguments: str) -> str:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True, cwd=root
    )
    return done.stdout.strip()


def test_sources_are_not_read_for_qt() -> None:
    assert kept("plain") == "False"


def test_the_reason_for_it_still_holds() -> None:
    """When this fails, the bindings have stopped reading sources, and `app.plain_imports` can go."""
    assert kept() == "True"
