"""The editor of a question: Enter sends, Shift+Enter breaks the line, it grows with what is written."""

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from app.attachments import is_long_paste
from app.language import tr
from app.theme import BODY
from app.views.dropped_files import files_of, take_copy
from app.views.reading_style import LINE, line_height
from app.views.style import set_kind, ui_font

MOST_LINES, LEAST_LINES = 8, 2
ROOM = 12  # above and below the text together; one line is as high as the button


class QuestionEditor(QTextEdit):
    send_pressed = Signal()
    stop_pressed = Signal()
    focus_changed = Signal(bool)
    height_changed = Signal()
    files_offered = Signal(list)  # paths (str) that were pasted or dropped
    paste_offered = Signal(str)  # a text too long to stand in a question

    def __init__(
        self, parent: QWidget, *, most_lines: int = MOST_LINES, enter_sends: bool = True, attaches: bool = False
    ) -> None:
        """enter_sends: else Enter breaks the line, and Ctrl+Enter sends. attaches: files and long texts are offered."""
        super().__init__(parent)
        self._attaches = attaches
        self._most_lines = most_lines
        self._enter_sends = enter_sends
        set_kind(self, "bare")
        self.setAcceptRichText(False)
        self.setFont(ui_font(BODY))
        self.document().setDocumentMargin(0)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setStyleSheet(f"font-size: {BODY}px;")
        self.setViewportMargins(0, ROOM // 2, 0, ROOM // 2)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Your question"))
        self._composing = False
        self.textChanged.connect(self._fit)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Where it does not attach, it is a message's editor: Esc leaves that, and nothing else.

        Where it does, it leaves Ctrl+Z to the window as long as there is nothing to undo here.
        """
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escape and event.type() == QEvent.Type.ShortcutOverride and not self._attaches:
            event.accept()
            return True
        handled = super().event(event)
        nothing = self._attaches and not self.document().isUndoAvailable()
        if nothing and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            event.setAccepted(event.isAccepted() and not event.matches(QKeySequence.StandardKey.Undo))
        return handled

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        sends = self._enter_sends or event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if enter and not shift and sends and not self._composing:
            self.send_pressed.emit()
        elif event.key() == Qt.Key.Key_Escape and not self._composing:
            self.stop_pressed.emit()
        else:
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Enter confirms what an input method is composing; it does not send it."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() or (self._attaches and bool(files_of(source)))

    def insertFromMimeData(self, source: QMimeData) -> None:
        """What is pasted or dropped arrives as plain text, whatever it was; files and very long texts are offered."""
        if self._attaches and (files := files_of(source)):
            self.files_offered.emit(files)
        elif self._attaches and source.hasText() and is_long_paste(source.text()):
            self.paste_offered.emit(source.text())
        elif source.hasText():
            self.textCursor().insertText(source.text())
            self.ensureCursorVisible()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        super().dragEnterEvent(event)
        self._leave_files(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)
        self._leave_files(event)

    def dropEvent(self, event: QDropEvent) -> None:
        super().dropEvent(event)
        self._leave_files(event)

    def _leave_files(self, event: QDropEvent) -> None:
        """Text may be moved into or within the question; files stay where they are."""
        if event.isAccepted() and event.mimeData().hasUrls():
            take_copy(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._composing = False  # an input method that is left has nothing more to confirm
        self.focus_changed.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def set_most_height(self, pixels: int) -> None:
        """It grows no higher than the lines that fit into this, and never less than LEAST_LINES."""
        lines = max(LEAST_LINES, (pixels - ROOM) // LINE)
        if lines != self._most_lines:
            self._most_lines = lines
            self._fit()

    def sizeHint(self) -> QSize:
        return QSize(200, LINE + ROOM)

    def _fit(self) -> None:
        """As high as the text, up to MOST_LINES; beyond that it scrolls."""
        if self.document().firstBlock().blockFormat().lineHeight() != LINE or self._fresh_lines():
            self._space_lines()
        lines = max(1, min(self._most_lines, round(self.document().size().height() / LINE)))
        scrolls = self.document().size().height() > self._most_lines * LINE + 1
        shown = Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(shown)
        if self.height() != lines * LINE + ROOM:
            self.setFixedHeight(lines * LINE + ROOM)
            self.height_changed.emit()

    def _fresh_lines(self) -> bool:
        return self.document().lastBlock().blockFormat().lineHeight() != LINE

    def _space_lines(self) -> None:
        """The same distance between lines as in the conversation."""
        self.blockSignals(True)
        fresh = not self.document().isUndoAvailable()
        self.document().setUndoRedoEnabled(not fresh)  # nobody wants to undo the distance of lines
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(line_height(LINE))
        self.document().setUndoRedoEnabled(True)
        self.blockSignals(False)
