"""Beneath a finished reply: what it cost and gained, and what can be done with it."""

from PySide6.QtCore import QPoint, Qt, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from app.language import tr
from app.views.reading_style import ICON_SIZE, ReadingStyle
from app.views.style import set_kind
from inference.statistics import ReplyStatistics

HEIGHT = 32
OVERHANG = 6  # of the last button's frame: its icon ends with the column
BUTTON = 30
GAP = 16


class Footer(QWidget):
    copy_clicked = Signal()
    regenerate_clicked = Signal()
    edit_clicked = Signal()
    details_clicked = Signal()
    more_clicked = Signal(QPoint)  # a place on the screen for the menu

    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.style_ = style
        self._figures: list[QLabel] = []
        self._copy = self._button(tr("Copy this reply"), self.copy_clicked)
        self._regenerate = self._button(tr("Regenerate this reply"), self.regenerate_clicked)
        self._edit = self._button(tr("Edit this reply"), self.edit_clicked)
        self._details = self._button(tr("Details of this reply"), self.details_clicked)
        self._more = self._button(tr("More"), None)
        self._more.clicked.connect(lambda: self.more_clicked.emit(self._more.mapToGlobal(QPoint(0, BUTTON))))
        self.set_style(style)

    def _button(self, name: str, clicked: SignalInstance | None) -> QToolButton:
        button = QToolButton(self)
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setIconSize(ICON_SIZE)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if clicked is not None:
            button.clicked.connect(clicked)
        button.resize(BUTTON, BUTTON)
        return button

    def set_style(self, style: ReadingStyle) -> None:
        self.style_ = style
        self._copy.setIcon(style.icon("copy"))
        self._regenerate.setIcon(style.icon("refresh"))
        self._edit.setIcon(style.icon("pencil"))
        self._details.setIcon(style.icon("gauge"))
        self._more.setIcon(style.icon("more"))

    def show_statistics(self, statistics: ReplyStatistics | None) -> None:
        for label in self._figures:
            label.hide()
            label.deleteLater()
        self._figures = []
        for text, meaning in self._texts(statistics) if statistics is not None else []:
            label = QLabel(text, self)
            set_kind(label, "muted")
            label.setToolTip(meaning)
            self._figures.append(label)
        self.setAccessibleName(", ".join(label.text() for label in self._figures))
        self._fit()

    def texts(self) -> list[str]:
        return [label.text() for label in self._figures]

    def _texts(self, s: ReplyStatistics) -> list[tuple[str, str]]:
        """Only what means something: without speculation there is nothing to accept."""
        result = []
        if s.reply_tokens and s.decode_s > 0:
            speed = tr("{value:.1f} tok/s").format(value=s.tokens_per_second)
            result.append((speed, tr("Tokens per second while decoding, reading the prompt left out")))
        if s.verified:
            accepted = tr("{value:.0f} % accepted").format(value=100 * s.acceptance_rate)
            counts = tr("The target accepted {accepted} of {verified} draft tokens it judged")
            result.append((accepted, counts.format(accepted=s.accepted, verified=s.verified)))
        if s.time_to_first_token_s > 0:
            first = tr("{value:.2f} s to first").format(value=s.time_to_first_token_s)
            result.append((first, tr("From sending to the first token")))
        if s.verified and s.rounds:
            each = tr("{value:.1f} per round").format(value=s.tokens_per_round)
            result.append((each, tr("Tokens for each pass of the target; 1 without speculation")))
            share = tr("draft share {value:.0f} %").format(value=100 * s.draft_share)
            result.append((share, tr("The part of decoding time spent drafting")))
        return result

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Figures from the left, buttons at the right; where there is little room, the last figures give way."""
        right = self.width() - BUTTON
        for button in (self._more, self._details, self._edit, self._regenerate, self._copy):
            button.move(right, (self.style_.px(HEIGHT) - BUTTON) // 2)
            right -= BUTTON
        x = 0
        for label in self._figures:
            label.ensurePolished()
            label.setGeometry(x, 0, label.sizeHint().width(), self.style_.px(HEIGHT))
            x += label.width() + GAP
            label.setVisible(x - GAP <= right)
