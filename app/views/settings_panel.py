"""The settings, made from the table. Slides over the right side of its parent."""

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPoint, QPropertyAnimation, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.settings import TABLE, Settings
from app.theme import LIGHT, Theme
from app.views.draft_picker import DraftPicker
from app.views.easing import DURATION_MS, reduced_motion
from app.views.icons import icon
from app.views.setting_row import SettingRow, translated
from app.views.style import set_kind

WIDTH = 376
ELSEWHERE = {"model", "task", "more_drafts"}  # chosen in the header, beside the gauges, in "What works here"


class SettingsPanel(QWidget):
    """Show it with `show()`: as a child outside any layout it lays itself over the right edge of its parent."""

    changed = Signal(object)  # a new Settings, after each valid edit
    choose_draft_requested = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        while isinstance(parent, QSplitter):  # which would make a column of it
            parent = parent.parentWidget()
        super().__init__(parent)
        self.setObjectName("SettingsPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH)
        self.settings = Settings()
        self._theme: Theme = LIGHT
        self._rows: dict[str, SettingRow] = {}
        self._slide = QPropertyAnimation(self, b"pos", self)
        self._slide.setDuration(DURATION_MS)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._close, self._reset_all = QToolButton(), QPushButton(tr("Reset all"))
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addWidget(self._make_header())
        if parent is not None:
            parent.installEventFilter(self)
        self.set_theme(LIGHT)

    @property
    def rows(self) -> dict[str, SettingRow]:
        """By the setting's name. Made when they are first wanted, which is after the window has opened."""
        if not self._rows:
            self._box.addWidget(self._make_rows(), 1)
            self._fill()
            self.set_theme(self._theme)
        return self._rows

    def show_settings(self, settings: Settings) -> None:
        """What is in force. Edits that were not told yet are forgotten."""
        self.settings = settings
        if self._rows:
            self._fill()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._close.setIcon(icon("close", theme.muted))
        reset = icon("reset", theme.muted, 16)
        for row in self._rows.values():
            row.reset.setIcon(reset)

    def flush(self) -> None:
        """Tell now what was typed and not told yet."""
        for row in self._rows.values():
            row.control.flush()

    # How it is built

    def _make_header(self) -> QWidget:
        header = QWidget()
        title, note = QLabel(tr("Settings")), QLabel(tr("Changes apply to the next reply."))
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
        headings = {
            "speculation": tr("Speculation"),
            "sampling": tr("Sampling"),
            "reply": tr("Reply"),
            "appearance": tr("Appearance"),
            "loading": tr("Loading (applies when a model is loaded next)"),
        }
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 0, 16, 24)
        column.setSpacing(12)
        group = ""
        for setting in (s for s in TABLE if s.name not in ELSEWHERE):
            heading = False
            if setting.group != group:
                text = headings[setting.group]
                heading = text == translated(setting.label)  # said once is enough
                self._begin_group(column, "" if heading else text, first=not group)
                group = setting.group
            row = SettingRow(setting, heading=heading)
            row.edited.connect(self._edit)
            if isinstance(row.control, DraftPicker):
                row.control.choose_requested.connect(self.choose_draft_requested)
            column.addWidget(row)
            self._rows[setting.name] = row
        column.addSpacing(8)
        self._reset_all.setToolTip(tr("Put every setting back to its default; the models stay"))
        self._reset_all.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._reset_all.clicked.connect(self._reset)
        column.addWidget(self._reset_all, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inner)
        return scroll

    def _begin_group(self, column: QVBoxLayout, text: str, *, first: bool) -> None:
        line = QFrame()
        set_kind(line, "line")
        if not first:
            column.addSpacing(8)
        column.addWidget(line)
        if text:
            heading = QLabel(text)
            set_kind(heading, "heading")
            column.addWidget(heading)

    # What changes

    def _edit(self, name: str, value: object) -> None:
        row = self.rows[name]
        try:
            settings = self.settings.with_value(name, value)
        except ValueError as error:
            row.show_error(str(error))
            return
        changed = settings != self.settings
        self.settings = settings
        row.show_value(settings)
        self._disclose()
        if changed:
            self.changed.emit(settings)

    def _reset(self) -> None:
        kept = Settings(model=self.settings.model, draft_model=self.settings.draft_model)
        changed = kept != self.settings
        self.show_settings(kept)
        if changed:
            self.changed.emit(kept)

    def _fill(self) -> None:
        for row in self._rows.values():
            row.show_value(self.settings)
        self._disclose()

    def _disclose(self) -> None:
        """Show what matters for the choices made, and nothing else."""
        drafting = self.settings.speculation != "off"
        lengths = drafting and self.settings.drafter != "none"
        self.rows["drafter"].setVisible(drafting)
        self.rows["draft_model"].setVisible(drafting and self.settings.needs_model)
        self.rows["dynamic"].setVisible(lengths)
        self.rows["draft_length"].setVisible(lengths)
        for name in ("max_draft_length", "min_acceptance"):
            self.rows[name].setVisible(lengths and self.settings.dynamic)

    # Where it is

    @property
    def _floats(self) -> bool:
        parent = self.parentWidget()
        layout = parent.layout() if parent is not None else None
        return parent is not None and (layout is None or layout.indexOf(self) < 0)

    def _place(self) -> QPoint:
        """Cover the parent's right edge from top to bottom; gives the place to be at."""
        parent = self.parentWidget()
        assert parent is not None
        self.resize(WIDTH, parent.height())
        return QPoint(parent.width() - WIDTH, 0)

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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.parentWidget() and event.type() == QEvent.Type.Resize and self.isVisible() and self._floats:
            self._slide.stop()
            self.move(self._place())
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _leave(self) -> None:
        self.hide()
        self.closed.emit()
