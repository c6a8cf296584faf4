"""The chip beside the gauges: what is being written now, code or prose, and whether the person has pinned it."""

from typing import get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.language import tr
from app.views.style import set_kind
from inference.tasks import TaskChoice


def task_name(task: str) -> str:
    """In words; "" before a reply has begun."""
    names = {"code": tr("code"), "prose": tr("prose"), "": tr("automatic")}
    return names[task]


class TaskChip(QPushButton):
    """Opens a menu: automatic, code, prose, and the table of what works here."""

    chosen = Signal(str)  # a TaskChoice
    routes_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._task, self._pinned = "", False
        self.setProperty("kind", "chip")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(self)
        group = QActionGroup(self)
        texts = {
            "automatic": tr("Automatic: follow the text"),
            "code": tr("Code: always"),
            "prose": tr("Prose: always"),
        }
        self.choices: dict[str, QAction] = {}
        for choice in get_args(TaskChoice):
            action = menu.addAction(texts[choice])
            action.setCheckable(True)
            action.setActionGroup(group)
            action.triggered.connect(lambda _=False, choice=choice: self.chosen.emit(choice))
            self.choices[choice] = action
        menu.addSeparator()
        self.table = menu.addAction(tr("What works here…"))
        self.table.triggered.connect(self.routes_requested)
        self.setMenu(menu)
        self.show_choice("automatic")

    def show_task(self, task: str) -> None:
        """code or prose, as it is being written; "" before anything is."""
        if not self._pinned and task != self._task:
            self._task = task
            self._write()

    def show_choice(self, choice: str) -> None:
        """automatic, or what the person pinned."""
        pinned = choice != "automatic"
        if pinned or self._pinned:  # else nothing was chosen anew, and what a reply writes still holds
            self._pinned, self._task = pinned, choice if pinned else ""
        self.choices[choice].setChecked(True)
        self._write()

    def _write(self) -> None:
        name = task_name(self._task)
        self.setText(tr("{task}, pinned").format(task=name) if self._pinned else name)
        self.setAccessibleName(tr("Task: {task}").format(task=self.text()))
        if self._pinned:
            why = tr("You have pinned the task; the draft follows it.")
        elif self._task:
            why = tr("What is being written now, seen in the text; the draft follows it.")
        else:
            why = tr("Whether code or prose is written is seen in the text; the draft follows it.")
        self.setToolTip(f"{why} {tr('(Ctrl+T)')}")
        set_kind(self, "accent" if self._task == "code" else "", "tone")
