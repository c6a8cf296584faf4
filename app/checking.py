"""The check of the output: twenty prompts, greedy, without and with speculation; are the words the same?"""

from dataclasses import replace
from pathlib import Path
from time import monotonic

from app.chatting import Chatting
from app.checking_report import CheckReport, Reply
from app.compare_sides import Wish, sides
from app.language import tr
from app.loader import Loader
from app.save_dialog import ask_where_to_save
from app.trial_run import TrialRun
from app.trials import SeriesLetter, Trials
from app.views.checking_page import CheckingPage, CheckWish
from app.views.window import Window
from inference.bench import prompts
from inference.events import Delta, Failed, Finished
from inference.messages import Message
from inference.trials import Trial, TrialNews, TrialsDone

PROMPTS = "prompts.jsonl"
WAYS = 2  # without and with


class Checking(TrialRun):
    page: CheckingPage

    def __init__(self, window: Window, chatting: Chatting, trials: Trials, loader: Loader) -> None:
        super().__init__(CheckingPage(window), window, chatting, trials, loader)
        self._text = ""
        self._began = 0.0
        self.report: CheckReport | None = None
        self.page.start_requested.connect(self.start)
        self.page.save_requested.connect(self._ask_where)
        window.check_requested.connect(self.open_page)

    def start(self, wish: CheckWish) -> None:
        chosen = prompts.in_languages(prompts.shipped(PROMPTS), [wish.language])
        chosen = prompts.first_of_each(chosen, max(1, wish.count // 2))
        generation = self._chatting.generation()
        greedy = replace(generation, sampling=replace(generation.sampling, temperature=0.0, repetition_penalty=1.0))
        plain, drafted = sides(Wish("", tokens=wish.tokens), greedy)
        always = replace(drafted.settings, speculation=replace(drafted.settings.speculation, mode="on"))
        trials = [
            Trial((Message("user", prompt.prompt),), settings)
            for prompt in chosen
            for settings in (plain.settings, always)
        ]
        if not self._begin(lambda engine: trials, tr("The output is being checked."), self._take):
            return
        target = self._loader.target
        assert target is not None
        self._text, self._began = "", monotonic()
        self.report = CheckReport.begin(target.spec.name, target.description, wish.tokens, chosen)
        self.page.begin(self.report)
        self._show_obstacle()

    def save(self, path: Path) -> None:
        if self.report is None:
            return
        text = self.report.to_json() if path.suffix == ".json" else self.report.markdown()
        self._export(path, text, tr("The report could not be saved ({error})."))

    def _ask_where(self) -> None:
        kinds = {"md": tr("Markdown"), "json": tr("JSON")}
        ask_where_to_save(self.page, tr("Save the report"), "foreword-check.md", kinds, self.save)

    def _take(self, letter: SeriesLetter) -> None:
        assert self.report is not None
        match letter:
            case TrialNews(index=index, event=Delta(text=text)):
                self._text += text
            case TrialNews(index=index, event=Finished(reason=reason, statistics=statistics)):
                if reason != "cancelled":
                    reply = Reply(self._text, statistics)
                    place, way = divmod(index, WAYS)
                    self.report = self.report.with_reply(place, drafted=bool(way), reply=reply)
                    self._show_progress(index + 1)
                self._text = ""
            case TrialNews(event=Failed(message=message, remedy=remedy)) | Failed(message=message, remedy=remedy):
                self.report = replace(self.report, trouble=f"{message} {remedy}".strip())
                if isinstance(letter, Failed):
                    self._finish()
            case TrialsDone(cancelled=cancelled):
                whole = self.report.compared == len(self.report.rows)
                trouble = self.report.trouble or ("It was stopped." if cancelled else "")
                self.report = replace(self.report, finished=whole, trouble="" if whole else trouble)
                self._finish()

    def _show_progress(self, done: int) -> None:
        assert self.report is not None
        total = WAYS * len(self.report.rows)
        self.page.show_progress(self.report, done / total, (monotonic() - self._began) / done * (total - done))

    def _finish(self) -> None:
        assert self.report is not None
        self.page.finish(self.report)
        self._end()
