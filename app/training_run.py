"""A training run in a process of its own, as the window sees it: started, watched, paused, stopped. Knows no Qt.

`foreword train-draft --json` tells everything in lines. It waits while its `busy` file was touched in the last seconds,
which is how it is paused and how it makes way for a reply.
"""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from inference import child_process
from inference.tasks import TASKS, Task

log = logging.getLogger(__name__)

FOR_EVER_S = 10 * 365 * 86_400.0  # a pause: the file is dated so far ahead
STEPS = ("replies", "features", "train", "measure", "package")
KILL_AFTER_S = 5.0  # a process that was asked to end writes its checkpoint meanwhile


@dataclass(frozen=True)
class TrainingWish:
    """What the person asks for."""

    model: str
    tasks: tuple[Task, ...] = TASKS
    include_chats: bool = False
    prompts: str = ""  # a file
    reply_tokens: int = 1_000_000
    train_tokens: int = 4_000_000

    def arguments(self, busy: Path) -> list[str]:
        """After `foreword`."""
        said = ["train-draft", "--json", "--model", self.model, "--tasks", ",".join(self.tasks)]
        said += ["--reply-tokens", str(self.reply_tokens), "--train-tokens", str(self.train_tokens)]
        said += ["--busy", str(busy)]
        said += ["--include-my-chats"] if self.include_chats else []
        return said + (["--prompts", self.prompts] if self.prompts else [])


@dataclass(frozen=True)
class TrainingState:
    """step "": none yet. estimate: as `inference.training.plan.Estimate` says it. curve: shares of first guesses that
    were right, in order. drafts: folders of finished ones, with what they gained. running: the process lives."""

    running: bool = False
    paused: bool = False
    step: str = ""
    head: str = ""
    done: int = 0
    total: int = 0
    left_s: float | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)
    estimate: Mapping[str, Any] = field(default_factory=dict)
    curve: tuple[float, ...] = ()
    drafts: tuple[str, ...] = ()
    gained: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # by task
    error: str = ""

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0.0

    def after(self, line: str) -> "TrainingState":
        """What one line of the process changes; a line that is no news (a warning of some library) changes nothing."""
        try:
            news = json.loads(line)
        except ValueError:
            news = None
        if not isinstance(news, dict):
            return self
        if "progress" in news:
            return self._after_progress(news["progress"])
        if "estimate" in news:
            return replace(self, estimate=news["estimate"])
        if "draft" in news:
            return replace(self, drafts=(*self.drafts, str(news["draft"])))
        if "error" in news:
            return replace(self, error=" ".join(str(news.get(name) or "") for name in ("error", "remedy")).strip())
        return self

    def _after_progress(self, news: Mapping[str, Any]) -> "TrainingState":
        figures, step = news["figures"], str(news["step"])
        head = str(figures.get("head", ""))
        curve = self.curve if (step, head) == (self.step, self.head) else ()
        if "agreement_1" in figures:
            curve = (*curve, float(figures["agreement_1"]))
        gained = self.gained
        if step == "package" and head:
            gained = {**gained, head: figures}
        return replace(
            self,
            step=step,
            head=head,
            done=int(news["done"]),
            total=int(news["total"]),
            left_s=news["left_s"],
            paused=bool(news["paused"]),
            figures=figures,
            curve=curve,
            gained=gained,
        )


class TrainingRun:
    """on_change is called in a thread of this run, with every new state; the last one has `running` off."""

    def __init__(self, busy: Path, on_change: Callable[[TrainingState], None]) -> None:
        self._busy = busy
        self._on_change = on_change
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._stopped = False
        self.state = TrainingState()

    def start(self, wish: TrainingWish) -> None:
        """Raises OSError when no process can be started."""
        self._start(wish.arguments(self._busy))

    def _start(self, arguments: Sequence[str]) -> None:
        if self.state.running:
            raise ValueError("a run is under way")
        self.make_way(False)
        self._stopped = False
        self._process = child_process.start(arguments)
        self._tell(TrainingState(running=True))
        self._thread = threading.Thread(target=self._read, args=(self._process,), name="training")
        self._thread.start()

    def make_way(self, wanted: bool, seconds: float = FOR_EVER_S) -> None:
        """Let the run wait, or go on. seconds: how long at the most, should nobody say otherwise."""
        if not wanted:
            self._busy.unlink(missing_ok=True)
            return
        self._busy.parent.mkdir(parents=True, exist_ok=True)
        self._busy.touch()
        until = time.time() + seconds
        os.utime(self._busy, (until, until))

    def stop(self) -> None:
        """It writes what it has and ends; the next run goes on from there."""
        if self._process is not None and self._process.poll() is None:
            self._stopped = True
            if sys.platform == "win32":
                self._process.terminate()  # checkpoints are written every minute, and whole or not at all
            else:
                self._process.send_signal(signal.SIGTERM)

    def close(self) -> None:
        """Stop, and wait until the process is gone."""
        self.stop()
        if self._process is not None:
            try:
                self._process.wait(KILL_AFTER_S)
            except subprocess.TimeoutExpired:
                log.warning("the training process did not end and was killed")
                self._process.kill()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.make_way(False)

    def _read(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        others: list[str] = []
        with process.stdout:
            for line in process.stdout:
                new = self.state.after(line)
                if new is self.state:
                    others = [*others[-20:], line.rstrip()]
                else:
                    self._tell(new)
        code = process.wait()
        error = self.state.error
        if code != 0 and not error and not self._stopped:
            log.error("training ended with %d:\n%s", code, "\n".join(others))
            error = f"The training ended unexpectedly (code {code}). The log has the details."
        self._tell(replace(self.state, running=False, paused=False, left_s=None, error=error))

    def _tell(self, state: TrainingState) -> None:
        self.state = state
        self._on_change(state)
