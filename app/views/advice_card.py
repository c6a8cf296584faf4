"""Advice beside the gauges: a quiet chip that says how much there is, and a card that says it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.advice_words import Words, words_of
from app.language import tr
from app.theme import GRID
from app.views.labels import wrapped
from app.views.layouts import clear
from app.views.style import set_kind
from inference.advice import Advice

WIDTH = 340


class AdviceChip(QPushButton):
    """Hidden while there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "chip")
        self.setProperty("tone", "accent")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(tr("What was measured of the last replies, and what would help (Ctrl+Shift+H)"))
        self.show_count(0)

    def show_count(self, count: int) -> None:
        self.setText(tr("1 way to be faster") if count == 1 else tr("{n} ways to be faster").format(n=count))
        self.setAccessibleName(self.text())
        self.setVisible(count > 0)


class AdviceCard(QFrame):
    """Lies over the window; closes with Esc, and when the person turns to something else."""

    acted = Signal(object)  # the Advice whose button was pressed
    dismissed = Signal(object)  # the Advice that is not wanted
    closed = Signal()  # by the person, as it was

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Advice on speed"))
        self.setFixedWidth(WIDTH)
        self.buttons: list[QPushButton] = []
        self.labels: list[QLabel] = []
        self._card = QFrame()
        set_kind(self._card, "floating")
        self._column = QVBoxLayout(self._card)
        self._column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        self._column.setSpacing(4)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._card)
        self.hide()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)

    def show_advice(self, advice: Sequence[Advice]) -> None:
        """Replace what it says."""
        self.buttons, self.labels = [], []
        clear(self._column)
        for index, one in enumerate(advice):
            if index:
                line = QFrame()
                set_kind(line, "line")
                self._column.addSpacing(GRID)
                self._column.addWidget(line)
                self._column.addSpacing(GRID)
            self._add(one)
        self.adjustSize()

    def show_none(self, words: Words) -> None:
        """Say why there is no advice."""
        self.show_advice(())
        self._say(words)
        close = QPushButton(words.button)
        set_kind(close, "chip")
        close.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        close.clicked.connect(self._close)
        self._column.addSpacing(6)
        self._column.addWidget(close, 0, Qt.AlignmentFlag.AlignLeft)
        self.buttons.append(close)
        self.adjustSize()

    def open_at(self, corner: QPoint | None, *, below: bool = False) -> None:
        """corner: where its lower right corner comes in the parent, which it does not leave; the upper one if below.
        None: in the middle."""
        self.show()  # first, since what was never shown does not know its height
        self.adjustSize()
        if corner is None:
            corner = self.window().rect().center() + self.rect().center()
        place = corner - QPoint(self.width(), 0 if below else self.height())
        self.move(max(GRID, place.x()), max(GRID, place.y()))
        self.raise_()
        if self.buttons:
            self.buttons[0].setFocus(Qt.FocusReason.PopupFocusReason)

    def text(self) -> str:
        return "\n".join(label.text() for label in self.labels)

    def event(self, event: QEvent) -> bool:
        """Esc is the card's own while it has the focus, not the window's."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self._close()
            return True
        return super().event(event)

    def _follow_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if self.isVisible() and now is not None and not self.isAncestorOf(now):
            self.hide()

    def _add(self, advice: Advice) -> None:
        words = words_of(advice)
        self._say(words)
        row = QWidget()
        inside = QHBoxLayout(row)
        inside.setContentsMargins(0, 6, 0, 0)
        inside.setSpacing(GRID)
        act, away = QPushButton(words.button), QPushButton(tr("Not now"))
        set_kind(act, "chip")
        act.setProperty("tone", "accent")
        set_kind(away, "chip")
        away.setProperty("tone", "muted")
        away.setToolTip(tr("This is not said again for two weeks"))
        act.clicked.connect(lambda: self._leave(self.acted.emit, advice))
        away.clicked.connect(lambda: self._leave(self.dismissed.emit, advice))
        for button in (act, away):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setAccessibleName(f"{button.text()}: {words.title}")
            inside.addWidget(button)
            self.buttons.append(button)
        inside.addStretch(1)
        self._column.addWidget(row)

    def _say(self, words: Words) -> None:
        for text, kind in ((words.title, "label"), (words.measured, "muted")):
            label = wrapped(text, kind)
            label.setMinimumWidth(WIDTH - 4 * GRID)
            self._column.addWidget(label)
            self.labels.append(label)

    def _close(self) -> None:
        self.hide()
        self.closed.emit()

    def _leave(self, tell: Callable[[Advice], None], advice: Advice) -> None:
        self._close()  # the keyboard goes back, or on to what is opened now
        tell(advice)
