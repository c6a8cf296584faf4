"""Asks one question twice, beside the chats, and says what the difference is worth."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

from PySide6.QtCore import QObject

from app.chat_settings import ChatSettings
from app.chatting import Chatting
from app.compare_sides import Side, Wish, sides
from app.compare_verdict import Expected, Parting, expected_ratio, measured_ratio, parting
from app.error_texts import in_words
from app.language import tr
from app.loader import Loader
from app.trials import Trials
from app.views.compare_page import ComparePage, Shown, Verdict
from app.views.window import Window
from inference.events import Delta, Failed, Finished, PromptProgress, Round
from inference.messages import Message
from inference.statistics import ReplyStatistics
from inference.trials import Trial, TrialNews, TrialsDone, TrialsPlanned


@dataclass
class Reading:
    """One side, as it comes in. seconds: from asking to the end."""

    side: Side
    text: str = ""
    statistics: ReplyStatistics | None = None
    finished: bool = False
    began: float = field(default_factory=perf_counter)
    seconds: float = 0.0


class Comparing(QObject):
    def __init__(
        self, window: Window, chatting: Chatting, settings: ChatSettings, trials: Trials, loader: Loader
    ) -> None:
        super().__init__()
        self._window = window
        self._chatting = chatting
        self._settings = settings
        self._trials = trials
        self._loader = loader
        self._context: list[Message] = []
        self.readings: list[Reading] = []
        self._trouble = ""
        self._running = False
        self.page = ComparePage(window)
        self.page.start_requested.connect(self.start)
        self.page.stop_requested.connect(trials.stop)
        window.compare_requested.connect(self.open_page)
        for signal in (loader.changed, trials.began, trials.ended, chatting.changed):
            signal.connect(self._show_obstacle)

    def open_page(self, reply: str = "") -> None:
        """With the question that `reply` answers; else with what is being written, or the last question."""
        if not self._running:
            self._take_question(reply)
            settings = self._settings.current
            self.page.show_base(settings.temperature, settings.draft_length, self._drafters())
        self._show_obstacle()
        self.page.show()
        self.page.activateWindow()

    def start(self, wish: Wish) -> None:
        messages = (*self._context, Message("user", wish.question))
        both = sides(wish, self._chatting.generation())
        trials = [Trial(messages, side.settings) for side in both]
        reason = tr("Two ways of replying are being compared.")
        if self._trials.start(lambda engine: trials, reason, self._take):
            self._running, self._trouble = True, ""
            self.readings = [Reading(side) for side in both]
            self.page.begin([side.name for side in both])
            self._show_obstacle()

    def close(self) -> None:
        self.page.close()

    def _take_question(self, reply: str) -> None:
        conversation, written = self._chatting.conversation, self._window.composer.text().strip()
        prompt = conversation.prompt(self._settings.current.system_prompt, instead=reply)
        if reply or not written:
            while prompt and prompt[-1].role == "assistant":
                prompt.pop()
            written = prompt.pop().content if prompt and prompt[-1].role == "user" else ""
        self._context = prompt
        self.page.show_question(written, sum(message.role != "system" for message in prompt))

    def _drafters(self) -> Sequence[str]:
        models = ["model", "combined"] if self._loader.draft is not None else []
        return ["none", "ngram", *models, "head", "automatic"]

    def _show_obstacle(self) -> None:
        self.page.show_state(running=self._running, obstacle="" if self._running else self._trials.obstacle())

    def _take(self, letter: TrialsPlanned | TrialNews | TrialsDone | Failed) -> None:
        match letter:
            case TrialNews(index=index, event=event):
                self._hear(index, event)
            case Failed(message=message, remedy=remedy):
                self._end(cancelled=False, trouble=in_words(message, remedy))
            case TrialsDone(cancelled=cancelled):
                self._end(cancelled=cancelled)

    def _hear(self, index: int, event: PromptProgress | Round | Delta | Finished | Failed) -> None:
        reading = self.readings[index]
        match event:
            case PromptProgress(done=done, reused=reused) if done == reused:
                reading.began = perf_counter()
            case Delta(text=text):
                reading.text += text
                self.page.extend(index, text)
            case Round(reply=statistics):
                reading.statistics = statistics
            case Finished(statistics=statistics, reason=reason):
                reading.statistics, reading.finished = statistics, reason != "cancelled"
            case Failed(message=message, remedy=remedy):
                self._trouble = in_words(message, remedy)
        reading.seconds = perf_counter() - reading.began
        self.page.show_figures(index, self._shown(index))

    def _shown(self, index: int) -> Shown:
        reading = self.readings[index]
        return Shown(reading.statistics, reading.seconds, reading.finished)

    def _end(self, *, cancelled: bool, trouble: str = "") -> None:
        self._running = False
        self._trouble = trouble or self._trouble
        whole = all(reading.finished for reading in self.readings)
        self.page.show_verdict(self._verdict() if whole else None, cancelled=cancelled, trouble=self._trouble)
        self._show_obstacle()

    def _verdict(self) -> Verdict:
        left, right = self.readings
        assert left.statistics is not None and right.statistics is not None
        apart: Parting | None = parting(left.text, right.text)
        expected: Expected | None = expected_ratio(left.statistics, right.statistics)
        samplings = [reading.side.settings.sampling for reading in self.readings]
        return Verdict(
            measured_ratio(left.statistics, right.statistics),
            expected,
            same_expected=samplings[0] == samplings[1] and samplings[0].greedy,
            parting=apart,
        )
