"""How the last starts went: whether the program ended by itself, and whether it came as far as a loaded model."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from app.later import Later
from inference.manager.files import read_json, write_json

ENOUGH = 2  # starts in a row that came to nothing


@dataclass
class Starts:
    """Made once a start, after it is known that no other Foreword runs; each call has the file written.

    crashed: the last one ended without saying so. failed: how many in a row, up to the last, ended so before they were
    ready. A disk that refuses is no reason not to start.
    """

    path: Path
    crashed: bool = False
    failed: int = 0
    asked: bool = False  # the person wants safe mode
    later: Later = field(default_factory=lambda: Later("writer of starts"), repr=False, compare=False)

    def begin(self, *, careful: bool = False) -> None:
        """careful: see `asked`. On the disk when it returns: what comes next may be what ends the program."""
        try:
            last = read_json(self.path)
            running, ready, failed = bool(last["running"]), bool(last["ready"]), int(last["failed"])
        except (OSError, ValueError, KeyError, TypeError):
            running, ready, failed = False, True, 0
        self.crashed = running
        self.failed = failed + 1 if running and not ready else 0
        self.asked = careful
        self._write(running=True, ready=False)

    @property
    def safe_mode(self) -> bool:
        """Whether to start without what may have been the reason."""
        return self.asked or self.failed >= ENOUGH

    def ready(self) -> None:
        """Everything is up, and what was to be loaded has been, or has said why not."""
        self.failed = 0
        self.later.do(partial(self._write, running=True, ready=True))

    def end(self) -> None:
        """On the disk when it returns, after all else."""
        self.later.flush()
        self._write(running=False, ready=True)

    def _write(self, *, running: bool, ready: bool) -> None:
        values = {"running": running, "ready": ready, "failed": self.failed}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_json(self.path, values)
        except OSError:
            return  # the next start knows nothing of this one, and that is all
