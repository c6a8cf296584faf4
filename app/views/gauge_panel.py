"""The instrument panel: how fast the words come, how many drafted tokens are accepted, and why."""

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLabel,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.course import Moment
from app.drafter_names import short_draft
from app.language import listed, tr
from app.theme import GRID, LIGHT, Theme
from app.views import figures
from app.views import reason as reasons
from app.views.advice_card import AdviceChip
from app.views.figure_rows import FigureRows
from app.views.gauge import SIZE, SMALL, SMALLEST, Gauge
from app.views.gauge_strip import GaugeStrip
from app.views.layouts import scrolling
from app.views.reason import Reason
from app.views.sparkline import Sparkline
from app.views.style import set_kind
from app.views.task_chip import TaskChip, task_name
from inference.events import PromptProgress, Round, TaskChanged
from inference.statistics import ReplyStatistics

NARROWEST, WIDTH, WIDEST, BAR_HEIGHT = 232, 248, 320, 52
CARD_HEIGHT = 84  # a title and two lines
BESIDE_GAUGES = 500  # height of everything else in the column, the card and the advice included
SIDE_BY_SIDE = BESIDE_GAUGES + 2 * SMALLEST  # height of the column below which the two stand beside each other
PAUSED_AFTER_S = 0.5  # drafting must rest this long before the gauges turn grey: single empty rounds are no pause


class GaugePanel(QWidget):
    """Shows the reply that runs, and keeps its averages when it has ended.

    A column beside the conversation, or (`as_bar`) one row above it. Takes the latest figures only.
    """

    task_chosen = Signal(str)  # automatic, code or prose
    routes_requested = Signal()  # the table of what works here

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("GaugePanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme: Theme = LIGHT
        self._scale = 50.0
        self._drafted = (0, 0.0)  # tokens proposed so far, and the decoding time when the last of them came
        self._off = ""  # why nothing is drafted, as the window says
        self._idle, self._why = False, Reason()  # what the last reply says, under `_off`
        self._draft, self._follows = "", False
        self.speed = Gauge(
            tr("tokens per second"),
            tr("tok/s"),
            tr("tokens per second appear here as a reply streams"),
            write=figures.speed,
            colour="accent",
        )
        self.acceptance = Gauge(
            tr("accepted"),
            tr("accepted"),
            tr("the share of drafted tokens accepted appears here"),
            write=figures.percent,
            colour="good",
        )
        self.speed.setToolTip(tr("How many tokens of the reply come each second, over the last second."))
        self.acceptance.setToolTip(tr("Of the drafted tokens that were checked, how many the model accepted."))
        self.speed_line = Sparkline("accent")
        self.acceptance_line = Sparkline("good")
        self.acceptance_line.ceiling = 1.0
        self.task_chips = (TaskChip(), TaskChip())  # in the column, in the bar
        self.advice_chips = (AdviceChip(), AdviceChip())  # likewise
        self._rows = FigureRows(self.task_chips[0])
        self._shown_tokens = 0  # of the reply, up to where the lines go
        self._switches: list[str] = []  # the tasks that a reply went through
        self._card, self._title, self._detail = QFrame(), QLabel(), QLabel()
        self._bar = GaugeStrip(self.task_chips[1], self.advice_chips[1])
        for chip in self.task_chips:
            chip.chosen.connect(self.task_chosen)
            chip.routes_requested.connect(self.routes_requested)
        self._pair = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._make_column())
        self._pages.addWidget(self._bar)
        self._clear_rows()
        self.as_bar(False)
        self.set_theme(LIGHT)

    # What others call

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for part in (self.speed, self.acceptance, self.speed_line, self.acceptance_line):
            part.set_theme(theme)
        self._colour_bar()

    def begin_reply(self) -> None:
        """A reply was asked for: forget the figures of the one before, and wait."""
        self._off, self._drafted = "", (0, 0.0)
        self._scale = 50.0
        self.speed.clear(tr("waiting for the first token"))
        self.acceptance.clear(tr("nothing drafted yet"))
        self.speed_line.clear()
        self.acceptance_line.clear()
        self._shown_tokens = 0
        self._switches = []
        self._describe_switches()
        self._clear_rows()
        self._set_idle(False)
        self._explain(Reason())

    def show_past(self, statistics: ReplyStatistics | None, course: Sequence[Moment]) -> None:
        """Another reply than before is shown: its figures, as far as they are known; None: there is none."""
        off = self._off
        self.begin_reply()
        self.show_course(course)
        self.speed.clear(tr("tokens per second appear here as a reply streams"))
        self.acceptance.clear(tr("the share of drafted tokens accepted appears here"))
        if statistics is not None:
            self.finish_reply(statistics)
        self.show_idle(off)

    def show_prompt(self, progress: PromptProgress) -> None:
        """Prefill: how much of the prompt was read, and how much of it was known from an earlier turn."""
        text = tr("{done} of {total} tokens").format(done=f"{progress.done:,}", total=f"{progress.total:,}")
        if progress.reused:
            text += tr(", {reused} remembered").format(reused=f"{progress.reused:,}")
        self._explain(Reason(tr("Reading the chat"), text))

    def show_course(self, course: Sequence[Moment]) -> None:
        """The lines go on to its end: however seldom they are drawn, they show every moment of the reply."""
        for moment in course[bisect_right(course, self._shown_tokens, key=lambda moment: moment.tokens) :]:
            self._shown_tokens = moment.tokens
            self.speed_line.add(moment.tokens_per_second)
            if moment.acceptance is not None:
                self.acceptance_line.add(moment.acceptance)

    def show_round(self, event: Round) -> None:
        """The latest round; earlier ones that were not shown are not missed."""
        self._scale = figures.step_up(event.tokens_per_second, self._scale)
        self.speed.show_value(event.tokens_per_second, self._scale)
        if event.acceptance_rate is not None:
            self.acceptance.show_value(event.acceptance_rate, 1.0)
        if event.reply.proposed != self._drafted[0]:
            self._drafted = event.reply.proposed, event.reply.decode_s
        rested_s = event.reply.decode_s - self._drafted[1]
        probing = self._idle and event.paused != "no_match"  # a probe now and then does not end the pause
        paused = event.paused is not None and (rested_s >= PAUSED_AFTER_S or probing)
        off = event.reply.mode == "off" or event.reply.drafter == "none"
        if off:
            self.acceptance.clear(tr("speculation is off"))
        self._set_idle(paused or off)
        if event.paused is not None and paused:
            self._explain(reasons.of_pause(event.paused))
        elif event.paused is None or not self._why.title:  # a line is not taken back by one empty round
            self._explain(reasons.of_reply(event.reply))
        self._write("length", figures.UNKNOWN if off else str(event.round.draft_length), "length")
        self.set_task(event.task)
        self._show_statistics(event.reply)

    def finish_reply(self, statistics: ReplyStatistics) -> None:
        """The averages of the whole reply; they stay until the next one begins."""
        if statistics.rounds:
            self._scale = figures.step_up(statistics.tokens_per_second, self._scale)
            self.speed.show_value(statistics.tokens_per_second, self._scale)
        elif self.speed.value is None:
            self.speed.clear(tr("the reply ended before it could be timed"))
        if statistics.verified:
            self.acceptance.show_value(statistics.acceptance_rate, 1.0)
        else:
            self.acceptance.clear(tr("nothing was drafted in this reply"))
        drafting_rounds = sum(statistics.rounds_by_draft_length[1:])
        if drafting_rounds and statistics.verified:
            self._write("length", f"{statistics.proposed / drafting_rounds:.1f}", "length")
        self._show_statistics(statistics)
        self._set_idle(statistics.verified == 0)
        self._explain(reasons.of_ended(statistics))

    def show_idle(self, reason: str) -> None:
        """Nothing is drafted, and why, in one line (speculation off, no model yet). "" takes it back."""
        self._off = reason
        self._set_idle(self._idle)
        self._explain(self._why)

    def show_draft(self, name: str, *, follows: bool = False) -> None:
        """The draft in use; "" when there is none. follows: the figures of a reply say which of them it is."""
        if (name, follows) == (self._draft, self._follows) and name:
            return  # what the last reply was drafted by still stands there
        self._draft, self._follows = name, follows
        self._write_draft(name or "none")

    def set_task(self, task: str) -> None:
        """What is being written: code or prose; "" before anything is."""
        for chip in self.task_chips:
            chip.show_task(task)

    def pin_task(self, choice: str) -> None:
        """What the person wants: automatic, code or prose."""
        for chip in self.task_chips:
            chip.show_choice(choice)

    def mark_task(self, event: TaskChanged) -> None:
        """The task changed within the reply: marked in both lines."""
        for line in (self.speed_line, self.acceptance_line):
            line.mark(shaded=event.task == "code")
        self._switches.append(event.task)
        self._describe_switches()
        self.set_task(event.task)

    def as_bar(self, bar: bool) -> None:
        """One horizontal row with the main figures, for windows under 900 pixels."""
        self._pages.setCurrentIndex(1 if bar else 0)
        set_kind(self, bar, "bar")
        largest = 16_777_215  # Qt's QWIDGETSIZE_MAX: no bound
        if bar:
            self.setMinimumSize(0, BAR_HEIGHT)
            self.setMaximumSize(largest, BAR_HEIGHT)
        else:
            self.setMinimumSize(NARROWEST, 0)
            self.setMaximumSize(WIDEST, largest)

    @property
    def is_bar(self) -> bool:
        return self._pages.currentIndex() == 1

    @property
    def reason(self) -> str:
        """The line at the bottom, as it is shown."""
        return self._title.text()

    def figure(self, name: str) -> str:
        """A row's value as it is shown: draft, task, length, per_round, share, first, expected, measured."""
        if name == "task":
            return self.task_chips[0].text()
        return self._rows.text(name)

    def sizeHint(self) -> QSize:
        return QSize(600, BAR_HEIGHT) if self.is_bar else QSize(WIDTH, 720)

    # How it is built

    def _make_column(self) -> QWidget:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(16, 20, 16, 12)
        column.setSpacing(0)
        self._pair.setSpacing(14)
        for gauge, line in ((self.speed, self.speed_line), (self.acceptance, self.acceptance_line)):
            one = QVBoxLayout()
            one.setSpacing(4)
            one.addWidget(gauge)
            one.addWidget(line)
            self._pair.addLayout(one, 1)
        column.addLayout(self._pair)
        column.addSpacing(14)
        column.addLayout(self._rows)
        column.addSpacing(12)
        column.addWidget(self.advice_chips[0])  # above the card, so that it stays where it is while lines come and go
        column.addSpacing(GRID)
        column.addWidget(self._make_card())
        column.addStretch(1)
        return scrolling(inner, stop=False)

    def _make_card(self) -> QWidget:
        set_kind(self._card, "card")
        box = QVBoxLayout(self._card)
        box.setContentsMargins(12, 10, 12, 10)
        box.setSpacing(2)
        set_kind(self._title, "label")
        set_kind(self._detail, "muted")
        for label in (self._title, self._detail):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            box.addWidget(label)
        self._card.hide()
        # Its room is kept while it says nothing, so that the gauges do not move when it speaks.
        room = QWidget()
        room.setMinimumHeight(CARD_HEIGHT)
        within = QVBoxLayout(room)
        within.setContentsMargins(0, 0, 0, 0)
        within.addWidget(self._card)
        within.addStretch(1)
        return room

    # What changes

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The gauges take what the figures leave. It follows from the height alone, so that no text moves them."""
        super().resizeEvent(event)
        beside = self.height() < SIDE_BY_SIDE
        direction = QBoxLayout.Direction
        self._pair.setDirection(direction.LeftToRight if beside else direction.TopToBottom)
        height = SMALL if beside else min(SIZE, max(SMALLEST, (self.height() - BESIDE_GAUGES) // 2))
        for gauge in (self.speed, self.acceptance):
            gauge.setFixedHeight(height)

    def _show_statistics(self, statistics: ReplyStatistics) -> None:
        drafting = statistics.mode != "off" and statistics.drafter != "none"
        if not self._draft or self._follows:
            self._write_draft(statistics.drafter)
        self._write("per_round", f"{statistics.tokens_per_round:.1f}" if statistics.rounds else figures.UNKNOWN)
        self._write("share", figures.percent(statistics.draft_share) if drafting else figures.UNKNOWN)
        first = statistics.time_to_first_token_s
        self._write("first", figures.seconds(first) if first else figures.UNKNOWN)
        self._write("expected", figures.gain(statistics.expected_gain if drafting else None))
        self._write("measured", figures.gain(statistics.measured_gain if drafting else None))
        self._bar.values["per_round"].setText(self.figure("per_round"))
        for name, gauge, write in (
            ("speed", self.speed, figures.speed),
            ("acceptance", self.acceptance, figures.percent),
        ):
            self._bar.values[name].setText(figures.UNKNOWN if gauge.value is None else write(gauge.value))
        self._colour_bar()

    def _clear_rows(self) -> None:
        self._rows.clear_figures()
        for label in self._bar.values.values():
            label.setText(figures.UNKNOWN)
        self._write_draft(self._draft)
        self.set_task("")

    def _describe_switches(self) -> None:
        """For those who do not see the marks."""
        names = listed(task_name(task) for task in self._switches)
        text = tr("The task changed at the marks: {tasks}.").format(tasks=names) if names else ""
        for line in (self.speed_line, self.acceptance_line):
            line.setToolTip(text)
            line.setAccessibleDescription(text)

    def _write_draft(self, name: str) -> None:
        """A short name in the row, the whole one in its tooltip. "" before anything is known of it."""
        self._write("draft", short_draft(name) if name else figures.UNKNOWN)
        self._rows.values["draft"].setToolTip(name)

    def _write(self, name: str, text: str, bar: str = "") -> None:
        self._rows.write(name, text)
        if bar:
            self._bar.values[bar].setText(text)

    def _set_idle(self, idle: bool) -> None:
        self._idle = idle
        idle = idle or bool(self._off)
        for part in (self.speed, self.acceptance, self.speed_line, self.acceptance_line):
            part.set_idle(idle)
        self._colour_bar()

    def _colour_bar(self) -> None:
        for name, gauge, tone in (("speed", self.speed, "accent"), ("acceptance", self.acceptance, "good")):
            set_kind(self._bar.values[name], "muted" if gauge.idle or gauge.value is None else tone, "tone")

    def _explain(self, why: Reason) -> None:
        self._why = why
        if self._off:
            why = Reason(self._off)
        if (why.title, why.detail) == (self._title.text(), self._detail.text()):
            return
        self._title.setText(why.title)
        self._detail.setText(why.detail)
        self._detail.setVisible(bool(why.detail))
        self._card.setVisible(bool(why.title))
        self._bar.reason.setText(why.title)
        self._bar.reason.setToolTip(why.detail)
