"""The bar that looks for words in the chat that is shown."""

from PySide6.QtCore import QEvent, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from app.language import tr
from app.views.reading_style import ICON_SIZE, ReadingStyle
from app.views.style import set_kind

WIDTH, HEIGHT = 380, 48
COUNT = 84  # pixels of "12 of 3,456"


class FindBar(QFrame):
    """Enter and F3 go on, with Shift back; Esc closes and gives the focus back to where it was."""

    words_changed = Signal(str)
    stepped = Signal(int)  # 1 for the next hit, -1 for the one before
    closed = Signal()

    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        set_kind(self, "card")
        self._before: QWidget | None = None
        self.words = QLineEdit(self)
        self.words.setProperty("kind", "bare")
        self.words.setPlaceholderText(tr("Find in this chat"))
        self.words.setAccessibleName(tr("Find in this chat"))
        self.words.installEventFilter(self)
        self.words.textChanged.connect(self.words_changed)
        self.count = QLabel(self)
        set_kind(self.count, "muted")
        self.count.setMinimumWidth(COUNT)
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 8, 6)
        row.setSpacing(2)
        row.addWidget(self.words, 1)
        row.addWidget(self.count)
        row.addSpacing(6)
        self._buttons: dict[str, QToolButton] = {}
        self.previous = self._add(row, "chevron-up", tr("Previous hit (Shift+F3)"), None)
        self.next = self._add(row, "chevron-down", tr("Next hit (F3)"), None)
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        self._add(row, "close", tr("Close (Esc)"), self.closed)
        self.set_style(style)
        self.resize(WIDTH, HEIGHT)
        self.hide()

    def set_style(self, style: ReadingStyle) -> None:
        for name, button in self._buttons.items():
            button.setIcon(style.icon(name))

    def open(self) -> None:
        if self.isHidden():
            self._before = QApplication.focusWidget()
        self.show()
        self.raise_()
        self.words.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.words.selectAll()

    def close_again(self) -> None:
        """Hide, and give the focus back."""
        self.hide()
        before, self._before = self._before, None
        if before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_count(self, current: int, total: int, *, complete: bool) -> None:
        """current: 1 for the first hit, 0 for none; complete: the whole chat was looked at."""
        if not self.words.text().strip():
            text = ""
        elif not complete:
            text = tr("{total}…").format(total=total)
        elif not total:
            text = tr("Not found")
        else:
            text = tr("{current:,} of {total:,}").format(current=current, total=total)
        self.count.setText(text)
        self.words.setAccessibleDescription(text)
        self.previous.setEnabled(total > 0)
        self.next.setEnabled(total > 0)

    def _add(self, row: QHBoxLayout, icon: str, name: str, clicked: SignalInstance | None) -> QToolButton:
        button = self._buttons[icon] = QToolButton(self)
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setIconSize(ICON_SIZE)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if clicked is not None:
            button.clicked.connect(clicked)
        row.addWidget(button)
        return button

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F3):
            self.stepped.emit(-1 if back else 1)
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.stepped.emit(1 if event.key() == Qt.Key.Key_Down else -1)
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            return False
        return True
