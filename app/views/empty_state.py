"""What an empty conversation shows: an invitation and three questions to begin with."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.language import tr
from app.theme import DISPLAY, TITLE
from app.views.example_card import ExampleCard
from app.views.reading_style import ReadingStyle
from app.views.style import set_kind, ui_font

WIDTH = 520


class EmptyState(QWidget):
    """Where there is little room, it offers fewer questions; nothing is cut."""

    example_chosen = Signal(str)

    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self._foreign = False  # the last question is in a language that the model does not speak
        title = self._title = QLabel(tr("Ask anything"), self)
        title.setFont(ui_font(DISPLAY, strong=True))
        title.setStyleSheet(f"font-size: {(DISPLAY + TITLE) // 2}px; font-weight: 600;")
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        about = self._about = QLabel(
            tr("The words stay on this machine. The gauges show how fast they come, and why."), self
        )
        set_kind(about, "muted")
        about.setAlignment(Qt.AlignmentFlag.AlignCenter)
        about.setWordWrap(True)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addStretch(2)
        column.addWidget(title)
        column.addWidget(about)
        column.addSpacing(24)
        self.cards = []
        for topic, question in self._examples():
            card = ExampleCard(topic, question, style, self)
            card.clicked.connect(lambda _=False, asked=question: self.example_chosen.emit(asked))
            column.addWidget(card)
            self.cards.append(card)
        column.addStretch(3)

    def _examples(self) -> list[tuple[str, str]]:
        return [
            (tr("Explain"), tr("Explain why the sky is blue.")),
            (tr("Code"), tr("Write a Python function that merges two sorted lists.")),
            ("中文", "用三句话介绍一下杭州的西湖。"),
        ]

    def offer(self, languages: Sequence[str]) -> None:
        """No question in a language that the model does not speak; none given: that is not known."""
        self._foreign = bool(languages) and "zh" not in languages
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        parts = [self._title, self._about, *(self.cards[:-1] if self._foreign else self.cards)]
        self.cards[-1].hide()
        for count in range(len(parts), -1, -1):
            for place, part in enumerate(parts):
                part.setVisible(place < count)
            self._column.invalidate()
            wanted = max(self._column.totalHeightForWidth(self.width()), self._column.totalMinimumSize().height())
            if wanted <= self.height():
                break

    def set_style(self, style: ReadingStyle) -> None:
        for card in self.cards:
            card.set_style(style)
