"""Above a message: who speaks, which version it is, and what can be done with a question."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal, SignalInstance
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from app.language import tr
from app.message_tree import Version
from app.views.reading_style import ICON_SIZE, ReadingStyle
from app.views.style import set_kind
from app.views.version_switch import VersionSwitch
from inference.messages import Role

HEAD_HEIGHT = 22
HEAD_OVERHANG = 4  # of the last button's frame, so that its icon and not the frame stands at the edge of the text
BUTTON = 26


def speaker(role: Role) -> str:
    names: dict[Role, str] = {
        "user": tr("You"),
        "assistant": tr("Foreword"),
        "system": tr("System"),
    }
    return names[role]


class MessageHead(QWidget):
    """A reply's buttons stand beneath it (see `Footer`); a question's stand here, while somebody is near."""

    edit_clicked = Signal()
    copy_clicked = Signal()
    more_clicked = Signal(QPoint)  # a place on the screen for the menu

    def __init__(self, role: Role, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = speaker(role)
        self._label = QLabel(self.name, self)
        set_kind(self._label, "heading")
        self.versions = VersionSwitch(style, self)
        self.versions.hide()
        self._actions = QWidget(self)
        self._row = QHBoxLayout(self._actions)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._icons: dict[str, QToolButton] = {}
        if role != "assistant":
            self._add("copy", tr("Copy"), self.copy_clicked)
            self._add("pencil", tr("Edit this question"), self.edit_clicked)
            more = self._add("more", tr("More"), None)
            more.clicked.connect(lambda: self.more_clicked.emit(more.mapToGlobal(QPoint(0, more.height()))))
        self._near = False
        self.set_style(style)

    @property
    def buttons(self) -> dict[str, QToolButton]:
        return self._icons

    def show_version(self, version: Version | None) -> None:
        self.versions.show_version(version)
        self._place()

    def set_busy(self, near: bool) -> None:
        """Somebody points at the message or has the focus in it."""
        self._near = near
        self._show_actions()

    def set_style(self, style: ReadingStyle) -> None:
        self._style = style
        self.versions.set_style(style)
        self._show_actions()

    def _add(self, name: str, text: str, clicked: SignalInstance | None) -> QToolButton:
        button = self._icons[name] = QToolButton(self._actions)
        button.setToolTip(text)
        button.setAccessibleName(text)
        button.setIconSize(ICON_SIZE)
        button.setFixedSize(BUTTON, HEAD_HEIGHT)
        button.setProperty("kind", "reset")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.installEventFilter(self)
        if clicked is not None:
            button.clicked.connect(clicked)
        self._row.addWidget(button)
        return button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._show_actions()
        return False

    def _show_actions(self) -> None:
        """Without their icons they are not seen, but can be reached by Tab."""
        near = self._near or any(button.hasFocus() for button in self._icons.values())
        for name, button in self._icons.items():
            button.setIcon(self._style.icon(name) if near else QIcon())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def _place(self) -> None:
        self._label.ensurePolished()
        width = self._label.sizeHint().width()
        height = self._style.px(HEAD_HEIGHT)
        self._label.setGeometry(0, 0, width, height)
        self.versions.move(width + 8, (height - self.versions.height()) // 2)
        self._actions.adjustSize()
        self._actions.move(self.width() - self._actions.width(), 0)
