"""One question, two ways of replying, side by side: the words as they come, the figures, and what they are worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from app.compare_sides import Wish, side_names
from app.compare_verdict import Expected, Parting
from app.language import tr
from app.theme import GRID
from app.views import figures
from app.views.compare_choice import CompareChoice
from app.views.compare_column import CompareColumn
from app.views.labels import wrapped
from app.views.layouts import open_at
from app.views.run_page import RunPage, button_row
from app.views.style import set_kind
from inference.statistics import ReplyStatistics

WIDTH, HEIGHT = 960, 720
QUESTION_LINES = 2


@dataclass(frozen=True)
class Shown:
    """The figures of one side so far. seconds: since it was asked."""

    statistics: ReplyStatistics | None
    seconds: float
    finished: bool


@dataclass(frozen=True)
class Verdict:
    """measured, expected: how many times as fast the right side is. same_expected: greedy and sampled alike."""

    measured: float | None
    expected: Expected | None
    same_expected: bool
    parting: Parting | None


class ComparePage(RunPage):
    """Wants a Wish."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Compare two ways of replying"), tr("Compare"), parent)
        open_at(self, WIDTH, HEIGHT)
        self.setMinimumSize(560, 480)
        self.question = QPlainTextEdit()
        self.question.setPlaceholderText(tr("The question that is asked twice"))
        self.question.setAccessibleName(tr("The question that is asked twice"))
        self.question.setTabChangesFocus(True)
        self.question.setFixedHeight(QUESTION_LINES * self.question.fontMetrics().lineSpacing() + 24)
        self.question.textChanged.connect(self._show_buttons)
        self.context = QLabel()
        set_kind(self.context, "muted")
        self.choice = CompareChoice()
        self.columns = (CompareColumn(tr("First way")), CompareColumn(tr("Second way")))
        self.headline, self.expected, self.identity = (
            wrapped("", kind, selectable=True) for kind in ("title", "muted", "")
        )
        self.verdict = QFrame()
        self.choice.changed.connect(self._name_columns)
        self.choices = [self.question, self.choice]
        self._arrange()
        self.show_state(running=False, obstacle="")

    def _arrange(self) -> None:
        set_kind(self.verdict, "card")
        inside = QVBoxLayout(self.verdict)
        inside.setContentsMargins(2 * GRID, 12, 2 * GRID, 12)
        inside.setSpacing(4)
        for label in (self.headline, self.expected, self.identity):
            inside.addWidget(label)
        self.verdict.hide()
        beside = QHBoxLayout()
        beside.setSpacing(2 * GRID)
        for column in self.columns:
            beside.addWidget(column, 1)
        foot = button_row((self.start_button, self.stop_button), self.note, self.close_button)
        page = QVBoxLayout(self)
        page.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        page.setSpacing(12)
        page.addWidget(self.question)
        page.addWidget(self.context)
        page.addWidget(self.choice)
        page.addLayout(beside, 1)
        page.addWidget(self.verdict)
        page.addLayout(foot)

    def show_question(self, text: str, before: int) -> None:
        """before: how many messages of the chat stand in front of it."""
        self.question.setPlainText(text)
        one, many = tr("As part of this chat, after 1 message."), tr("As part of this chat, after {n} messages.")
        words = one if before == 1 else many.format(n=before)
        self.context.setText(words if before else tr("By itself, without a chat before it."))

    def show_base(self, temperature: float, length: int) -> None:
        self.choice.show_base(temperature, length)

    def show_drafts(self, drafts: Sequence[tuple[str, str]]) -> None:
        """What can draft: key and name."""
        self.choice.show_drafts(drafts)
        self._name_columns()

    @property
    def ready(self) -> bool:
        return bool(self.question.toPlainText().strip())

    @property
    def outcome(self) -> str:
        return self.headline.text()

    @property
    def progress_made(self) -> tuple[str, float | None]:
        return "", None

    def wish(self) -> Wish:
        left, right = self.choice.values
        question = self.question.toPlainText().strip()
        return Wish(question, self.choice.matter, left, right, self.choice.seed.value(), self.choice.tokens.value())

    def begin(self, names: Sequence[str]) -> None:
        """Empty both columns."""
        self.verdict.hide()
        for column, name in zip(self.columns, names, strict=True):
            column.begin(name)

    def extend(self, index: int, text: str) -> None:
        self.columns[index].extend(text)

    def show_figures(self, index: int, shown: Shown) -> None:
        self.columns[index].show_figures(shown.statistics, shown.seconds, shown.finished)

    def show_verdict(self, verdict: Verdict | None, *, cancelled: bool, trouble: str) -> None:
        """None: a side is missing, as it was stopped or failed."""
        for label, text, kind in (
            (self.headline, self._headline(verdict, cancelled, trouble), ""),
            (self.expected, self._expected(verdict), ""),
            (self.identity, self._identity(verdict), self._tone(verdict)),
        ):
            label.setText(text)
            label.setVisible(bool(text))
            set_kind(label, kind, "tone")
        self.verdict.show()
        if verdict is not None and verdict.parting is not None:
            for column in self.columns:
                column.mark_from(verdict.parting.place)

    def text(self) -> str:
        return "\n".join(label.text() for label in (self.headline, self.expected, self.identity))

    def _headline(self, verdict: Verdict | None, cancelled: bool, trouble: str) -> str:
        if verdict is None:
            return trouble or (tr("Stopped.") if cancelled else tr("One of the two replies is missing."))
        if verdict.measured is None:
            return tr("The replies were too short to be timed.")
        if verdict.measured >= 1.0:
            words = tr("{right} is {ratio} times as fast.")
            return words.format(right=self.columns[1].name, ratio=f"{verdict.measured:.2f}")
        words = tr("{right} is slower: {ratio} times as fast.")
        return words.format(right=self.columns[1].name, ratio=f"{verdict.measured:.2f}")

    def _expected(self, verdict: Verdict | None) -> str:
        if verdict is None or verdict.expected is None:
            return ""
        expected = verdict.expected
        if not expected.cost:
            return tr("Expected from acceptance and costs of both: {ratio} times.").format(
                ratio=f"{expected.ratio:.2f}"
            )
        words = tr(
            "Expected: {ratio} times. With {rate} accepted and K = {length}, (1 − p^(K+1)) / (1 − p) is {tokens} "
            "tokens a round; a round costs as much as {cost} tokens of the first way."
        )
        return words.format(
            ratio=f"{expected.ratio:.2f}",
            rate=figures.percent(expected.acceptance),
            length=f"{expected.length:.1f}",
            tokens=f"{expected.tokens:.2f}",
            cost=f"{expected.cost:.2f}",
        )

    def _identity(self, verdict: Verdict | None) -> str:
        if verdict is None:
            return ""
        if not verdict.same_expected:
            same = tr("Both texts happen to be identical.")
            words = tr("The texts differ, as they may: words are drawn by chance, and identity is not expected.")
            return words if verdict.parting else same
        if verdict.parting is None:
            return tr("Both texts are identical, letter for letter, as they must be at temperature 0.")
        words = tr('The texts part at character {place}: "{before}" goes on with "{left}" or with "{right}".')
        apart = verdict.parting
        parts = {"before": apart.before, "left": apart.left, "right": apart.right}
        shown = {name: text.replace("\n", "⏎") for name, text in parts.items()}
        return words.format(place=f"{apart.place + 1:,}", **shown)

    def _tone(self, verdict: Verdict | None) -> str:
        if verdict is None or not verdict.same_expected:
            return "muted"
        return "good" if verdict.parting is None else ""

    def _name_columns(self) -> None:
        """As long as there is nothing under the names."""
        for column, name in zip(self.columns, side_names(self.wish()), strict=True):
            if column.empty:
                column.show_name(name)

    def _show_buttons(self) -> None:
        self.start_button.setEnabled(self.ready and not self.note.text())
