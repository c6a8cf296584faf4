"""Does the window slow the engine down? The same question in turn through the real window and to the engine alone.

    python packaging/measure_window.py MODEL [--temperature 0] [--tokens 256] [--pairs 9] [--mode automatic] [--json]

Run it with the environment's own Python; without a screen the window is drawn into memory (QT_QPA_PLATFORM=offscreen).
MODEL is a folder, a .gguf file, or the name of a model in the store. It also says how long the window at most did not
answer while a reply ran; that is watched in replies of their own, as watching takes time, too (to look at that for
minutes: more pairs and tokens). Ends with status 1 where the window reaches less than 95 % of the engine's speed
(median over the pairs), 2 where the model cannot be loaded.
"""

import argparse
import json
import math
import os
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, stdev
from time import perf_counter

sys.path.append(str(Path(__file__).resolve().parent.parent))

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.application import Application
from app.garbage import Garbage, settle
from app.parts import Parts
from app.preferences import Preferences
from app.settings_file import SettingsFile
from app.starts import Starts
from app.worker import ModelStore
from inference.chat_engine import ChatEngine, PassCosts
from inference.events import Failed, Finished
from inference.messages import Message

SHARE = 0.95
BEAT_MS = 5
PAUSE_MS = 300  # before each reply: for what the window still does after the last, and since a rest changes the speed
QUESTION = "Write a Python class for a bank account with deposits and withdrawals, and explain how it works."


@dataclass(frozen=True)
class Comparison:
    """tok/s of each reply, pair by pair."""

    window: list[float] = field(default_factory=list)
    engine: list[float] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The window's speed over the engine's."""
        return median(self._ratios())

    @property
    def error(self) -> float:
        """The standard error of the ratios' mean, which their median has about as well."""
        ratios = self._ratios()
        return stdev(ratios) / math.sqrt(len(ratios)) if len(ratios) > 1 else math.inf

    def _ratios(self) -> list[float]:
        return [one / other for one, other in zip(self.window, self.engine, strict=True)]


class Beat:
    """How long the event loop at most did not come round while this ran, in milliseconds."""

    def __init__(self) -> None:
        self._timer = QTimer(interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._last_s = 0.0
        self.longest_ms = 0.0

    def start(self) -> None:
        self._last_s = perf_counter()
        self._timer.start()

    def stop(self) -> None:
        self._beat()
        self._timer.stop()

    def _beat(self) -> None:
        now_s = perf_counter()
        self.longest_ms = max(self.longest_ms, 1000 * (now_s - self._last_s) - BEAT_MS)
        self._last_s = now_s


class Measured:
    """The program in `folder` with a real engine, which can also be asked behind its back."""

    def __init__(self, qt: QApplication, folder: Path, session: dict[str, object]) -> None:
        self._engine: ChatEngine | None = None
        self._asked = threading.Lock()  # one at a time: the program measures passes of its own between replies
        preferences = Preferences(SettingsFile(folder / "settings.toml"), session)
        parts = Parts(
            preferences,
            folder / "chats",
            folder / "window.ini",
            self._make_engine,
            make_store,
            folder / "log",
            Starts(folder / "starts.json"),
            system_reduces_motion=lambda: False,
        )
        self._garbage = Garbage()
        self.beat = Beat()
        self.application = Application(qt, parts)
        self._garbage.is_busy = lambda: self.application.replying

    def _make_engine(self) -> ChatEngine:
        from inference.engine import Engine

        asked = self._asked

        class Guarded(Engine):
            def pass_costs(self) -> PassCosts | None:
                with asked:
                    return super().pass_costs()

        self._engine = Guarded()
        settle()
        return self._engine

    def start(self) -> str:
        """Load the model. What went wrong, or nothing."""
        application, wait = self.application, QEventLoop()
        application.model_ready.connect(wait.quit)
        application.loader.failed.connect(wait.quit)
        application.start()
        wait.exec()
        failure = application.loader.failure
        return "" if failure is None else f"{failure.message} {failure.remedy}".strip()

    def pause(self) -> None:
        wait = QEventLoop()
        QTimer.singleShot(PAUSE_MS, wait.quit)
        wait.exec()

    def through_window(self, *, watched: bool = False) -> float:
        """tok/s of one reply in a new chat. watched: `beat` looks whether the window answers."""
        self.pause()
        self.application.chatting.new_chat()
        wait = QEventLoop()
        self.application.replies.ended.connect(wait.quit)
        self.application.send(QUESTION)
        if watched:
            self.beat.start()
        wait.exec()
        if watched:
            self.beat.stop()
        self.application.replies.ended.disconnect(wait.quit)
        figures = self.application.conversation.messages[-1].statistics
        return 0.0 if figures is None else figures.tokens_per_second

    def alone(self) -> float:
        """tok/s of the engine, asked the same while the window has nothing to do."""
        self.pause()
        assert self._engine is not None  # loaded
        settings = self.application.chatting.generation()
        system = self.application.chat_settings.current.system_prompt
        messages = [*([Message("system", system)] if system else []), Message("user", QUESTION)]
        speed = 0.0
        with self._asked:
            for event in self._engine.generate(messages, settings, threading.Event()):
                assert not isinstance(event, Failed), event
                if isinstance(event, Finished):
                    speed = event.statistics.tokens_per_second
        return speed

    def close(self) -> None:
        self.application.close()
        self._garbage.close()


def make_store() -> ModelStore:
    from inference.manager.store import Store

    return Store()


def compare(measured: Measured, pairs: int) -> Comparison:
    """The first pair warms both up and does not count; who begins alternates."""
    result = Comparison()
    for number in range(pairs + 1):
        ways = [("window", measured.through_window), ("engine", measured.alone)]
        speeds = {name: way() for name, way in (ways if number % 2 else reversed(ways))}
        if number:
            result.window.append(speeds["window"])
            result.engine.append(speeds["engine"])
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="The window's speed against the engine's.")
    parser.add_argument("model")
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--mode", choices=("off", "on", "automatic"), default="automatic")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    qt = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(qt, QApplication)
    session: dict[str, object] = {"model": asked.model, "temperature": asked.temperature, "max_tokens": asked.tokens}
    session |= {"speculation": asked.mode, "name_chats": False, "learn_from_chats": False, "seed": 1}
    with tempfile.TemporaryDirectory(prefix="foreword-") as folder:
        measured = Measured(qt, Path(folder), session)
        try:
            if failure := measured.start():
                print(failure, file=sys.stderr)
                return 2
            result = compare(measured, asked.pairs)
            for _ in range(asked.pairs):
                measured.through_window(watched=True)
            stall_ms = measured.beat.longest_ms
        finally:
            measured.close()
    if asked.json:
        figures = {"window": result.window, "engine": result.engine, "share": result.share, "stall_ms": stall_ms}
        print(json.dumps(figures))
    else:
        for window, engine in zip(result.window, result.engine, strict=True):
            print(f"window {window:6.1f} tok/s, engine {engine:6.1f} tok/s, {window / engine:.3f}")
        print(f"while replies ran the window did not answer for {stall_ms:.0f} ms at most")
        error = f"median of {asked.pairs} pairs, error {result.error:.1%}"
        print(f"the window reaches {result.share:.1%} of the engine's speed ({error})")
    return 0 if result.share >= SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
