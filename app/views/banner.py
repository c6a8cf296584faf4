"""Strips above the conversation: what is loading, what went wrong, what can be undone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.theme import GRID, LIGHT, Theme
from app.views.icons import icon
from app.views.style import set_kind

MARK, GAP, LEFT = 20, 10, 12
LOOKED_AT_MS = 3000  # how long a strip stays at least after the mouse or the focus was seen on it
LEAST_TEXT = 220  # pixels for the words of a strip; with fewer its buttons go below them

Tone = Literal["", "good", "warning", "error"]
ICONS: dict[Tone, str] = {"": "info", "good": "check", "warning": "warning", "error": "warning"}


@dataclass(frozen=True)
class Action:
    """A button in a banner. Pressing it closes the banner first; not where it asks something that may be declined:
    then the banner stays until what was agreed to closes it."""

    label: str
    act: Callable[[], None]
    tip: str = ""
    asks: bool = False


class Banner(QFrame):
    """One strip: a mark, a sentence, perhaps a bar, buttons, and a way to close it."""

    closed = Signal()
    left = Signal()  # nobody wants it any more: it was closed as it was, or its time is over

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("Banner")
        self.tone: Tone = ""
        self._actions: tuple[Action, ...] = ()
        self._mark = QLabel()
        self._mark.setFixedSize(MARK, MARK)
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._bar = QProgressBar()
        self._bar.setAccessibleName(tr("Progress"))
        self._bar.setTextVisible(False)
        self._below = False
        self._row = QWidget()  # of the buttons
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._row)
        self._buttons.setContentsMargins(0, 0, 0, 0)
        self._buttons.setSpacing(GRID)
        self._close = QToolButton()
        self._close.setToolTip(tr("Close"))
        self._close.setAccessibleName(tr("Close this message"))
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._close.clicked.connect(self.left)
        self._time = QTimer(self, singleShot=True)
        self._time.timeout.connect(self._go)
        words = QVBoxLayout()
        words.setSpacing(6)
        words.addWidget(self._text)
        words.addWidget(self._bar)
        self._parts = QGridLayout(self)
        self._parts.setContentsMargins(LEFT, GRID, GRID, GRID)
        self._parts.setHorizontalSpacing(GAP)
        self._parts.setVerticalSpacing(GRID)
        self._parts.setColumnStretch(1, 1)
        self._parts.addWidget(self._mark, 0, 0, Qt.AlignmentFlag.AlignVCenter)
        self._parts.addLayout(words, 0, 1)
        self._parts.addWidget(self._row, 0, 2)
        self._parts.addWidget(self._close, 0, 3, Qt.AlignmentFlag.AlignVCenter)
        self.set_theme(theme)

    @property
    def text(self) -> str:
        return self._text.text()

    @property
    def buttons(self) -> list[QPushButton]:
        return self.findChildren(QPushButton)

    def fill(self, text: str, tone: Tone, actions: Sequence[Action], fraction: float | None, *, closable: bool) -> None:
        """fraction 0..1 shows a bar; None hides it."""
        if tone != self.tone:
            self.tone = tone
            set_kind(self, tone, "tone")
            self.set_theme(self._theme)
        self._text.setText(text)
        self.setAccessibleName(text)
        self._bar.setVisible(fraction is not None)
        if fraction is not None:
            self._bar.setRange(0, 1000)
            self._bar.setValue(round(1000 * fraction))
        self._close.setVisible(closable)
        if tuple(actions) != self._actions:
            self._replace_buttons(actions)
        self._row.setVisible(bool(actions))
        self._place_buttons()

    def stay(self, seconds: float) -> None:
        """Go after so long; 0: never."""
        if seconds:
            self._time.start(round(1000 * seconds))
        else:
            self._time.stop()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        colours = {"": theme.muted, "good": theme.good, "warning": theme.warning, "error": theme.error}
        self._mark.setPixmap(icon(ICONS[self.tone], colours[self.tone]).pixmap(20, 20))
        self._close.setIcon(icon("close", theme.muted))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_buttons()

    def _go(self) -> None:
        """But not from under the mouse, nor while the keyboard is at it."""
        focus = self.focusWidget()
        if self.underMouse() or (focus is not None and focus.hasFocus()):
            self._time.start(LOOKED_AT_MS)
        else:
            self.left.emit()

    def _place_buttons(self) -> None:
        """Beside the words; below them where those would be squeezed; one below another where even that is too wide."""
        inner = self.width() - LEFT - GRID
        wanted = sum(button.sizeHint().width() + GRID for button in self.buttons) - GRID
        text = max(self._text.fontMetrics().horizontalAdvance(line) for line in self.text.split("\n"))
        beside = inner - MARK - self._close.sizeHint().width() - wanted - 3 * GAP
        below = bool(self.buttons) and beside < min(LEAST_TEXT, text)
        direction = QBoxLayout.Direction
        self._buttons.setDirection(direction.TopToBottom if below and wanted > inner else direction.LeftToRight)
        if below != self._below:
            self._below = below
            self._parts.removeWidget(self._row)
            if below:
                self._parts.addWidget(self._row, 1, 0, 1, 4, Qt.AlignmentFlag.AlignRight)
            else:
                self._parts.addWidget(self._row, 0, 2)

    def _replace_buttons(self, actions: Sequence[Action]) -> None:
        self._actions = tuple(actions)
        for old in self.buttons:
            old.hide()  # also where it was added a moment ago: Qt would still show it, as a window of its own
            old.setParent(None)
            old.deleteLater()
        for action in actions:
            button = QPushButton(action.label)
            button.setProperty("kind", "chip")
            button.setToolTip(action.tip)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            if not action.asks:
                button.clicked.connect(self.closed)
            button.clicked.connect(lambda _=False, act=action.act: act())
            self._buttons.addWidget(button)
            self.setTabOrder(button, self._close)  # what can be done comes before closing


class Banners(QWidget):
    """The strips that are shown, each under a name; the newest is lowest."""

    left = Signal(str)  # the name of a strip that was closed as it was, or whose time is over
    focus_left = Signal()  # it was on a strip that is about to go

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._shown: dict[str, Banner] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(2 * GRID, 12, 2 * GRID, 0)
        self._column.setSpacing(GRID)
        self.hide()

    def show_banner(
        self,
        name: str,
        text: str,
        *,
        tone: Tone = "",
        actions: Sequence[Action] = (),
        fraction: float | None = None,
        closable: bool = True,
        seconds: float = 0.0,
    ) -> None:
        """Show a strip, or change the one of that name. It goes by itself after `seconds`, if that is not 0."""
        banner = self._shown.get(name)
        if banner is None:
            banner = self._shown[name] = Banner(self._theme)
            banner.closed.connect(lambda: self.close_banner(name))
            banner.left.connect(lambda: self._leave(name))
            self._column.addWidget(banner)
        banner.fill(text, tone, actions, fraction, closable=closable)
        banner.stay(seconds)
        self.show()

    def close_banner(self, name: str) -> None:
        if name not in self._shown:
            return
        banner = self._shown.pop(name)
        focus = banner.focusWidget()
        if focus is not None and focus.hasFocus():
            self.focus_left.emit()
        banner.hide()  # likewise
        banner.setParent(None)
        banner.deleteLater()
        self.setVisible(bool(self._shown))

    def _leave(self, name: str) -> None:
        self.close_banner(name)
        self.left.emit(name)

    def banner(self, name: str) -> Banner | None:
        return self._shown.get(name)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for banner in self._shown.values():
            banner.set_theme(theme)
