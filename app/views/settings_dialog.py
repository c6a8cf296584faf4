"""Every setting in one dialog, made from the table: by section, with a sentence of help and a way back to the default.

A search finds by name, help and choices, in English and in Chinese whatever the window speaks.
"""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.language import chinese, mark, tr
from app.setting import Setting
from app.setting_rules import Choice
from app.settings import TABLE, Settings
from app.theme import GRID, Theme
from app.views.dialog import Dialog
from app.views.folder_row import FolderRow
from app.views.layouts import open_at, scrolling
from app.views.setting_row import SettingRow
from app.views.setting_rows import SettingRows, heading, remark
from app.views.style import set_kind

WIDTH, HEIGHT, SECTIONS = 760, 620, 168
ELSEWHERE = {"model", "more_drafts"}  # chosen in the header, and in "What works here"


FOLDER = (mark("Models folder"), mark("Where models are kept. Another folder takes along what is there."))
FOLDER_GROUP = "folder"


def texts_of(setting: Setting) -> list[str]:
    """By which it is found."""
    options = [label for _, label in setting.rule.options] if isinstance(setting.rule, Choice) else []
    return [setting.label, setting.help, *options]


def found(texts: Sequence[str], question: str) -> bool:
    """Whether every word of the question stands in these texts, in either language."""
    both = " ".join([*texts, *(chinese(text) for text in texts)]).casefold()
    return all(word in both for word in question.casefold().split())


class SettingsDialog(Dialog):
    changed = Signal(object)  # a new Settings, after each valid edit
    choose_draft_requested = Signal()
    reopen_requested = Signal()  # the window, so that it is made in another language

    def __init__(self, parent: QWidget | None, theme: Theme) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Settings"))
        self.setMinimumSize(520, 400)
        self._rows = SettingRows(self)
        self._rows.changed.connect(self.changed)
        self._rows.choose_draft_requested.connect(self.choose_draft_requested)
        self._headings: dict[str, QLabel] = {}
        self._remarks: dict[str, QLabel] = {}  # below headings, by group
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search settings"))
        self.search.setAccessibleName(tr("Search settings"))
        self.search.setToolTip(tr("Finds by name and by explanation, in English and in Chinese"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._find)
        self.sections = QListWidget()
        self.sections.setAccessibleName(tr("Sections"))
        self.sections.setToolTip(tr("Go to a section"))
        self.sections.setFixedWidth(SECTIONS)
        self.sections.setFrameShape(QFrame.Shape.NoFrame)
        self._nothing = QLabel(tr("No setting is called that."))
        set_kind(self._nothing, "muted")
        self._nothing.hide()
        self.folder = FolderRow(*FOLDER)
        self._scroll = self._make_rows()
        self.sections.currentRowChanged.connect(self._go)
        self.sections.itemClicked.connect(lambda _: self._go(self.sections.currentRow()))
        self._reopen = self._make_reopen()
        self._reset_all = QPushButton(tr("Reset all"))
        self._reset_all.setToolTip(tr("Put every setting back to its default; the models stay"))
        self._reset_all.clicked.connect(self._rows.reset)
        self._close = QPushButton(tr("Close"))
        self._close.setToolTip(tr("Close the settings (Esc)"))
        self._close.clicked.connect(self.close)
        for button in (self._reset_all, self._close):
            button.setAutoDefault(False)
        self._lay_out()
        self.set_theme(theme)
        open_at(self, WIDTH, HEIGHT)

    @property
    def rows(self) -> dict[str, SettingRow]:
        """By the setting's name."""
        return self._rows.by_name

    def show_settings(self, settings: Settings) -> None:
        self._rows.show(settings)

    def offer_reopening(self, wanted: bool) -> None:
        """Whether the window speaks another language than the one that was chosen."""
        self._reopen.setVisible(wanted)

    def set_theme(self, theme: Theme) -> None:
        self._rows.set_theme(theme)

    def hideEvent(self, event: QHideEvent) -> None:
        self._rows.flush()
        super().hideEvent(event)

    # How it is built

    def _make_rows(self) -> QScrollArea:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(2 * GRID, 0, 2 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        for setting in (one for one in TABLE if one.name not in ELSEWHERE):
            name, named = heading(setting.group), False
            if setting.group not in self._headings:
                column.addLayout(self._make_heading(setting.group, name, remark(setting.group)))
                named = name == tr(setting.label)  # said once is enough
            row = SettingRow(setting, heading=named, explained=True)
            self._rows.add(row)
            column.addWidget(row)
        column.addLayout(self._make_heading(FOLDER_GROUP, tr("Models")))
        column.addWidget(self.folder)
        column.addWidget(self._nothing)
        column.addStretch(1)
        return scrolling(inner, stop=False)

    def _make_heading(self, group: str, name: str, note: str = "") -> QVBoxLayout:
        label = self._headings[group] = QLabel(name)
        set_kind(label, "title")
        label.setContentsMargins(0, GRID if len(self._headings) > 1 else 0, 0, 0)
        label.setWordWrap(True)
        self.sections.addItem(name)
        above = QVBoxLayout()
        above.setSpacing(2)
        above.addWidget(label)
        if note:
            below = self._remarks[group] = QLabel(note)
            set_kind(below, "muted")
            above.addWidget(below)
        return above

    def _make_reopen(self) -> QFrame:
        card = QFrame()
        set_kind(card, "card")
        text, button = QLabel(tr("The language changes when the window is opened again.")), QPushButton()
        text.setWordWrap(True)
        button.setText(tr("Open again now"))
        button.setToolTip(tr("Closes the window and opens it again; the chat is kept, the model is loaded again"))
        button.setAutoDefault(False)
        button.clicked.connect(self.reopen_requested)
        row = QHBoxLayout(card)
        row.addWidget(text, 1)
        row.addWidget(button)
        card.hide()
        return card

    def _lay_out(self) -> None:
        both = QHBoxLayout()
        both.setSpacing(2 * GRID)
        both.addWidget(self.sections)
        both.addWidget(self._scroll, 1)
        foot = QHBoxLayout()
        foot.addWidget(self._reset_all)
        foot.addStretch(1)
        foot.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        column.addWidget(self.search)
        column.addLayout(both, 1)
        column.addWidget(self._reopen)
        column.addLayout(foot)

    # What it does

    def _find(self, question: str) -> None:
        groups: set[str] = set()
        for row in self.rows.values():
            wanted = found(texts_of(row.setting), question)
            row.setVisible(wanted)
            if wanted:
                groups.add(row.setting.group)
        self.folder.setVisible(found(self.folder.texts, question))
        if not self.folder.isHidden():
            groups.add(FOLDER_GROUP)
        for number, (group, label) in enumerate(self._headings.items()):
            label.setVisible(group in groups)
            if group in self._remarks:
                self._remarks[group].setVisible(group in groups)
            self.sections.item(number).setHidden(group not in groups)
        self._nothing.setVisible(not groups)
        self._scroll.verticalScrollBar().setValue(0)

    def _go(self, number: int) -> None:
        if number >= 0:
            self._scroll.verticalScrollBar().setValue(list(self._headings.values())[number].y())
