"""What works here: for each task what drafts and why, with the numbers, and the person's say in every cell."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.drafter_names import candidate_name
from app.language import tr
from app.theme import GRID
from app.views.choice_box import ChoiceBox
from app.views.dialog import Dialog
from app.views.elided_label import ElidedLabel
from app.views.labels import wrapped
from app.views.layouts import open_at, scrolling
from app.views.route_words import cell_words, heading_words, reason_words
from app.views.style import set_kind, ui_font
from inference.profiles import PLAIN, Profile, Routes
from inference.settings import MAX_DRAFT_LENGTH
from inference.tasks import TASKS, Task

WIDTH, HEIGHT = 880, 640
COLUMNS = 5  # figures of a candidate at a task
DROP = 64  # pixels kept for the button behind them, so that the columns of both tables stand under each other
CHOICE = 22  # characters of a name that the closed list of drafts shows


class RouterPage(Dialog):
    """Shows `Routes`; tells what the person decides about a task, and which draft models should come or go."""

    profile_chosen = Signal(str, object)  # the Task, the Profile
    add_requested = Signal()
    drop_requested = Signal(str)  # the name of a draft model

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("What works here"))
        open_at(self, WIDTH, HEIGHT)
        self._routes: Routes | None = None
        self._summary = wrapped("", "muted")
        self._body = QVBoxLayout()
        self._body.setContentsMargins(0, 0, GRID, 0)
        self._body.setSpacing(3 * GRID)
        inner = QWidget()
        inner.setLayout(self._body)
        scroll = scrolling(inner, stop=False)
        self.add_button = QPushButton(tr("Add a draft model…"))
        self.add_button.setToolTip(tr("Keep one more draft model in memory, for the task it is fastest at"))
        self.add_button.clicked.connect(self.add_requested)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        foot = QHBoxLayout()
        foot.addWidget(self.add_button)
        foot.addStretch(1)
        foot.addWidget(buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        column.addWidget(self._summary)
        column.addWidget(scroll, 1)
        column.addLayout(foot)
        self.drafts: dict[Task, QComboBox] = {}
        self.lengths: dict[Task, QComboBox] = {}
        self.drop_buttons: dict[str, QPushButton] = {}
        self.show_routes(None)

    def show_routes(self, routes: Routes | None) -> None:
        """None: no model is loaded."""
        if routes == self._routes and self._body.count():
            return
        self._routes = routes
        self.add_button.setEnabled(routes is not None)
        boxes = (self.drafts, self.lengths)
        focused = [(i, task) for i, group in enumerate(boxes) for task, box in group.items() if box.hasFocus()]
        self._clear()
        if routes is None:
            self._summary.setText(tr("No model is loaded."))
            self._body.addStretch(1)
            return
        self._summary.setText(heading_words(routes))
        for task in TASKS:
            self._body.addWidget(self._section(routes, task))
        self._body.addStretch(1)
        for i, task in focused:
            (self.drafts, self.lengths)[i][task].setFocus()

    def _clear(self) -> None:
        self.drafts, self.lengths, self.drop_buttons = {}, {}, {}
        while (item := self._body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def _section(self, routes: Routes, task: Task) -> QWidget:
        card = QFrame()
        set_kind(card, "card")
        title = QLabel(tr("Code") if task == "code" else tr("Prose"))
        set_kind(title, "title")
        why = wrapped(reason_words(routes, task), "muted")
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(title, 1)
        head.addWidget(self._caption(tr("Draft"), self._draft_choice(routes, task)))
        head.addWidget(self.drafts[task])
        head.addSpacing(GRID)
        head.addWidget(self._caption(tr("Length"), self._length_choice(routes, task)))
        head.addWidget(self.lengths[task])
        box = QVBoxLayout(card)
        box.setContentsMargins(2 * GRID, 12, 2 * GRID, 12)
        box.setSpacing(GRID)
        box.addLayout(head)
        box.addWidget(why)
        box.addLayout(self._table(routes, task))
        return card

    def _caption(self, text: str, buddy: QComboBox) -> QLabel:
        label = QLabel(text)
        set_kind(label, "field")
        label.setBuddy(buddy)
        return label

    def _draft_choice(self, routes: Routes, task: Task) -> QComboBox:
        box = self.drafts[task] = ChoiceBox()
        box.setAccessibleName(tr("What drafts {task}").format(task=task))
        box.setToolTip(tr("Automatic takes the fastest and tries the others now and then"))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(CHOICE)
        box.addItem(tr("Automatic"), None)
        for candidate in routes.candidates:
            box.addItem(candidate_name(candidate), candidate.key)
        pinned = routes.profiles[task].candidate
        if pinned is not None and box.findData(pinned) < 0:
            box.addItem(tr("{name} (not loaded)").format(name=pinned.partition(":")[2] or pinned), pinned)
        box.setCurrentIndex(max(0, box.findData(pinned)))
        box.activated.connect(lambda _: self._tell(task))
        return box

    def _length_choice(self, routes: Routes, task: Task) -> QComboBox:
        box = self.lengths[task] = ChoiceBox()
        box.setAccessibleName(tr("Draft length for {task}").format(task=task))
        box.setToolTip(tr("Automatic follows what is being accepted, as the settings say"))
        box.addItem(tr("Automatic"), None)
        for length in range(1, MAX_DRAFT_LENGTH + 1):
            box.addItem(f"K = {length}", length)
        box.setCurrentIndex(max(0, box.findData(routes.profiles[task].draft_length)))
        box.activated.connect(lambda _: self._tell(task))
        return box

    def _tell(self, task: Task) -> None:
        profile = Profile(self.drafts[task].currentData(), self.lengths[task].currentData())
        self.profile_chosen.emit(task, profile)

    def _table(self, routes: Routes, task: Task) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        grid.setColumnMinimumWidth(COLUMNS + 1, DROP)
        heads = (
            (tr("Draft"), ""),
            (tr("tok/s"), tr("Tokens of replies a second, measured on this machine")),
            (tr("gain"), tr("Times as fast as without speculation, for the same tokens")),
            (tr("accepted 1st, 2nd, 3rd, 4th"), tr("Of the drafted tokens at each place, how many stood")),
            (tr("a token costs"), tr("What drafting one token takes")),
            (tr("tries"), tr("How often it was tried while another was faster")),
            ("", ""),  # above the buttons
        )
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for column, (text, tip) in enumerate(heads):
            label = QLabel(text)
            label.setToolTip(tip)
            set_kind(label, "heading")
            grid.addWidget(label, 0, column, right if column else Qt.AlignmentFlag.AlignLeft)
        for row, candidate in enumerate(routes.candidates, 1):
            cell = routes.cell(candidate.key, task)
            assert cell is not None
            grid.addWidget(self._name(routes, task, candidate.key), row, 0)
            for column, text in enumerate(cell_words(cell, routes), 1):
                label = QLabel(text)
                label.setFont(ui_font(13, strong=cell.chosen, tabular=True))
                set_kind(label, "good" if cell.chosen else "" if cell.ready else "muted", "tone")
                grid.addWidget(label, row, column, right)
            if candidate.kind == "model" and task == TASKS[0]:
                grid.addWidget(self._drop(candidate.draft), row, COLUMNS + 1)
        return grid

    def _name(self, routes: Routes, task: Task, key: str) -> QLabel:
        cell = routes.cell(key, task)
        assert cell is not None
        name = candidate_name(cell.candidate)
        if cell.chosen and cell.candidate == PLAIN:
            name = tr("{name}  ·  chosen").format(name=name)
        elif cell.chosen:
            name = tr("{name}  ·  drafts now").format(name=name)
        label = ElidedLabel(name)
        label.setToolTip(name)
        label.setFont(ui_font(13, strong=cell.chosen))
        set_kind(label, "good" if cell.chosen else "", "tone")
        return label

    def _drop(self, draft: str) -> QPushButton:
        button = self.drop_buttons[draft] = QPushButton(tr("Drop"))
        set_kind(button, "chip")
        button.setToolTip(tr("Give the memory of {draft} back").format(draft=draft))
        button.setAccessibleName(tr("Drop {draft}").format(draft=draft))
        button.clicked.connect(lambda: self.drop_requested.emit(draft))
        return button

    def text(self) -> str:
        """All that the labels say, for those who look for a word."""
        return "\n".join(label.text() for label in self.findChildren(QLabel) if not label.isHidden())
