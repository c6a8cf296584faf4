"""What the program is made of besides its window."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.preferences import Preferences
from app.starts import Starts
from app.worker import ModelStore
from inference.chat_engine import ChatEngine


@dataclass(frozen=True)
class Parts:
    """The factories are called in the worker's thread."""

    preferences: Preferences
    chats_folder: Path
    window_state: Path  # where the window and its columns were
    make_engine: Callable[[], ChatEngine]
    make_store: Callable[[], ModelStore]
    log_folder: Path
    starts: Starts
    system_reduces_motion: Callable[[], bool]  # called in a thread of its own
    welcome: bool = False  # whether somebody new is to be welcomed
