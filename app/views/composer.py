"""Where a question is written: a card with files, the editor, and below it what is chosen and one round button."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app.language import tr
from app.theme import LIGHT, READING_WIDTH, Theme
from app.views.attachment_chip import Chip, ChipRow
from app.views.dropped_files import files_of, take_copy
from app.views.elided_label import ElidedLabel
from app.views.icons import icon
from app.views.preset_button import PresetButton
from app.views.question_editor import QuestionEditor
from app.views.style import set_kind

OUTSET = 16  # the card is this much wider than the column, so that its text stands under the text above
BUTTON = 36


class Composer(QWidget):
    submitted = Signal(str)
    stop_requested = Signal()
    changed = Signal()  # the text
    attach_requested = Signal()
    files_offered = Signal(list)  # paths (str) that were dropped or pasted
    paste_offered = Signal(str)  # a text too long to stand in a question
    attachment_removed = Signal(int)  # its place
    attachment_opened = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running = False
        self._reason = ""
        self._theme = LIGHT
        self._sign = ("", "")
        self._editor = QuestionEditor(self, attaches=True)
        self._editor.send_pressed.connect(self._send)
        self._editor.stop_pressed.connect(self._stop)
        self._editor.textChanged.connect(self._refresh)
        self._editor.textChanged.connect(self.changed)
        self._editor.focus_changed.connect(self._show_focus)
        self._editor.files_offered.connect(self.files_offered)
        self._editor.paste_offered.connect(self.paste_offered)
        self.attachments = ChipRow(LIGHT, self, removable=True)
        self.attachments.removed.connect(self.attachment_removed)
        self.attachments.opened.connect(self.attachment_opened)
        self.attach_button = QToolButton(self)
        self.attach_button.setIconSize(QSize(20, 20))
        self.attach_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.attach_button.setToolTip(tr("Attach text or code files (Ctrl+Shift+A); they can be dropped here too"))
        self.attach_button.setAccessibleName(tr("Attach files"))
        self.attach_button.clicked.connect(self.attach_requested)
        self.presets = PresetButton(self)
        self._size = ""  # of the files, in words
        self._note = ElidedLabel(self)
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        set_kind(self._note, "muted")
        self._button = QToolButton(self)
        set_kind(self._button, "primary")
        self._button.setFixedSize(BUTTON, BUTTON)
        self._button.setIconSize(QSize(20, 20))
        self._button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._button.clicked.connect(lambda: self._stop() if self._running else self._send())
        self._card = QFrame(self)
        self._card.setObjectName("Composer")
        self._card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._card.setCursor(Qt.CursorShape.IBeamCursor)
        self.setFocusProxy(self._editor)
        self.setAcceptDrops(True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(24, 8, 24, 24)
        self._column.addWidget(self._card)
        self._lay_out()
        self._refresh()

    def set_running(self, running: bool) -> None:
        """While a reply runs the button stops it."""
        self._running = running
        self._refresh()

    @property
    def running(self) -> bool:
        return self._running

    def set_blocked(self, reason: str) -> None:
        """Why nothing can be sent yet; empty once it can. Writing is always possible."""
        self._reason = reason
        self._refresh()

    set_enabled_reason = set_blocked

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.attach_button.setIcon(icon("paperclip", theme.muted))
        self.attachments.set_theme(theme)
        self.presets.set_theme(theme)
        self._refresh()

    def text(self) -> str:
        return self._editor.toPlainText()

    def set_text(self, text: str) -> None:
        self._editor.setPlainText(text)
        self._editor.moveCursor(self._editor.textCursor().MoveOperation.End)

    def show_attachments(self, chips: Sequence[Chip], size: str = "") -> None:
        """size: of all together, in words."""
        self.attachments.show_chips(chips)
        self._size = size
        self._refresh()

    def focus(self) -> None:
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def editor(self) -> QuestionEditor:
        return self._editor

    @property
    def button(self) -> QToolButton:
        return self._button

    @property
    def can_send(self) -> bool:
        something = bool(self.text().strip()) or bool(self.attachments.chips)
        return not self._running and not self._reason and something

    def _lay_out(self) -> None:
        column = QVBoxLayout(self._card)
        column.setContentsMargins(OUTSET, 12, 10, 10)
        column.setSpacing(6)
        column.addWidget(self.attachments)
        column.addWidget(self._editor)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.attach_button)
        row.addWidget(self.presets)
        row.addWidget(self._note, 1)
        row.addSpacing(8)
        row.addWidget(self._button)
        row.setContentsMargins(-6, 0, 0, 0)  # the icon, not its frame, stands under the text
        column.addLayout(row)

    def _send(self) -> None:
        if self.can_send:
            text = self.text().strip()
            self._editor.clear()
            self.submitted.emit(text)

    def _stop(self) -> None:
        if self._running:
            self.stop_requested.emit()

    def _show_focus(self, focused: bool) -> None:
        set_kind(self._card, "true" if focused else "false", "focused")

    def _refresh(self) -> None:
        name = tr("Stop") if self._running else tr("Send")
        keys = tr("Esc") if self._running else tr("Enter; Shift+Enter for a new line")
        self._button.setAccessibleName(name)
        self._button.setToolTip(self._reason if self._reason and not self._running else f"{name} ({keys})")
        self._button.setEnabled(self._running or self.can_send)
        colour = self._theme.on_accent if self._button.isEnabled() else self._theme.muted
        sign = ("stop" if self._running else "send", colour)
        if sign != self._sign:  # drawing it takes longer than a key may
            self._sign = sign
            self._button.setIcon(icon(*sign))
        self._editor.setPlaceholderText(self._reason or tr("Ask anything"))
        waits = self._reason and bool(self.text()) and not self._running  # else it stands where the text would
        self._note.setText(self._reason if waits else self._size)
        self._note.setToolTip(self._note.text())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = max(24, (self.width() - READING_WIDTH) // 2 - OUTSET)
        self._column.setContentsMargins(side, 8, side, 24)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Anywhere in the card is in the question. A focus proxy would keep Tab from leaving it."""
        if self._card.geometry().contains(event.position().toPoint()):
            self._editor.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files_of(event.mimeData()):
            take_copy(event)
            self._show_focus(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._show_focus(self._editor.hasFocus())

    def dropEvent(self, event: QDropEvent) -> None:
        self._show_focus(self._editor.hasFocus())
        self.files_offered.emit(files_of(event.mimeData()))
        take_copy(event)
