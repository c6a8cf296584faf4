"""The right side of the page of models: what one model is, and what can be done with it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.language import tr
from app.theme import GRID, LIGHT, Theme
from app.views.elided_label import ElidedLabel
from app.views.layouts import clear
from app.views.load_form import LoadForm
from app.views.model_row import Fetching, ModelRow
from app.views.style import set_kind


class ModelDetails(QWidget):
    download_requested = Signal(str)  # the identifier, likewise below
    pause_requested = Signal(str)
    give_up_requested = Signal(str)
    remove_requested = Signal(str)
    show_folder_requested = Signal(str)
    copy_requested = Signal(str)
    hub_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._row: ModelRow | None = None
        self._name, self._note, self._message = QLabel(), QLabel(), QLabel()
        set_kind(self._name, "title")
        set_kind(self._note, "muted")
        for label in (self._name, self._note, self._message):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(2 * GRID)
        self._facts.setVerticalSpacing(4)
        self._facts.setColumnStretch(1, 1)
        self.form = LoadForm()
        self._line = QFrame()
        set_kind(self._line, "line")
        self._hub_helps: dict[str, bool] = {}  # for what is said where
        self.hub = QPushButton(tr("Model hub…"))
        self.hub.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hub.clicked.connect(self.hub_requested)
        self._fetch = self._make_fetch()
        self._foot = self._make_foot()
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(12)
        column.addWidget(self._name)
        column.addWidget(self._note)
        column.addLayout(self._facts)
        column.addWidget(self._line)
        column.addWidget(self.form)
        column.addWidget(self._fetch)
        column.addWidget(self._message)
        column.addWidget(self.hub, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        column.addWidget(self._foot)
        self.show_row(None)
        self.show_message("")

    def show_row(self, row: ModelRow | None, fetching: Fetching | None = None) -> None:
        """None: nothing is chosen yet."""
        before = self._row
        other = row is None or before is None or row.identifier != before.identifier
        self._row = row
        here = row is not None and row.where == "here"
        self._name.setText(row.name if row else "")
        self._note.setText(row.note if row else "")
        self._note.setVisible(bool(row and row.note))
        self._show_facts(row.facts if row else ())
        self._line.setVisible(row is not None)
        self.form.setVisible(here)
        self._foot.setVisible(here)
        self._fetch.setVisible(row is not None and not here)
        if row is not None:
            self.remove.setText(tr("Remove…") if row.own else tr("Forget"))
            self.copy.setVisible(not row.own)
            self.download.setEnabled(not row.obstacle)
            self._obstacle.setText(row.obstacle)
            self._obstacle.setVisible(bool(row.obstacle))
        self.show_fetching(fetching)
        if before is not None and other:  # else it is the page that opens, and what is said may be news already
            self.show_message("")
        if other:
            self.form.await_plan()

    def show_fetching(self, fetching: Fetching | None) -> None:
        """How far the download of the shown model is; None: none was begun."""
        self.bar.setVisible(fetching is not None)
        self._progress.setVisible(fetching is not None)
        self.pause.setVisible(fetching is not None and not fetching.paused)
        self.give_up.setVisible(fetching is not None)
        self.download.setVisible(fetching is None or fetching.paused)
        self._hub_helps["fetching"] = fetching is not None and fetching.hub
        self.hub.setVisible(any(self._hub_helps.values()))
        self.download.setText(tr("Resume") if fetching is not None else tr("Download"))
        if fetching is not None:
            self._progress.setText(fetching.line)
            set_kind(self._progress, "error" if fetching.failed else "muted")
            self.bar.setRange(0, 1000 if fetching.fraction is not None else 0)
            self.bar.setValue(round(1000 * (fetching.fraction or 0.0)))

    def show_message(self, text: str, tone: str = "error", *, hub: bool = False) -> None:
        """hub: another address, or a token, may help."""
        self._message.setText(text)
        set_kind(self._message, tone)
        self._message.setVisible(bool(text))
        self._hub_helps["message"] = hub
        self.hub.setVisible(any(self._hub_helps.values()))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.form.set_theme(theme)

    def _make_fetch(self) -> QWidget:
        fetch = QWidget()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Progress of the download"))
        self._progress, self._obstacle = QLabel(), QLabel()
        set_kind(self._progress, "muted")
        set_kind(self._obstacle, "warning")
        for label in (self._progress, self._obstacle):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.download = self._button(tr("Download"), self.download_requested, "primary")
        self.pause = self._button(tr("Pause"), self.pause_requested)
        self.give_up = self._button(tr("Give up and delete"), self.give_up_requested, "ghost")
        row = QHBoxLayout()
        row.setSpacing(GRID)
        for button in (self.download, self.pause, self.give_up):
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(fetch)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        for widget in (self._obstacle, self.bar, self._progress):
            column.addWidget(widget)
        column.addLayout(row)
        return fetch

    def _make_foot(self) -> QWidget:
        foot = QWidget()
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        self.show_folder = self._button(tr("Show its folder"), self.show_folder_requested, "ghost")
        self.remove = self._button(tr("Remove…"), self.remove_requested, "danger")
        self.copy = self._button(tr("Copy to the models folder"), self.copy_requested, "ghost")
        self.copy.setToolTip(tr("Copies the model into the folder of models, so that the original may go"))
        row.addWidget(self.show_folder)
        row.addWidget(self.copy)
        row.addStretch(1)
        row.addWidget(self.remove)
        return foot

    def _button(self, text: str, signal: SignalInstance, kind: str = "") -> QPushButton:
        button = QPushButton(text)
        if kind:
            button.setProperty("kind", kind)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: signal.emit(self._row.identifier) if self._row else None)
        return button

    def _show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        clear(self._facts)
        for line, (label, value) in enumerate(facts):
            name, text = QLabel(label), ElidedLabel(value)
            set_kind(name, "muted")
            text.setToolTip(value)
            text.setTextFormat(Qt.TextFormat.PlainText)
            self._facts.addWidget(name, line, 0)
            self._facts.addWidget(text, line, 1)
