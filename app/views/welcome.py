"""The welcome: which language, where models live, which model. Takes data and tells what is wanted; decides nothing."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.theme import GRID
from app.views.dialog import Dialog
from app.views.labels import wrapped
from app.views.layouts import centre_over, open_at, open_over
from app.views.segmented import Segmented
from app.views.style import set_kind

WIDTH, HEIGHT = 560, 460
STEPS = 3
PLACED_MS = 200  # by then a window manager that has its own mind has placed the dialog elsewhere


class Welcome(Dialog):
    step_changed = Signal(int)
    language_chosen = Signal(object)  # system, en or zh
    folder_wanted = Signal()
    ended = Signal(bool)  # gone through or skipped; whether the recommended model is wanted as well
    put_off = Signal()  # closed as a window is: not now

    def __init__(self, parent: QWidget, language: str, step: int = 0) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Welcome to Foreword"))
        self.setModal(True)
        open_at(self, WIDTH, HEIGHT)
        self.setMinimumSize(420, 380)
        self._over = False
        self.folder, self.room = wrapped("", "strong"), wrapped("", "muted")
        self.choose = QPushButton(tr("Choose another folder…"))
        self.starter, self.best = wrapped("", "muted"), wrapped("", "muted")
        self.best_name = wrapped("", "strong")
        self.take_best = QCheckBox(tr("Fetch it in the background"))
        self._pages = QStackedWidget()
        for page in (self._language_page(language), self._folder_page(), self._model_page()):
            self._pages.addWidget(page)
        self._count = QLabel()
        set_kind(self._count, "muted")
        self.skip, self.back, self.next = QPushButton(tr("Skip")), QPushButton(tr("Back")), QPushButton()
        self.next.setProperty("kind", "primary")
        self.next.setDefault(True)
        for button in (self.skip, self.back, self.choose):
            button.setAutoDefault(False)
        row = QHBoxLayout()
        row.addWidget(self.skip)
        row.addStretch(1)
        row.addWidget(self._count)
        row.addSpacing(GRID)
        row.addWidget(self.back)
        row.addWidget(self.next)
        column = QVBoxLayout(self)
        column.setContentsMargins(4 * GRID, 4 * GRID, 4 * GRID, 3 * GRID)
        column.setSpacing(2 * GRID)
        column.addWidget(self._pages, 1)
        column.addLayout(row)
        self.choose.clicked.connect(self.folder_wanted)
        self.skip.clicked.connect(lambda: self._end(False))
        self.back.clicked.connect(lambda: self.go_to(self.step - 1))
        self.next.clicked.connect(self._go_on)
        self.finished.connect(self._put_off)
        self.go_to(step)
        self._window = parent
        self._placed = QTimer(self, singleShot=True, interval=PLACED_MS)
        self._placed.timeout.connect(self._centre)
        parent.installEventFilter(self)

    @property
    def step(self) -> int:
        return self._pages.currentIndex()

    def go_to(self, step: int) -> None:
        self._pages.setCurrentIndex(max(0, min(step, STEPS - 1)))
        self._count.setText(tr("Step {n} of {count}").format(n=self.step + 1, count=STEPS))
        self.back.setEnabled(self.step > 0)
        self.next.setText(tr("Start chatting") if self.step == STEPS - 1 else tr("Next"))
        self.next.setFocus()
        self.step_changed.emit(self.step)

    def show_folder(self, folder: str, room: str, trouble: str = "") -> None:
        self.folder.setText(folder)
        self.room.setText(trouble or room)
        set_kind(self.room, "error" if trouble else "muted")

    def show_starter(self, text: str) -> None:
        self.starter.setText(text)

    def show_best(self, title: str, text: str, *, wanted: bool) -> None:
        """title: "" where there is nothing to recommend; text says why."""
        for widget in (self.best_name, self.take_best):
            widget.setVisible(bool(title))
        self.best_name.setText(title)
        self.take_best.setChecked(wanted)
        self.best.setText(text)

    def open(self) -> None:
        """Over its window, once that is on the screen: before, nobody knows where, and the welcome would jump there."""
        handle = self._window.windowHandle()
        if handle is not None and not handle.isExposed():
            handle.installEventFilter(self)
            return
        open_over(self, self._window)
        super().open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """It stays in the middle of its window."""
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize) and watched is self._window and self.isVisible():
            self._centre()
        elif event.type() == QEvent.Type.Expose and self._window.windowHandle().isExposed():
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self, self._open_late)
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._placed.start()

    def _open_late(self) -> None:
        if not self._over:  # it may have been closed while it waited
            self.open()

    def _centre(self) -> None:
        centre_over(self, self._window)

    def _go_on(self) -> None:
        if self.step < STEPS - 1:
            self.go_to(self.step + 1)
        else:
            self._end(self.take_best.isVisible() and self.take_best.isChecked())

    def _end(self, best: bool) -> None:
        self._over = True
        self.ended.emit(best)
        self.accept()

    def _put_off(self) -> None:
        if not self._over:
            self._over = True
            self.put_off.emit()

    def _language_page(self, chosen: str) -> QWidget:
        options = (("system", tr("As the system")), ("en", "English"), ("zh", "简体中文"))
        self.languages = Segmented(options)
        self.languages.name(tr("Language of the window"), "")
        self.languages.show_value(chosen)
        self.languages.edited.connect(self.language_chosen)
        label = QLabel(tr("Language of the window"))
        set_kind(label, "label")
        intro = tr(
            "Foreword runs a language model on this machine: nothing you write leaves it. A small draft writes a few "
            "tokens ahead, the model checks them in one pass, and gauges show how fast that is, and why."
        )
        return _page(tr("Welcome to Foreword"), intro, label, self.languages)

    def _folder_page(self) -> QWidget:
        intro = tr("Models are large files. They are kept in one folder, which you can put on another disk.")
        row = QWidget()
        inside = QHBoxLayout(row)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.choose)
        inside.addStretch(1)
        return _page(tr("Where models live"), intro, _card(self.folder, self.room), row)

    def _model_page(self) -> QWidget:
        intro = tr("You can chat with the starter in a moment. A better model is fetched meanwhile, if you like.")
        heading = QLabel(tr("The starter"))
        set_kind(heading, "strong")
        self.show_best("", tr("Looking at this machine…"), wanted=False)
        best = _card(self.best_name, self.best, self.take_best)
        return _page(tr("Which model"), intro, _card(heading, self.starter), best)


def _page(title: str, intro: str, *widgets: QWidget) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(12)
    heading = QLabel(title)
    set_kind(heading, "title")
    text = wrapped("", "muted")
    text.setText(intro)
    for widget in (heading, text, *widgets):
        column.addWidget(widget)
    column.addStretch(1)
    return page


def _card(*widgets: QWidget) -> QFrame:
    card = QFrame()
    card.setProperty("kind", "card")
    column = QVBoxLayout(card)
    column.setContentsMargins(2 * GRID, 12, 2 * GRID, 12)
    column.setSpacing(6)
    for widget in widgets:
        column.addWidget(widget)
    return card
