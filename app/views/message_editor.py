"""A message while its words are changed: an editor in its place, and two buttons."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.language import tr
from app.views.question_editor import ROOM, QuestionEditor
from app.views.reading_style import LINE
from app.views.style import set_kind
from inference.messages import Role

MOST_LINES = 20


class MessageEditor(QFrame):
    """Saving makes a new version; what followed the old one stays with it, and can be switched back to."""

    saved = Signal(str)
    cancelled = Signal()
    height_changed = Signal()

    def __init__(self, text: str, role: Role, parent: QWidget) -> None:
        super().__init__(parent)
        set_kind(self, "card")
        self.editor = QuestionEditor(self, most_lines=MOST_LINES, enter_sends=role == "user")
        self.editor.setPlainText(text)
        self.editor.setAccessibleName(tr("The message's text"))
        self.editor.send_pressed.connect(self.save)
        self.editor.stop_pressed.connect(self.cancelled)
        self.editor.height_changed.connect(self._tell_height)
        self._measuring = False
        self.editor.textChanged.connect(self._refresh)
        hint = tr("Asks again; the old version is kept.") if role == "user" else tr("The old version is kept.")
        note = QLabel(hint)
        set_kind(note, "muted")
        self.cancel_button = self._button(tr("Cancel"), tr("Leave it as it was (Esc)"), "")
        self.cancel_button.clicked.connect(self.cancelled)
        if role == "user":
            self.save_button = self._button(tr("Send"), tr("Ask this instead (Enter)"), "primary")
        else:
            self.save_button = self._button(tr("Save"), tr("Keep as a new version (Ctrl+Enter)"), "primary")
        self.save_button.clicked.connect(self.save)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(note, 1)
        row.addWidget(self.cancel_button)
        row.addWidget(self.save_button)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 6, 12, 12)
        self._column.setSpacing(6)
        self._column.addWidget(self.editor)
        self._column.addLayout(row)
        self._refresh()

    def height_at(self, width: int, most: int) -> int:
        """Its height at this width; beyond `most` (pixels) the text scrolls, so that the buttons stay in sight."""
        margins = self._column.contentsMargins()
        around = self._column.spacing() + self.save_button.sizeHint().height() + margins.top() + margins.bottom() + 4
        # Measured in silence: told of a height in the midst of its own resizing, Qt's editor keeps the old line width.
        self._measuring = True
        self.editor.set_most_height(min(MOST_LINES * LINE + ROOM, most - around))
        self.resize(width, self.height())
        self._column.activate()
        self._measuring = False
        return self.editor.height() + around

    def begin(self) -> None:
        self.editor.moveCursor(self.editor.textCursor().MoveOperation.End)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def save(self) -> None:
        text = self.editor.toPlainText().strip()
        if text:
            self.saved.emit(text)

    def _tell_height(self) -> None:
        if not self._measuring:
            self.height_changed.emit()

    def _refresh(self) -> None:
        self.save_button.setEnabled(bool(self.editor.toPlainText().strip()))

    def _button(self, text: str, tip: str, kind: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("kind", kind)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button
