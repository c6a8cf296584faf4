"""The check of the output: how far it is, its verdict, every prompt, and where the first texts part."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.checking_report import CheckReport, Row
from app.error_texts import in_words
from app.language import tr
from app.theme import GRID
from app.views import figures
from app.views.choice_box import ChoiceBox
from app.views.compare_choice import roomy
from app.views.elided_label import ElidedLabel
from app.views.icons import icon
from app.views.labels import wrapped
from app.views.layouts import clear, open_at
from app.views.run_page import RunPage, button_row, caption, progress_line, scrolled
from app.views.style import set_kind, theme_of, ui_font

WIDTH, HEIGHT = 760, 680
COUNTS = (20, 10, 4)


@dataclass(frozen=True)
class CheckWish:
    """language: of the prompts; count: how many, half of each task; tokens: of a reply."""

    language: str
    count: int
    tokens: int


class CheckingPage(RunPage):
    """Wants a CheckWish."""

    save_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Check of the output"), tr("Start"), parent)
        open_at(self, WIDTH, HEIGHT)
        self.setMinimumSize(520, 420)
        self._report: CheckReport | None = None
        promise = tr("Speculation changes the speed, never the words. See it for yourself.")
        how = tr(
            "Every question is answered twice at temperature 0, without and with speculation, and the texts are "
            "compared."
        )
        self.verdict, self.detail = wrapped(promise, "title", selectable=True), wrapped(how, "muted", selectable=True)
        self.language, self.count, self.tokens = ChoiceBox(), ChoiceBox(), QSpinBox()
        self.choices = [self.language, self.count, self.tokens]
        self.save_button = QPushButton(tr("Save the report…"))
        self._marks: list[tuple[QLabel, QLabel]] = []
        self._arrange()
        self.save_button.clicked.connect(self.save_requested)
        self.show_state(running=False, obstacle="")

    def _arrange(self) -> None:
        choices = self._make_choices()
        self.progress = progress_line(self.bar, self.left)
        self.rows = QGridLayout()
        self.rows.setHorizontalSpacing(12)
        self.rows.setVerticalSpacing(6)
        self.rows.setColumnStretch(1, 1)
        area = scrolled(self.rows)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        foot = button_row((self.start_button, self.stop_button, self.save_button), self.note, self.close_button)
        page = QVBoxLayout(self)
        page.setContentsMargins(3 * GRID, 3 * GRID, 2 * GRID, 2 * GRID)
        page.setSpacing(12)
        page.addWidget(self.verdict)
        page.addWidget(self.detail)
        page.addLayout(choices)
        page.addWidget(self.progress)
        page.addWidget(area, 1)
        page.addLayout(foot)
        self.progress.hide()

    def _make_choices(self) -> QHBoxLayout:
        self.language.addItem(tr("English"), "en")
        self.language.addItem(tr("Chinese"), "zh")
        self.language.setCurrentIndex(int(QLocale().language() == QLocale.Language.Chinese))  # as the window speaks
        for count in COUNTS:
            self.count.addItem(tr("{n} questions").format(n=count), count)
        self.tokens.setRange(16, 1024)
        self.tokens.setValue(128)
        self.tokens.setSingleStep(16)
        roomy(self.tokens)
        choices = QHBoxLayout()
        choices.setSpacing(GRID)
        named = ((tr("Questions in"), self.language), (tr("How many"), self.count), (tr("Tokens at most"), self.tokens))
        for text, box in named:
            choices.addWidget(caption(text, box))
            choices.addWidget(box)
            choices.addSpacing(GRID)
        choices.addStretch(1)
        return choices

    def show_state(self, *, running: bool, obstacle: str) -> None:
        super().show_state(running=running, obstacle=obstacle)
        self.save_button.setVisible(self._report is not None and self._report.compared > 0 and not running)

    @property
    def outcome(self) -> str:
        return self.verdict.text()

    def wish(self) -> CheckWish:
        return CheckWish(self.language.currentData(), self.count.currentData(), self.tokens.value())

    def begin(self, report: CheckReport) -> None:
        self._report = report
        self._clear()
        for number, row in enumerate(report.rows):
            self._add(number, row)
        self.verdict.setText(tr("Checking…"))
        set_kind(self.verdict, "", "tone")
        self.detail.setText(f"{report.model}, {report.description}")
        self.bar.setValue(0)
        self.left.setText("")
        self.progress.show()

    def show_progress(self, report: CheckReport, share: float, left_s: float) -> None:
        """share: of the replies, 0 to 1."""
        self._show_rows(report)
        self.bar.setValue(round(1000 * share))
        self.left.setText(tr("{time} left").format(time=figures.duration(left_s)))
        words = tr("{same} of {compared} are the same so far")
        self.verdict.setText(words.format(same=report.identical, compared=report.compared))

    def finish(self, report: CheckReport) -> None:
        self._show_rows(report)
        self.progress.hide()
        self.verdict.setText(self._verdict(report))
        set_kind(self.verdict, "good" if report.passed else "", "tone")
        self.detail.setText(self._detail(report))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange and self._report is not None:
            self._show_rows(self._report)
        super().changeEvent(event)

    def _verdict(self, report: CheckReport) -> str:
        if report.passed:
            return tr("All {n} replies are the same, letter for letter.").format(n=len(report.rows))
        if not report.finished:
            words = tr("Not finished: {same} of {compared} replies the same so far. {why}")
            return words.format(same=report.identical, compared=report.compared, why=in_words(report.trouble)).strip()
        different = report.compared - report.identical
        words = tr("1 of {all} replies differs.") if different == 1 else tr("{n} of {all} replies differ.")
        return words.format(n=different, all=len(report.rows))

    def _detail(self, report: CheckReport) -> str:
        parts = [f"{report.model}, {report.description}"]
        if report.drafters:
            accepted = figures.percent(report.acceptance)
            parts.append(
                tr("drafted by {name}, {rate} accepted").format(name=", ".join(report.drafters), rate=accepted)
            )
        if report.gain is not None:
            parts.append(tr("{ratio} times as fast").format(ratio=f"{report.gain:.2f}"))
        index = report.first_difference
        if index is None:
            return " · ".join(parts)
        apart = report.rows[index].parting
        assert apart is not None
        words = tr('The first difference is in question {n}, character {place}: "{left}" without, "{right}" with.')
        shown = {name: text.replace("\n", "⏎") for name, text in (("left", apart.left), ("right", apart.right))}
        return " · ".join(parts) + "\n" + words.format(n=index + 1, place=f"{apart.place + 1:,}", **shown)

    def _clear(self) -> None:
        self._marks = []
        clear(self.rows)

    def _add(self, line: int, row: Row) -> None:
        mark, question, result = QLabel(), ElidedLabel(row.prompt.prompt), QLabel()
        mark.setFixedSize(20, 20)
        question.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        question.setToolTip(row.prompt.prompt)
        question.setFont(ui_font(13))
        result.setFont(ui_font(13, tabular=True))
        set_kind(result, "muted", "tone")
        self.rows.addWidget(mark, line, 0)
        self.rows.addWidget(question, line, 1)
        self.rows.addWidget(result, line, 2, Qt.AlignmentFlag.AlignRight)
        self._marks.append((mark, result))

    def _show_rows(self, report: CheckReport) -> None:
        self._report = report
        theme = theme_of(self)
        for (mark, result), row in zip(self._marks, report.rows, strict=True):
            if not row.whole:
                continue
            same = row.parting is None
            mark.setPixmap(icon("check" if same else "close", theme.good if same else theme.error).pixmap(20, 20))
            mark.setAccessibleName(tr("the same") if same else tr("different"))
            result.setText(self._result(row))

    def _result(self, row: Row) -> str:
        apart = row.parting
        words = tr("the same") if apart is None else tr("differ from character {n}").format(n=f"{apart.place + 1:,}")
        return words if row.gain is None else f"{words} · {row.gain:.2f}×"
