"""Benchmarks: what is measured, how far it is, a chart of it and of those before, and every figure in a table."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.benchmarks_curves import Measure, comparable, measure_words, of_history, of_result, way_words
from app.benchmarks_plan import RUNS, SWEEPS, BenchmarkWish
from app.benchmarks_store import ArmResult, BenchmarkResult
from app.language import tr
from app.theme import GRID, LABEL
from app.views import figures
from app.views.benchmarks_chart import BenchmarksChart
from app.views.choice_box import ChoiceBox
from app.views.layouts import clear, open_at
from app.views.run_page import RunPage, button_row, caption, progress_line, scrolled
from app.views.segmented import Segmented
from app.views.style import set_kind, ui_font
from inference.tasks import TASKS

WIDTH, HEIGHT = 880, 760
MEASURES: tuple[Measure, ...] = ("tok_s", "ratio", "acceptance_rate", "draft_share")


class BenchmarksPage(RunPage):
    """Wants a BenchmarkWish."""

    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Benchmark"), tr("Start"), parent)
        open_at(self, WIDTH, HEIGHT)
        self.setMinimumSize(560, 480)
        self._result: BenchmarkResult | None = None
        self._history: list[BenchmarkResult] = []
        self.protocol, self.tasks, self.runs, self.sweep = ChoiceBox(), ChoiceBox(), ChoiceBox(), ChoiceBox()
        self.view = Segmented([("result", tr("This result")), ("history", tr("Over time"))])
        self.view.name(tr("What the chart shows"), tr("One result, or those of the same protocol and model over time"))
        for button in self.view.buttons.values():  # room for the chosen one, which is strong
            strong = QFontMetrics(ui_font(LABEL, strong=True))
            button.setMinimumWidth(strong.horizontalAdvance(button.text()) + 3 * GRID)
        self.measure = ChoiceBox()
        self.measure.setAccessibleName(tr("What is drawn"))
        for measure in MEASURES:
            self.measure.addItem(measure_words(measure), measure)
        self.past = ChoiceBox()
        self.past.setAccessibleName(tr("Results that are kept"))
        self.past.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.past.setMinimumContentsLength(24)
        self.past.setPlaceholderText(tr("No results yet"))
        self.chart = BenchmarksChart()
        self.caption = QLabel()
        self.caption.setWordWrap(True)
        set_kind(self.caption, "muted")
        self.choices = [self.protocol, self.tasks, self.runs, self.sweep, self.past]
        self.export_button = QPushButton(tr("Export all as CSV…"))
        self._arrange()
        self._connect()
        self.view.show_value("result")
        self.show_state(running=False, obstacle="")
        self._draw()

    def _connect(self) -> None:
        self.export_button.clicked.connect(self.export_requested)
        self.view.edited.connect(lambda _: self._draw())
        self.measure.currentIndexChanged.connect(lambda _: self._draw())
        self.past.activated.connect(self._choose)

    def _arrange(self) -> None:
        self.progress = progress_line(self.bar, self.left)
        above = QHBoxLayout()
        above.setSpacing(GRID)
        above.addWidget(self.past, 1)
        above.addWidget(self.view)
        above.addWidget(self.measure)
        self.table = QGridLayout()
        self.table.setHorizontalSpacing(2 * GRID)
        self.table.setVerticalSpacing(6)
        self.table.setColumnStretch(0, 1)
        area = scrolled(self.table)
        foot = button_row((self.start_button, self.stop_button, self.export_button), self.note, self.close_button)
        page = QVBoxLayout(self)
        page.setContentsMargins(3 * GRID, 3 * GRID, 2 * GRID, 2 * GRID)
        page.setSpacing(12)
        page.addLayout(self._make_choices())
        page.addWidget(self.progress)
        page.addLayout(above)
        page.addWidget(self.chart, 3)
        page.addWidget(self.caption)
        page.addWidget(area, 2)
        page.addLayout(foot)
        self.progress.hide()

    def _make_choices(self) -> QGridLayout:
        options: tuple[tuple[str, QComboBox, list[tuple[str, object]]], ...] = (
            (
                tr("Protocol"),
                self.protocol,
                [(tr("Short: 128 tokens to write"), "short"), (tr("Long: 1,000 to read, 200 to write"), "long")],
            ),
            (
                tr("Text"),
                self.tasks,
                [(tr("Code and prose"), TASKS), (tr("Code"), ("code",)), (tr("Prose"), ("prose",))],
            ),
            (tr("Replies of each way"), self.runs, [(str(runs), runs) for runs in RUNS]),
            (
                tr("One thing changed at a time"),
                self.sweep,
                list(
                    zip(
                        (tr("Nothing: without and with"), tr("K from 1 to 8"), tr("Temperature"), tr("Drafts")),
                        SWEEPS,
                        strict=True,
                    )
                ),
            ),
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(4)
        for column, (text, box, values) in enumerate(options):
            for words, value in values:
                box.addItem(words, value)
            grid.addWidget(caption(text, box), 0, column)
            grid.addWidget(box, 1, column)
            grid.setColumnStretch(column, 1)
        return grid

    def show_state(self, *, running: bool, obstacle: str) -> None:
        super().show_state(running=running, obstacle=obstacle)
        self.export_button.setEnabled(bool(self._history))
        self.past.setEnabled(bool(self._history) and not running)

    @property
    def outcome(self) -> str:
        return self.note.text() or tr("finished")

    def wish(self) -> BenchmarkWish:
        values = (self.protocol, self.tasks, self.runs, self.sweep)
        protocol, tasks, runs, sweep = (box.currentData() for box in values)
        return BenchmarkWish(protocol, tuple(tasks), runs, sweep)

    def begin(self) -> None:
        self._result = None
        self.bar.setValue(0)
        self.left.setText(tr("warming up"))
        self.progress.show()
        self.show_note("")
        self.view.show_value("result")
        self._draw()

    def show_progress(self, done: int, total: int, left_s: float) -> None:
        """done, total: replies."""
        self.bar.setValue(round(1000 * done / total))
        words = tr("reply {done} of {total}, {time} left")
        self.left.setText(words.format(done=done, total=total, time=figures.duration(left_s)))

    def show_result(self, result: BenchmarkResult) -> None:
        self._result = result
        self._draw()

    def finish(self, *, finished: bool, trouble: str) -> None:
        self.progress.hide()
        self.show_note(trouble or ("" if finished else tr("Stopped; what was measured is kept.")))

    def show_history(self, results: Sequence[BenchmarkResult]) -> None:
        """Oldest first. Without a result of its own the page shows the newest."""
        self._history = list(results)
        self.past.clear()
        for result in reversed(self._history):
            self.past.addItem(self._name(result), result)
        self.past.setCurrentIndex(0 if self._history else -1)
        if self._result is None and self._history:
            self._result = self._history[-1]
        self.export_button.setEnabled(bool(self._history))
        self.past.setEnabled(bool(self._history) and not self._running)
        self._draw()

    @property
    def figures(self) -> list[tuple[str, ...]]:
        """The table as it reads, line by line."""
        return self._lines

    def _choose(self, index: int) -> None:
        self._result = self.past.itemData(index)
        self._draw()

    def _name(self, result: BenchmarkResult) -> str:
        names = {"length": tr("K from 1 to 8"), "temperature": tr("Temperature"), "drafts": tr("Drafts")}
        protocol = tr("Short") if result.protocol == "short" else tr("Long")
        parts = [result.began[:16].replace("T", " "), result.model, protocol, names.get(result.sweep, "")]
        parts.append("" if result.finished else tr("stopped"))
        return " · ".join(part for part in parts if part)

    def _draw(self) -> None:
        result, measure = self._result, self.measure.currentData()
        hint = tr("Choose what to measure and press Start. Results are kept, and drawn here.")
        self._fill(result)
        if result is None:
            self.chart.show_curves((), {}, "", hint=hint)
            self.caption.setText("")
            return
        if self.view.value == "history":
            chart = of_history(comparable(self._history, result), measure)
            hint = tr("There is no finished result of this protocol and model without a sweep yet.")
        else:
            chart = of_result(result, measure)
            hint = tr("This was not measured here.")
        self.chart.show_curves(chart.curves, chart.labels, chart.unit, bars=chart.bars, hint=hint)
        parts = [result.model, result.description, tr("{n} tokens a reply at most").format(n=result.tokens)]
        parts.append(tr("took {time}").format(time=figures.duration(result.seconds)))
        self.caption.setText(" · ".join(parts))

    def _fill(self, result: BenchmarkResult | None) -> None:
        clear(self.table)
        self._lines: list[tuple[str, ...]] = []
        if result is None or not result.arms:
            return
        heads = (
            tr("Way"),
            tr("tok/s"),
            tr("times as fast"),
            tr("accepted"),
            tr("draft share"),
            tr("a round"),
            tr("to the first"),
            tr("replies"),
        )
        self._line(0, heads, "heading")
        for number, arm in enumerate(result.arms, 1):
            self._line(number, self._words(arm))

    def _words(self, arm: ArmResult) -> tuple[str, ...]:
        def known(value: float | None, text: str) -> str:
            return figures.UNKNOWN if value is None else text

        return (
            way_words(arm.task, arm.arm),
            figures.speed(arm.tok_s),
            known(arm.ratio, f"{arm.ratio or 0:.2f}"),
            known(arm.acceptance_rate, figures.percent(arm.acceptance_rate or 0)),
            known(arm.draft_share, figures.percent(arm.draft_share or 0)),
            known(arm.tokens_per_round, f"{arm.tokens_per_round or 0:.1f}"),
            known(arm.first_token_s, figures.seconds(arm.first_token_s or 0)),
            str(arm.runs),
        )

    def _line(self, row: int, texts: tuple[str, ...], kind: str = "") -> None:
        self._lines.append(texts)
        for column, text in enumerate(texts):
            label = QLabel(text)
            label.setFont(ui_font(13, tabular=True))
            if kind:
                set_kind(label, kind)
            side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
            self.table.addWidget(label, row, column, side)
