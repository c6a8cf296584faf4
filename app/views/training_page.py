"""Train a draft: what it is, what it will take, how far it is, and what came of it."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.error_texts import in_words
from app.language import tr
from app.theme import GRID
from app.training_run import TrainingState
from app.views import figures
from app.views.dialog import Dialog
from app.views.labels import wrapped
from app.views.layouts import clear, open_at
from app.views.run_page import progress_bar
from app.views.sparkline import Sparkline
from app.views.style import set_kind, theme_of, ui_font
from inference.tasks import TASKS, Task

WIDTH, HEIGHT = 560, 520


class TrainingPage(Dialog):
    """Takes `TrainingState`s; tells what the person wants."""

    start_requested = Signal(object, bool)  # the tasks, whether chats may be read
    pause_requested = Signal(bool)
    stop_requested = Signal()
    use_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Train a draft"))
        open_at(self, WIDTH, HEIGHT)
        self._state = TrainingState()
        self._model = ""
        self.intro = wrapped("", "muted")
        self.tasks: dict[Task, QCheckBox] = {}
        self.chats = QCheckBox(tr("Also ask my own questions from my chats"))
        self.chats.setToolTip(tr("They are read on this machine only, and the draft's card names none of them"))
        self.step = QLabel()
        self.step.setFont(ui_font(14, strong=True))
        self.left = QLabel()
        set_kind(self.left, "muted")
        self.bar = progress_bar(tr("Progress of the training"))
        self.curve = Sparkline("accent", ground="raised")
        self.curve.ceiling = 1.0
        self.curve.setToolTip(tr("How many of the head's first guesses are right, as it learns"))
        self.figures = wrapped("", "muted")
        self.trouble = wrapped("", "error")
        self.results = QVBoxLayout()
        self.results.setSpacing(GRID)
        self.start_button = QPushButton(tr("Start"))
        self.pause_button = QPushButton(tr("Pause"))
        self.stop_button = QPushButton(tr("Stop"))
        self.use_button = QPushButton(tr("Load it now"))
        self.close_button = QPushButton(tr("Close"))
        set_kind(self.start_button, "primary")
        set_kind(self.use_button, "primary")
        self._arrange()
        self.start_button.clicked.connect(self._start)
        self.pause_button.clicked.connect(lambda: self.pause_requested.emit(not self._state.paused))
        self.stop_button.clicked.connect(self.stop_requested)
        self.use_button.clicked.connect(self.use_requested)
        self.close_button.clicked.connect(self.reject)
        self.show_state(self._state)

    def _arrange(self) -> None:
        choices = QVBoxLayout()
        choices.setSpacing(GRID)
        for task, text in zip(TASKS, (tr("For code"), tr("For prose")), strict=True):
            box = self.tasks[task] = QCheckBox(text)
            box.setChecked(True)
            box.toggled.connect(lambda _: self._show_buttons())
            choices.addWidget(box)
        choices.addWidget(self.chats)
        head = QHBoxLayout()
        head.addWidget(self.step, 1)
        head.addWidget(self.left)
        self.progress = QFrame()
        set_kind(self.progress, "card")
        inside = QVBoxLayout(self.progress)
        inside.setContentsMargins(2 * GRID, 12, 2 * GRID, 12)
        inside.setSpacing(GRID)
        inside.addLayout(head)
        inside.addWidget(self.bar)
        inside.addWidget(self.curve)
        inside.addWidget(self.figures)
        foot = QHBoxLayout()
        foot.setSpacing(GRID)
        for button in (self.start_button, self.pause_button, self.stop_button, self.use_button):
            foot.addWidget(button)
        foot.addStretch(1)
        foot.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        column.addWidget(self.intro)
        column.addLayout(choices)
        column.addWidget(self.progress)
        column.addLayout(self.results)
        column.addWidget(self.trouble)
        column.addStretch(1)
        column.addLayout(foot)

    def showEvent(self, event: QShowEvent) -> None:
        self._follow_palette()
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._follow_palette()
        super().changeEvent(event)

    def _follow_palette(self) -> None:
        """The curve paints itself, in the colours of a theme."""
        self.curve.set_theme(theme_of(self))

    def show_model(self, name: str) -> None:
        """The model a draft would be trained for; "" when none is loaded."""
        self._model = name
        self.show_state(self._state)

    def show_state(self, state: TrainingState) -> None:
        self._state = state
        self.intro.setText(self._introduction())
        self.progress.setVisible(state.running or bool(state.step))
        self.step.setText(self._step_words())
        self.left.setText(self._left_words())
        self.bar.setValue(round(1000 * state.share))
        self.curve.setVisible(len(state.curve) > 1)
        if list(state.curve) != self.curve.points:
            self.curve.clear()
            for value in state.curve:
                self.curve.add(value)
        self.figures.setText(self._figure_words())
        self.figures.setVisible(bool(self.figures.text()))
        self.trouble.setText(in_words(state.error))
        self.trouble.setVisible(bool(state.error))
        self._show_results(state.gained)
        self._show_buttons()

    def _show_buttons(self) -> None:
        state = self._state
        wanted = any(box.isChecked() for box in self.tasks.values())
        for box in (*self.tasks.values(), self.chats):
            box.setEnabled(not state.running)
        self.start_button.setVisible(not state.running)
        self.start_button.setEnabled(bool(self._model) and wanted)
        self.start_button.setText(tr("Go on") if state.step and not state.drafts else tr("Start"))
        for button in (self.pause_button, self.stop_button):
            button.setVisible(state.running)
        self.pause_button.setText(tr("Resume") if state.paused else tr("Pause"))
        self.use_button.setVisible(bool(state.drafts) and not state.running)

    def _start(self) -> None:
        tasks = tuple(task for task, box in self.tasks.items() if box.isChecked())
        self.start_requested.emit(tasks, self.chats.isChecked())

    # Words

    def _introduction(self) -> str:
        if not self._model:
            return tr("Load the model that the draft is to be for.")
        return tr(
            "{model} answers thousands of questions here, and a small head learns to foresee its words. Such a draft "
            "makes it faster and never changes what it says. Training runs at low priority, waits while you chat, and "
            "goes on where it was stopped."
        ).format(model=self._model)

    def _step_words(self) -> str:
        state = self._state
        names = {
            "replies": tr("The model answers questions"),
            "features": tr("Reading the answers again"),
            "train": tr("Training"),
            "measure": tr("Measuring what it gains"),
            "package": tr("Done"),
        }
        heads = {"any": tr("for all tasks"), "code": tr("for code"), "prose": tr("for prose")}
        words = names.get(state.step, tr("Loading the model…"))
        if state.step == "train" and state.head in heads:
            words = tr("{step} {purpose}").format(step=words, purpose=heads[state.head])
        return f"{words} · {state.share:.0%}" if state.total and state.step != "package" else words

    def _left_words(self) -> str:
        if self._state.paused:
            return tr("paused")
        if not self._state.running:
            return "" if not self._state.step or self._state.drafts else tr("stopped")
        return "" if self._state.left_s is None else tr("{time} left").format(time=figures.duration(self._state.left_s))

    def _figure_words(self) -> str:
        state, parts = self._state, []
        if not state.step and state.estimate:
            seconds = sum(state.estimate["seconds"].values())
            disk, memory = state.estimate["disk_bytes"] / 1e9, state.estimate["memory_bytes"] / 1e9
            words = tr("About {time}, {disk:.1f} GB of disk and {memory:.1f} GB of memory.")
            return words.format(time=figures.duration(seconds), disk=disk, memory=memory)
        if "tokens_per_second" in state.figures:
            parts.append(tr("{speed:,.0f} tokens a second").format(speed=state.figures["tokens_per_second"]))
        if "held_out_1" in state.figures:
            rate = f"{state.figures['held_out_1']:.0%}"
            parts.append(tr("accepted on questions it never saw: {rate}").format(rate=rate))
        return " · ".join(parts)

    def _show_results(self, gained: Mapping[str, Mapping[str, Any]]) -> None:
        clear(self.results)
        for task, measured in gained.items():
            label = wrapped("", "good")
            label.setText(self._result_words(task, measured))
            self.results.addWidget(label)

    def _result_words(self, task: str, measured: Mapping[str, Any]) -> str:
        name = {"code": tr("Code"), "prose": tr("Prose")}.get(task, task)
        rates = ", ".join(f"{rate:.0%}" for rate in measured["acceptance_by_position"])
        best = max(measured["by_draft_length"].values(), key=lambda one: float(one["measured_gain"]))
        words = tr("{name}: accepted {rates} by position, {rounds:.2f} tokens a round, {gain:.2f} times as fast.")
        return words.format(name=name, rates=rates, rounds=best["tokens_per_round"], gain=best["measured_gain"])
