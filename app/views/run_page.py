"""What the pages share that start something long: its progress, the room for what comes of it, the row of buttons."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.theme import GRID
from app.views.dialog import Dialog
from app.views.layouts import stop_where_it_scrolls
from app.views.style import set_kind


class RunPage(Dialog):
    """The page itself: what is chosen, Start and Stop, and a note beside them. Closing it does not end what runs."""

    start_requested = Signal(object)  # what is wanted
    stop_requested = Signal()
    turned = Signal()  # it was opened or closed

    def __init__(self, title: str, start: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._running = False
        self._obstacle = ""  # that is shown as a note
        self.choices: list[QWidget] = []  # that cannot be changed meanwhile
        self.bar, self.left, self.note = progress_bar(title), QLabel(), QLabel()
        for label in (self.left, self.note):
            set_kind(label, "muted")
        self.note.setWordWrap(True)
        self.start_button, self.stop_button = QPushButton(start), QPushButton(tr("Stop"))
        self.close_button = QPushButton(tr("Close"))
        set_kind(self.start_button, "primary")
        for button in (self.start_button, self.stop_button, self.close_button):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.start_button.clicked.connect(lambda: self.start_requested.emit(self.wish()))
        self.stop_button.clicked.connect(self.stop_requested)
        self.close_button.clicked.connect(self.reject)

    def wish(self) -> object:
        """What is chosen."""
        raise NotImplementedError

    @property
    def ready(self) -> bool:
        """Whether enough is chosen to begin."""
        return True

    @property
    def outcome(self) -> str:
        """What came of it, in a sentence."""
        raise NotImplementedError

    @property
    def progress_made(self) -> tuple[str, float | None]:
        """What is left to do in words, and the share that is done (None: not known)."""
        return self.left.text(), self.bar.value() / self.bar.maximum()

    def show_state(self, *, running: bool, obstacle: str) -> None:
        """obstacle: why it cannot begin just now, or ""."""
        self._running = running
        for choice in self.choices:
            choice.setEnabled(not running)
        was_focused = self.stop_button.hasFocus() if self.start_button.isHidden() else self.start_button.hasFocus()
        self.start_button.setEnabled(not obstacle and self.ready)
        self.start_button.setVisible(not running)
        self.stop_button.setVisible(running)
        if was_focused:  # the keyboard stays where Start was
            (self.stop_button if running else self.start_button).setFocus(Qt.FocusReason.OtherFocusReason)
        if obstacle or running or self.note.text() == self._obstacle:  # else it says what became of it
            self.show_note(obstacle)
        self._obstacle = obstacle

    def show_note(self, text: str) -> None:
        self.note.setText(text)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.turned.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.turned.emit()


def caption(text: str, field: QWidget) -> QLabel:
    """Names the field as well."""
    label = QLabel(text)
    set_kind(label, "muted")
    label.setBuddy(field)
    field.setAccessibleName(text)
    return label


def progress_bar(name: str) -> QProgressBar:
    """In thousandths; name: for who cannot see it."""
    bar = QProgressBar()
    bar.setRange(0, 1000)
    bar.setTextVisible(False)
    bar.setAccessibleName(name)
    return bar


def progress_line(bar: QProgressBar, left: QLabel) -> QWidget:
    """left: what is left to do, in words."""
    line = QWidget()
    inside = QHBoxLayout(line)
    inside.setContentsMargins(0, 0, 0, 0)
    inside.addWidget(bar, 1)
    inside.addWidget(left)
    return line


def scrolled(rows: QLayout) -> QScrollArea:
    inside = QWidget()
    around = QVBoxLayout(inside)
    around.setContentsMargins(0, 0, GRID, 0)
    around.addLayout(rows)
    around.addStretch(1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(inside)
    stop_where_it_scrolls(area)
    return area


def button_row(buttons: Sequence[QPushButton], note: QLabel, close: QPushButton) -> QHBoxLayout:
    """None of them is pressed by Enter somewhere else on the page."""
    row = QHBoxLayout()
    row.setSpacing(GRID)
    for button in buttons:
        row.addWidget(button)
    row.addWidget(note, 1)
    row.addWidget(close)
    for button in (*buttons, close):
        button.setAutoDefault(False)
    return row
