"""One side of a comparison: its name, its figures, and its words as they come."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCursor, QTextFormat
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QTextEdit, QVBoxLayout

from app import counts
from app.language import tr
from app.theme import GRID
from app.views import figures
from app.views.style import set_kind, ui_font
from app.views.text_surface import positions
from inference.statistics import ReplyStatistics


class CompareColumn(QFrame):
    def __init__(self, name: str) -> None:
        super().__init__()
        set_kind(self, "card")
        self.name = name
        self.title = QLabel(name)
        set_kind(self.title, "strong")
        self.speed = QLabel()
        self.speed.setFont(ui_font(17, strong=True, tabular=True))
        self.figures = QLabel()
        self.figures.setFont(ui_font(13, tabular=True))
        set_kind(self.figures, "muted", "tone")
        self.figures.setWordWrap(True)
        self.words = QPlainTextEdit()
        set_kind(self.words, "bare")
        self.words.setReadOnly(True)
        self.words.setAccessibleName(name)
        self.words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 12, GRID, 12)
        column.setSpacing(4)
        for widget in (self.title, self.speed, self.figures):
            column.addWidget(widget)
        column.addWidget(self.words, 1)
        self.begin(name)
        self._begun = False
        self.figures.setText(tr("The words and the figures appear here."))

    @property
    def empty(self) -> bool:
        """Nothing was asked yet."""
        return not self._begun

    def show_name(self, name: str) -> None:
        self.name = name
        self.title.setText(name)
        self.words.setAccessibleName(name)

    def begin(self, name: str) -> None:
        self._begun = True
        self.show_name(name)
        self.words.setPlainText("")
        self.words.setExtraSelections([])
        self.speed.setText(figures.UNKNOWN)
        self.figures.setText(tr("waiting"))

    def extend(self, text: str) -> None:
        """Append; the view follows if it was at the end."""
        bar = self.words.verticalScrollBar()
        follows = bar.value() >= bar.maximum() - 4
        cursor = QTextCursor(self.words.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)
        if follows:
            bar.setValue(bar.maximum())

    def show_figures(self, statistics: ReplyStatistics | None, seconds: float, finished: bool) -> None:
        """seconds: since the question."""
        if statistics is None:
            self.figures.setText(tr("reading the question"))
            return
        speed = tr("{speed} tok/s").format(speed=figures.speed(statistics.tokens_per_second))
        self.speed.setText(f"{speed} · {figures.seconds(seconds)}")
        parts = [counts.tokens(statistics.reply_tokens)]
        if statistics.time_to_first_token_s:
            parts.append(tr("{time} to the first").format(time=figures.seconds(statistics.time_to_first_token_s)))
        if statistics.verified:
            parts.append(tr("{rate} accepted").format(rate=figures.percent(statistics.acceptance_rate)))
            parts.append(tr("draft share {share}").format(share=figures.percent(statistics.draft_share)))
            parts.append(tr("{n} tokens a round").format(n=f"{statistics.tokens_per_round:.1f}"))
        if not finished:
            parts.append(tr("writing…"))
        self.figures.setText(" · ".join(parts))

    def mark_from(self, place: int) -> None:
        """Where the texts part, in characters: what follows is marked, and the first of it is brought into sight."""
        cursor = QTextCursor(self.words.document())
        text = self.words.toPlainText()
        cursor.setPosition(positions(text)[min(place, len(text))])
        self.words.setTextCursor(cursor)
        self.words.ensureCursorVisible()
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        mark = QTextEdit.ExtraSelection()
        ground = QColor(self.palette().highlight().color())
        ground.setAlpha(48)
        mark.format.setBackground(ground)
        mark.format.setProperty(QTextFormat.Property.TextUnderlineStyle, 1)
        mark.cursor = cursor
        self.words.setExtraSelections([mark])
