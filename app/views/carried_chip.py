"""What hangs from the mouse while a chat is carried."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.views.elided_label import ElidedLabel
from app.views.style import set_kind

BESIDE = QPoint(14, 10)  # from the mouse
WIDTH = 220


class CarriedChip(QFrame):
    """The chat's title, and what dropping it here would do."""

    def __init__(self, window: QWidget, title: str) -> None:
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setProperty("kind", "floating")
        self._title, self._deed = ElidedLabel(), ElidedLabel()
        self._title.setText(title)
        set_kind(self._title, "field")
        set_kind(self._deed, "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 6)
        column.setSpacing(2)
        column.addWidget(self._title)
        column.addWidget(self._deed)

    @property
    def deed(self) -> str:
        return self._deed.text()

    def show_at(self, place: QPoint, deed: str) -> None:
        self._deed.setText(deed)
        self._deed.setVisible(bool(deed))
        self.ensurePolished()
        self.resize(min(self.sizeHint().width(), WIDTH), self.sizeHint().height())
        room = self._window.rect()
        at = place + BESIDE
        self.move(min(at.x(), room.right() - self.width()), min(at.y(), room.bottom() - self.height()))
        self.show()
        self.raise_()
