"""Between the versions of a message: ‹ 2/3 ›."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from app.language import tr
from app.message_tree import Version
from app.views.reading_style import ReadingStyle
from app.views.style import set_kind

SIDE = 22


class VersionSwitch(QWidget):
    stepped = Signal(int)  # -1 or 1

    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.before = self._button(tr("Version before"), -1)
        self.after = self._button(tr("Next version"), 1)
        self._count = QLabel(self)
        set_kind(self._count, "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for widget in (self.before, self._count, self.after):
            row.addWidget(widget)
        self.set_style(style)

    def show_version(self, version: Version | None) -> None:
        """None where there is only one: nothing is shown."""
        self.setVisible(version is not None)
        if version is None:
            return
        self._count.setText(f"{version.number}/{version.count}")
        self._count.setToolTip(tr("Version {number} of {count}").format(number=version.number, count=version.count))
        self.before.setEnabled(version.number > 1)
        self.after.setEnabled(version.number < version.count)
        self.setAccessibleName(self._count.toolTip())
        self.adjustSize()

    @property
    def focused_step(self) -> int:
        """-1 or 1 where one of its buttons has the keyboard, else 0."""
        return self.after.hasFocus() - self.before.hasFocus()

    def take_focus(self, step: int) -> None:
        """The keyboard goes on in this direction, or back where there is nothing further."""
        button, other = (self.after, self.before) if step > 0 else (self.before, self.after)
        (button if button.isEnabled() else other).setFocus(Qt.FocusReason.OtherFocusReason)

    def text(self) -> str:
        return self._count.text()

    def set_style(self, style: ReadingStyle) -> None:
        self.before.setIcon(style.icon("chevron-left"))
        self.after.setIcon(style.icon("chevron-right"))

    def event(self, event: QEvent) -> bool:
        """As wide as its text, which another zoom makes larger or smaller."""
        if event.type() == QEvent.Type.LayoutRequest:
            middle = self.y() + self.height() // 2
            self.adjustSize()
            self.move(self.x(), middle - self.height() // 2)
        return super().event(event)

    def _button(self, name: str, step: int) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("kind", "reset")
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setFixedSize(SIDE, SIDE)
        button.setIconSize(QSize(14, 14))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.stepped.emit(step))
        return button
