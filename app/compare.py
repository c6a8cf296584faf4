"""Asks one question twice, beside the chats, and says what the difference is worth."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

from app.chat_settings import ChatSettings
from app.chatting import Chatting
from app.compare_sides import Side, Wish, sides
from app.compare_verdict import Expected, Parting, expected_ratio, measured_ratio, parting
from app.drafter_names import capital, key_name
from app.error_texts import in_words
from app.language import tr
from app.loader import Loader
from app.trial_run import TrialRun
from app.trials import SeriesLetter, Trials
from app.views.compare_page import ComparePage, Shown, Verdict
from app.views.window import Window
from app.worker import Letter, RoutesTold, Worker
from inference.events import Delta, Failed, Finished, PromptProgress, Round
from inference.messages import Message
from inference.profiles import Candidate
from inference.statistics import ReplyStatistics
from inference.trials import Trial, TrialNews, TrialsDone


@dataclass
class Reading:
    """One side, as it comes in. seconds: from asking to the end."""

    side: Side
    text: str = ""
    statistics: ReplyStatistics | None = None
    finished: bool = False
    began: float = field(default_factory=perf_counter)
    seconds: float = 0.0


class Comparing(TrialRun):
    page: ComparePage

    def __init__(
        self,
        window: Window,
        chatting: Chatting,
        trials: Trials,
        loader: Loader,
        *,
        settings: ChatSettings,
        worker: Worker,
    ) -> None:
        super().__init__(ComparePage(window), window, chatting, trials, loader)
        self._settings = settings
        self._worker = worker
        self._routes_run = ""
        self._context: list[Message] = []
        self.readings: list[Reading] = []
        self._trouble = ""
        self.page.start_requested.connect(self.start)
        window.compare_requested.connect(self.open_with)
        loader.changed.connect(self._ask_for_drafts)
        self._show_drafts(())

    def open_with(self, reply: str = "") -> None:
        """With the question that `reply` answers; else with what is being written, or the last question."""
        if not self._running:
            self._take_question(reply)
            settings = self._settings.current
            self.page.show_base(settings.temperature, settings.draft_length)
        self.open_page()
        self._ask_for_drafts()

    def start(self, wish: Wish) -> None:
        messages = (*self._context, Message("user", wish.question))
        both = sides(wish, self._chatting.generation())
        trials = [Trial(messages, side.settings) for side in both]
        if self._begin(lambda engine: trials, tr("Two ways of replying are being compared."), self._take):
            self._trouble = ""
            self.readings = [Reading(side) for side in both]
            self.page.begin([side.name for side in both])
            self._show_obstacle()

    def take(self, run_id: str, letter: Letter) -> bool:
        """News of a run beside the series; False if it is none of ours."""
        if run_id != self._routes_run or not run_id:
            return False
        self._routes_run = ""
        if isinstance(letter, RoutesTold) and letter.routes is not None:
            self._show_drafts(letter.routes.candidates)
        return True

    def _ask_for_drafts(self) -> None:
        """By name; told when the worker has time."""
        if self._loader.target is None:
            self._routes_run = ""
        elif self.page.isVisible() and not (self._routes_run or self._running):
            self._routes_run = self._worker.routes()

    def _show_drafts(self, candidates: Sequence[Candidate]) -> None:
        keys = [candidate.key for candidate in candidates if candidate.kind != "none"]
        named = [(key, capital(key_name(key))) for key in ("none", *(keys or ("ngram",)), "automatic")]
        self.page.show_drafts(named)

    def _take_question(self, reply: str) -> None:
        conversation, written = self._chatting.conversation, self._window.composer.text().strip()
        prompt = conversation.prompt(self._settings.current.system_prompt, instead=reply)
        if reply or not written:
            while prompt and prompt[-1].role == "assistant":
                prompt.pop()
            written = prompt.pop().content if prompt and prompt[-1].role == "user" else ""
        self._context = prompt
        self.page.show_question(written, sum(message.role != "system" for message in prompt))

    def _take(self, letter: SeriesLetter) -> None:
        match letter:
            case TrialNews(index=index, event=event):
                self._hear(index, event)
            case Failed(message=message, remedy=remedy):
                self._finish(cancelled=False, trouble=in_words(message, remedy))
            case TrialsDone(cancelled=cancelled):
                self._finish(cancelled=cancelled)

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

    def _finish(self, *, cancelled: bool, trouble: str = "") -> None:
        self._trouble = trouble or self._trouble
        whole = all(reading.finished for reading in self.readings)
        self.page.show_verdict(self._verdict() if whole else None, cancelled=cancelled, trouble=self._trouble)
        self._end()

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
