"""A file that goes with a question: its name, its size, and a way to take it off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLayout, QLayoutItem, QSizePolicy, QToolButton, QWidget

from app.attachments import Attachment
from app.language import tr
from app.theme import GRID, Theme
from app.views.icons import icon
from app.views.style import set_kind

HEIGHT = 28
LONGEST_NAME = 220  # pixels


@dataclass(frozen=True)
class Chip:
    """note: its size in tokens or lines."""

    name: str
    note: str = ""
    tone: Literal["", "error"] = ""


def chip_of(attachment: Attachment) -> Chip:
    """Of a file that was sent."""
    return Chip(attachment.name, lines_of(attachment.text))


def lines_of(text: str) -> str:
    """How many lines it has; the end of the last begins no other."""
    count = text.removesuffix("\n").count("\n") + 1 if text else 0
    return tr("1 line") if count == 1 else tr("{count:,} lines").format(count=count)


class AttachmentChip(QFrame):
    removed = Signal()
    opened = Signal()  # a click, Enter or the space bar: its text is to be shown

    def __init__(self, chip: Chip, theme: Theme, parent: QWidget, *, removable: bool) -> None:
        super().__init__(parent)
        set_kind(self, "attachment")
        self.chip = chip
        sign, name, note = QLabel(self), QLabel(self), QLabel(chip.note, self)
        colour = theme.error if chip.tone else theme.muted
        sign.setPixmap(icon("paperclip", colour, 16).pixmap(16, 16))
        set_kind(name, "label")
        set_kind(note, chip.tone or "muted")
        if chip.tone:
            set_kind(note, "complaint")
        name.ensurePolished()
        for label in (name, note):
            label.setTextFormat(Qt.TextFormat.PlainText)
        name.setText(QFontMetrics(name.font()).elidedText(chip.name, Qt.TextElideMode.ElideMiddle, LONGEST_NAME))
        self.setToolTip(chip.name)
        self.setAccessibleName(f"{chip.name}, {chip.note}" if chip.note else chip.name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 2, 4 if removable else 10, 2)
        self.setFixedHeight(HEIGHT)
        row.setSpacing(6)
        for widget in (sign, name, note):
            row.addWidget(widget)
        self.remove_button = QToolButton(self)
        self.remove_button.setVisible(removable)
        if removable:
            self.remove_button.setProperty("kind", "reset")
            self.remove_button.setIcon(icon("close", theme.muted, 14))
            self.remove_button.setIconSize(QSize(14, 14))
            self.remove_button.setFixedSize(22, 22)
            self.remove_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.remove_button.setToolTip(tr("Take this file off"))
            self.remove_button.setAccessibleName(tr("Take {name} off").format(name=chip.name))
            self.remove_button.clicked.connect(self.removed)
            row.addWidget(self.remove_button)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()  # so that the release comes here too

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        else:
            super().keyPressEvent(event)


class ChipRow(QWidget):
    """Chips side by side, in as many lines as they need."""

    removed = Signal(int)  # place of the chip
    opened = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None, *, removable: bool) -> None:
        super().__init__(parent)
        self._theme = theme
        self._removable = removable
        self.chips: list[AttachmentChip] = []
        self._flow = Flow(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.hide()

    def show_chips(self, chips: Sequence[Chip]) -> None:
        if [shown.chip for shown in self.chips] == list(chips):
            return
        for old in self.chips:
            self._flow.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.chips = []
        for place, chip in enumerate(chips):
            shown = AttachmentChip(chip, self._theme, self, removable=self._removable)
            shown.removed.connect(lambda place=place: self.removed.emit(place))
            shown.opened.connect(lambda place=place: self.opened.emit(place))
            self._flow.addWidget(shown)
            shown.show()
            self.chips.append(shown)
        self.setVisible(bool(chips))
        self.updateGeometry()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        chips = [shown.chip for shown in self.chips]
        self.show_chips([])
        self.show_chips(chips)

    def height_at(self, width: int) -> int:
        return self._flow.heightForWidth(width)


class Flow(QLayout):
    """Places items from left to right, and below where the line is full."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            hint = item.sizeHint()
            if x > rect.x() and x + hint.width() > rect.right() + 1:
                x, y, line = rect.x(), y + line + GRID // 2, 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), hint))
            x += hint.width() + GRID
            line = max(line, hint.height())
        return y + line - rect.y()
