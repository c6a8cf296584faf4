"""What helps to understand speed: advice, comparing, checking, benchmarks; and the runs they share."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QSettings

from app.advice import Advising
from app.benchmarks import Benchmarks
from app.chat_settings import ChatSettings
from app.chatting import Chatting
from app.checking import Checking
from app.compare import Comparing
from app.loader import Loader
from app.replies import Replies
from app.trials import Trials
from app.views.window import Window
from app.worker import Letter, Worker


class Speed(QObject):
    def __init__(
        self,
        window: Window,
        worker: Worker,
        loader: Loader,
        *,
        replies: Replies,
        chatting: Chatting,
        settings: ChatSettings,
        state: QSettings,
        results: Path,
    ) -> None:
        """state: where the window keeps what it is like. results: the file of the benchmarks."""
        super().__init__()
        self.trials = Trials(worker, loader, replies)
        self.advising = Advising(window, loader, worker, replies, state)
        self.comparing = Comparing(window, chatting, self.trials, loader, settings=settings, worker=worker)
        self.checking = Checking(window, chatting, self.trials, loader)
        self.benchmarks = Benchmarks(window, chatting, self.trials, loader, results)

    def take(self, run_id: str, letters: Sequence[Letter]) -> bool:
        """News of a run; False if it is none of ours."""
        return self.trials.take(run_id, letters) or any(
            part.take(run_id, letter) for letter in letters for part in (self.advising, self.comparing)
        )

    def close(self) -> None:
        self.trials.close()
        for part in (self.comparing, self.checking, self.benchmarks):
            part.close()
