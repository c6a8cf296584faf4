"""What Foreword is and what it consists of: every package with its terms, and the text of the chosen one's licence."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.licences import Licence
from app.theme import GRID, LABEL
from app.views.dialog import Dialog
from app.views.layouts import open_at
from app.views.style import mono_font

ICON, WIDTH, HEIGHT, LIST_WIDTH = 64, 960, 580, 240


class AboutBox(Dialog):
    """`licences` as `app.licences.shipped()` gives them: Foreword itself first."""

    def __init__(self, parent: QWidget | None, licences: Sequence[Licence]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("About Foreword"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._licences = licences
        self._list, self._text = QListWidget(), QPlainTextEdit()
        self._list.setAccessibleName(tr("What Foreword consists of"))
        self._list.setFixedWidth(LIST_WIDTH)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # long names end in dots
        for licence in licences:
            item = QListWidgetItem(f"{licence.name} {licence.version}")
            item.setToolTip(f"{licence.name} {licence.version}\n{licence.terms}")
            self._list.addItem(item)
        self._text.setReadOnly(True)
        self._text.setFont(mono_font(LABEL))  # licences are set by their authors, in lines of some 75 letters
        self._text.setStyleSheet(f"font-size: {LABEL}px;")
        self._text.setAccessibleName(tr("Licence"))
        self._list.currentRowChanged.connect(self._show)
        self._list.setCurrentRow(0)
        both = QHBoxLayout()
        both.setSpacing(2 * GRID)
        both.addWidget(self._list)
        both.addWidget(self._text, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        column.addLayout(self._head())
        column.addLayout(both, 1)
        column.addWidget(buttons)
        open_at(self, WIDTH, HEIGHT)

    @property
    def text(self) -> str:
        """What is shown of the chosen package."""
        return self._text.toPlainText()

    def choose(self, name: str) -> None:
        """Show the package of this name; nothing happens when there is none."""
        names = [licence.name for licence in self._licences]
        if name in names:
            self._list.setCurrentRow(names.index(name))

    def _head(self) -> QHBoxLayout:
        icon = QLabel()
        icon.setPixmap(self.windowIcon().pixmap(QSize(ICON, ICON), self.devicePixelRatioF()))
        name = QLabel(f"Foreword {self._licences[0].version}" if self._licences else "Foreword")
        name.setProperty("kind", "title")
        about = QLabel(
            tr(
                "Chat with language models on your own machine. Nothing you write leaves it. Below is what Foreword"
                " consists of, and on what terms."
            )
        )
        about.setProperty("kind", "muted")
        about.setWordWrap(True)
        words = QVBoxLayout()
        words.addWidget(name)
        words.addWidget(about)
        head = QHBoxLayout()
        head.setSpacing(2 * GRID)
        head.addWidget(icon)
        head.addLayout(words, 1)
        return head

    def _show(self, row: int) -> None:
        licence = self._licences[row]
        self._text.setPlainText(f"{licence.name} {licence.version}\n{licence.terms}\n\n{licence.text}")
