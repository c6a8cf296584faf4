"""Benchmarks in the window: runs a protocol on the loaded engine, keeps what came out, and exports it."""

import logging
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from time import monotonic

from app.benchmarks_plan import BenchmarkWish, Series, plan
from app.benchmarks_store import ArmResult, BenchmarkResult, BenchmarkStore, to_csv
from app.chatting import Chatting
from app.error_texts import in_words
from app.language import tr
from app.loader import Loader
from app.save_dialog import ask_where_to_save
from app.trial_run import TrialRun
from app.trials import SeriesLetter, Trials
from app.views.benchmarks_page import BenchmarksPage
from app.views.window import Window
from inference.bench.figures import rows
from inference.bench.sample import Run, Sample
from inference.chat_engine import ChatEngine
from inference.events import Failed, Finished
from inference.statistics import ReplyStatistics
from inference.trials import Trial, TrialNews, TrialsDone

log = logging.getLogger(__name__)


class Benchmarks(TrialRun):
    page: BenchmarksPage

    def __init__(self, window: Window, chatting: Chatting, trials: Trials, loader: Loader, path: Path) -> None:
        """path: the file of the results."""
        super().__init__(BenchmarksPage(window), window, chatting, trials, loader)
        self._store = BenchmarkStore(path)
        self._series: Series | None = None  # made in the worker's thread before the first news
        self._samples: list[Sample] = []
        self._begun = BenchmarkResult("", "", "", "short", "none", 0, 0, 0.0, False, ())
        self._clock = 0.0
        self._trouble = ""
        self.result: BenchmarkResult | None = None
        self.page.start_requested.connect(self.start)
        self.page.export_requested.connect(self._ask_where)
        window.benchmark_requested.connect(self.open_page)

    def open_page(self) -> None:
        self.page.show_history(self._history())
        super().open_page()

    def start(self, wish: BenchmarkWish) -> None:
        settings, target = self._chatting.generation(), self._loader.target

        def make(engine: ChatEngine) -> tuple[Trial, ...]:
            self._series = plan(wish, settings, engine)
            return self._series.trials

        if target is None or not self._begin(make, tr("A benchmark is running."), self._take):
            return
        self._samples, self._trouble, self._clock = [], "", monotonic()
        began = datetime.now().astimezone().isoformat(timespec="seconds")
        self._begun = BenchmarkResult(
            began, target.spec.name, target.description, wish.protocol, wish.sweep, 0, wish.runs, 0.0, False, ()
        )
        self.page.begin()
        self._show_obstacle()

    def save(self, path: Path) -> None:
        """All results that are kept, as CSV."""
        self._export(path, to_csv(self._history()), tr("The results could not be saved ({error})."))

    def _ask_where(self) -> None:
        kinds = {"csv": tr("Comma-separated values")}
        ask_where_to_save(self.page, tr("Export all results"), "foreword-benchmarks.csv", kinds, self.save)

    def _history(self) -> list[BenchmarkResult]:
        """With the newest, which may not have been written yet."""
        try:
            results = self._store.all()
        except OSError as error:
            log.warning("no results: %s", error)
            results = []
        return results if self.result is None or self.result in results else [*results, self.result]

    def _take(self, letter: SeriesLetter) -> None:
        match letter:
            case TrialNews(index=index, event=Finished(reason=reason, statistics=statistics)):
                if reason != "cancelled":
                    self._measure(index, statistics)
            case TrialNews(event=Failed(message=message, remedy=remedy)):
                self._trouble = in_words(message, remedy)
            case Failed(message=message, remedy=remedy):
                self._trouble = in_words(message, remedy)
                self._finish(finished=False)
            case TrialsDone(cancelled=cancelled):
                self._finish(finished=not cancelled and not self._trouble)

    def _measure(self, index: int, statistics: ReplyStatistics) -> None:
        series = self._series
        assert series is not None
        done, total = index + 1, len(series.arms) * (1 + len(series.cases))
        left_s = (monotonic() - self._clock) / done * (total - done)
        place = series.place(index)
        if place is not None:
            number, arm = place
            run = Run(
                tok_s=statistics.tokens_per_second,
                prefill_tok_s=statistics.prefill_tokens_per_second,
                first_token_s=statistics.time_to_first_token_s,
                proposed=statistics.proposed,
                accepted=statistics.accepted,
                statistics=statistics,
            )
            self._samples.append(Sample(arm.name, series.cases[number].task, number, 0, run))
            self.page.show_result(self._summary(finished=False))
        self.page.show_progress(done, total, left_s)

    def _summary(self, *, finished: bool) -> BenchmarkResult:
        series = self._series
        assert series is not None
        arms = {arm.name: arm for arm in series.arms}
        results = tuple(
            ArmResult(
                task="code" if row.group == "code" else "prose",
                arm=row.arm,
                x=arms[row.arm].x,
                temperature=arms[row.arm].temperature,
                runs=row.runs,
                tok_s=row.tok_s,
                ratio=row.ratio.median if row.ratio else None,
                acceptance_rate=row.acceptance_rate,
                draft_share=row.draft_share,
                tokens_per_round=row.tokens_per_round,
                first_token_s=row.first_token_s,
                prefill_tok_s=row.prefill_tok_s,
            )
            for row in rows(self._samples, list(arms))
        )
        seconds = monotonic() - self._clock
        return replace(self._begun, tokens=series.tokens, seconds=seconds, finished=finished, arms=results)

    def _finish(self, *, finished: bool) -> None:
        if self._samples:
            self.result = self._summary(finished=finished)
            self._later.do(partial(self._keep, self.result), f"result of {self.result.began}")
            self.page.show_result(self.result)
        self.page.finish(finished=finished, trouble=self._trouble)
        self.page.show_history(self._history())
        self._end()

    def _keep(self, result: BenchmarkResult) -> None:
        try:
            self._store.add(result)
        except OSError as error:
            log.warning("the result was not kept: %s", error)
            reason = in_words(error.strerror or str(error))
            self._noted.emit(tr("The result could not be kept ({error}).").format(error=reason))
