"""The settings of replies, made from the table. Beside the chat, or over it where both do not fit."""

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPoint, QPropertyAnimation, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.settings import TABLE, Settings
from app.theme import LIGHT, Theme
from app.views.easing import DURATION_MS, reduced_motion
from app.views.icons import icon
from app.views.layouts import scrolling
from app.views.setting_row import SettingRow
from app.views.setting_rows import SettingRows, heading
from app.views.style import set_kind

WIDTH = 376
LEAST_BESIDE = 400  # pixels that the chat keeps; with fewer the panel lies over it
LEAST_SEEN = 120  # pixels of the chat beside a panel that lies over it; with fewer the panel covers it whole
GROUPS = ("speculation", "sampling", "reply")  # what the next reply is made with; all the rest is in the dialog
ELSEWHERE = {"task", "more_drafts"}  # chosen beside the gauges, and in "What works here"
HERE = [setting for setting in TABLE if setting.group in GROUPS and setting.name not in ELSEWHERE]


class SettingsPanel(QWidget):
    """Show it with `show()`: as a child outside any layout it lays itself over the right edge of its parent.

    It says how much of the parent it takes away for itself, so that what is beside it can make room.
    """

    changed = Signal(object)  # a new Settings, after each valid edit
    choose_draft_requested = Signal()
    all_requested = Signal()  # every setting, in a dialog
    closed = Signal()
    took = Signal(int)  # pixels of its parent's width; 0 when it is closed, or lies over what is there

    def __init__(self, parent: QWidget | None = None) -> None:
        while isinstance(parent, QSplitter):  # which would make a column of it
            parent = parent.parentWidget()
        super().__init__(parent)
        self.setObjectName("SettingsPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.top = 0  # pixels of its parent that it leaves free above
        self._theme: Theme = LIGHT
        self._rows = SettingRows(self)
        self._rows.changed.connect(self._take)
        self._rows.choose_draft_requested.connect(self.choose_draft_requested)
        self._slide = QPropertyAnimation(self, b"pos", self)
        self._slide.setDuration(DURATION_MS)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._close, self._reset_all = QToolButton(), QPushButton(tr("Reset all"))
        self.all_button = QPushButton(tr("All settings…"))
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addWidget(self._make_header())
        if parent is not None:
            parent.installEventFilter(self)
        self.set_theme(LIGHT)

    @property
    def settings(self) -> Settings:
        return self._rows.settings

    @property
    def rows(self) -> dict[str, SettingRow]:
        """By the setting's name. Made when they are first wanted, which is after the window has opened."""
        if not self._rows.by_name:
            self._box.addWidget(self._make_rows(), 1)
            self._disclose()
            self.set_theme(self._theme)
        return self._rows.by_name

    def show_settings(self, settings: Settings) -> None:
        """What is in force. Edits that were not told yet are forgotten."""
        self._rows.show(settings)
        if self._rows.by_name:
            self._disclose()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._close.setIcon(icon("close", theme.muted))
        self._rows.set_theme(theme)

    def flush(self) -> None:
        """Tell now what was typed and not told yet."""
        self._rows.flush()

    # How it is built

    def _make_header(self) -> QWidget:
        header = QWidget()
        title, note = QLabel(tr("Settings for replies")), QLabel(tr("Changes apply to the next reply."))
        set_kind(title, "title")
        set_kind(note, "muted")
        self._close.setToolTip(tr("Close the settings (Esc)"))
        self._close.setAccessibleName(tr("Close the settings"))
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._close.setIconSize(QSize(20, 20))
        self._close.clicked.connect(self._leave)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(title)
        words.addWidget(note)
        row = QHBoxLayout(header)
        row.setContentsMargins(24, 14, 16, 12)
        row.addLayout(words, 1)
        row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        return header

    def _make_rows(self) -> QWidget:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 0, 16, 24)
        column.setSpacing(12)
        group = ""
        for setting in HERE:
            is_heading = False
            if setting.group != group:
                text = heading(setting.group)
                is_heading = text == tr(setting.label)  # said once is enough
                self._begin_group(column, "" if is_heading else text, first=not group)
                group = setting.group
            row = SettingRow(setting, heading=is_heading)
            self._rows.add(row)
            column.addWidget(row)
        column.addSpacing(8)
        self._reset_all.setToolTip(tr("Put every setting back to its default; the models stay"))
        self._reset_all.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._reset_all.clicked.connect(self._rows.reset)
        self.all_button.setToolTip(tr("Every setting, with a search (Ctrl+,)"))
        self.all_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.all_button.clicked.connect(self.all_requested)
        buttons = QHBoxLayout()
        buttons.addWidget(self._reset_all)
        buttons.addWidget(self.all_button)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addStretch(1)
        return scrolling(inner, stop=False)

    def _begin_group(self, column: QVBoxLayout, text: str, *, first: bool) -> None:
        line = QFrame()
        set_kind(line, "line")
        if not first:
            column.addSpacing(8)
        column.addWidget(line)
        if text:
            label = QLabel(text)
            set_kind(label, "heading")
            column.addWidget(label)

    def _take(self, settings: Settings) -> None:
        self._disclose()
        self.changed.emit(settings)

    def _disclose(self) -> None:
        """Show what matters for the choices made, and nothing else."""
        drafting = self.settings.speculation != "off"
        lengths = drafting and self.settings.drafter != "none"
        self._rows.by_name["drafter"].setVisible(drafting)
        for name in ("draft_model", "align_drafts"):
            self._rows.by_name[name].setVisible(drafting and self.settings.needs_model)
        self._rows.by_name["dynamic"].setVisible(lengths)
        self._rows.by_name["draft_length"].setVisible(lengths)
        repeats = self.settings.drafter in ("automatic", "ngram", "combined")
        self._rows.by_name["learn_from_chats"].setVisible(drafting and repeats)
        for name in ("max_draft_length", "min_acceptance"):
            self._rows.by_name[name].setVisible(lengths and self.settings.dynamic)

    # Where it is

    @property
    def _floats(self) -> bool:
        parent = self.parentWidget()
        layout = parent.layout() if parent is not None else None
        return parent is not None and (layout is None or layout.indexOf(self) < 0)

    def _place(self) -> QPoint:
        """Cover the parent's right edge from `top` to the bottom; gives the place to be at."""
        parent = self.parentWidget()
        assert parent is not None
        sliver = parent.width() - WIDTH < LEAST_SEEN
        width = parent.width() if sliver else WIDTH
        self.setFixedWidth(width)
        self.resize(width, parent.height() - self.top)
        self.took.emit(width if parent.width() - width >= LEAST_BESIDE else 0)
        return QPoint(parent.width() - width, self.top)

    def place(self) -> None:
        """Be where there is room now."""
        if self.isVisible() and self._floats:
            self._slide.stop()
            self.move(self._place())

    def showEvent(self, event: QShowEvent) -> None:
        assert self.rows  # made now, before the first painting
        super().showEvent(event)
        if self._floats:
            place = self._place()
            self.raise_()
            if reduced_motion() or event.spontaneous():
                self.move(place)
            else:
                self._slide.stop()
                self._slide.setStartValue(place + QPoint(WIDTH // 4, 0))
                self._slide.setEndValue(place)
                self._slide.start()
        self.setFocus(Qt.FocusReason.OtherFocusReason)  # Esc closes it, Tab goes to the first control

    def hideEvent(self, event: QHideEvent) -> None:
        self._slide.stop()
        self.flush()
        super().hideEvent(event)
        if not event.spontaneous():
            self.took.emit(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.parentWidget() and event.type() == QEvent.Type.Resize:
            self.place()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _leave(self) -> None:
        self.closed.emit()
        self.hide()
