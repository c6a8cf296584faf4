"""The left column: the chats, by day, with search, renaming and deleting."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Protocol

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QIcon, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
)

from app.theme import GRID, LABEL, LIGHT, Theme
from app.views.icons import icon

IDENTIFIER = Qt.ItemDataRole.UserRole
SEARCH_WAIT_MS = 150


class Row(Protocol):
    """A chat as the list shows it. `updated` is in seconds since 1970."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def updated(self) -> float: ...


class ChatList(QListWidget):
    """Chats under headings that cannot be chosen."""

    delete_pressed = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() == Qt.Key.Key_Delete and item is not None:
            self.delete_pressed.emit(item.data(IDENTIFIER))
            return
        super().keyPressEvent(event)


class Sidebar(QFrame):
    new_requested = Signal()
    chosen = Signal(str)
    renamed = Signal(str, str)
    delete_requested = Signal(str)
    search_changed = Signal(str)
    models_requested = Signal()
    settings_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("Sidebar")
        self._theme = LIGHT
        self._replying = ""
        self._filling = False
        self._name = QLabel(self.tr("Foreword"))
        self._name.setProperty("kind", "title")
        self._new = QToolButton()
        self._new.setProperty("kind", "framed")
        self._new.setToolTip(self.tr("New chat (Ctrl+N)"))
        self._new.setAccessibleName(self.tr("New chat"))
        self._new.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._new.clicked.connect(self.new_requested)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search chats"))
        self.search.setAccessibleName(self.tr("Search chats"))
        self.search.setToolTip(self.tr("Search titles and messages (Ctrl+K)"))
        self.search.setClearButtonEnabled(True)
        self._wait = QTimer(self, singleShot=True, interval=SEARCH_WAIT_MS)
        self._wait.timeout.connect(lambda: self.search_changed.emit(self.search.text().strip()))
        self.search.textChanged.connect(lambda _: self._wait.start())
        self.list = ChatList()
        self.list.setAccessibleName(self.tr("Chats"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setEditTriggers(QListWidget.EditTrigger.EditKeyPressed | QListWidget.EditTrigger.DoubleClicked)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.currentItemChanged.connect(self._chose)
        self.list.itemChanged.connect(self._edited)
        self.list.delete_pressed.connect(self.delete_requested)
        self._nothing = QLabel()
        self._nothing.setProperty("kind", "muted")
        self._nothing.setWordWrap(True)
        self._nothing.setContentsMargins(12, GRID, 12, GRID)
        self.models = self._link(self.tr("Models"), self.tr("Choose or open a model (Ctrl+M)"))
        self.models.clicked.connect(self.models_requested)
        self.settings = self._link(self.tr("Settings"), self.tr("Speculation, sampling, appearance (Ctrl+,)"))
        self.settings.clicked.connect(self.settings_requested)
        self._lay_out()
        self.show_chats([])
        self.set_theme(self._theme)

    def show_chats(self, rows: Iterable[Row], current: str = "", today: date | None = None) -> None:
        """Replace the list by `rows`, newest first, and mark `current`."""
        self._filling = True
        self.list.clear()
        heading = ""
        for row in rows:
            group = self._group(date.fromtimestamp(row.updated), today or date.today())
            if group != heading:
                heading = group
                self._add_heading(group)
            self._add_row(row, row.id == current)
        self._filling = False
        searching = bool(self.search.text().strip())
        self._nothing.setText(
            self.tr("No chat has these words.") if searching else self.tr("Your chats will be listed here.")
        )
        self._nothing.setVisible(self.list.count() == 0)
        self.list.setVisible(self.list.count() > 0)
        self._mark_replying()

    def select(self, identifier: str) -> None:
        """Mark a chat without saying that it was chosen; "" marks none."""
        self._filling = True
        item = self._item(identifier)
        if item is None:
            self.list.setCurrentRow(-1)
        else:
            self.list.setCurrentItem(item)
        self._filling = False

    def set_replying(self, identifier: str) -> None:
        """Mark the chat in which a reply is being written; "" for none."""
        self._replying = identifier
        self._mark_replying()

    def rename_current(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.list.setFocus()
            self.list.editItem(item)

    def go(self, step: int) -> None:
        """Choose the chat `step` places further down; headings are passed over."""
        rows = [row for row in range(self.list.count()) if self.list.item(row).data(IDENTIFIER)]
        if not rows:
            return
        here = self.list.currentRow()
        place = rows.index(here) + step if here in rows else 0
        self.list.setCurrentRow(rows[max(0, min(place, len(rows) - 1))])

    def titles(self) -> list[str]:
        """Everything in the list as it reads, headings included."""
        return [self.list.item(row).text() for row in range(self.list.count())]

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._new.setIcon(icon("plus", theme.text))
        self.models.setIcon(icon("model", theme.muted))
        self.settings.setIcon(icon("settings", theme.muted))
        for row in range(self.list.count()):
            if not self.list.item(row).data(IDENTIFIER):
                self.list.item(row).setForeground(QColor(theme.muted))
        self._mark_replying()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(12, 0, 0, 0)
        top.addWidget(self._name, 1)
        top.addWidget(self._new)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID, 12, GRID, GRID)
        column.setSpacing(GRID)
        column.addLayout(top)
        column.addWidget(self.search)
        column.addWidget(self._nothing)
        column.addWidget(self.list, 1)
        column.addStretch(0)
        column.addWidget(self.models)
        column.addWidget(self.settings)

    def _link(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setProperty("kind", "ghost")
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setStyleSheet("text-align: left;")
        button.setIconSize(QSize(18, 18))
        return button

    def _group(self, day: date, today: date) -> str:
        if day >= today:
            return self.tr("Today")
        if day == today - timedelta(days=1):
            return self.tr("Yesterday")
        if day > today - timedelta(days=7):
            return self.tr("This week")
        return self.tr("Earlier")

    def _add_heading(self, text: str) -> None:
        item = QListWidgetItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        font = QFont(self.list.font())
        font.setPixelSize(LABEL)
        font.setWeight(QFont.Weight.DemiBold)
        item.setFont(font)
        item.setForeground(QColor(self._theme.muted))
        self.list.addItem(item)

    def _add_row(self, row: Row, current: bool) -> None:
        item = QListWidgetItem(row.title)
        item.setData(IDENTIFIER, row.id)
        item.setToolTip(row.title)
        item.setFlags(Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsEditable)
        self.list.addItem(item)
        if current:
            self.list.setCurrentItem(item)

    def _mark_replying(self) -> None:
        self._filling = True
        for row in range(self.list.count()):
            item = self.list.item(row)
            busy = bool(self._replying) and item.data(IDENTIFIER) == self._replying
            item.setIcon(icon("spark", self._theme.accent, 16) if busy else QIcon())
        self._filling = False

    def _item(self, identifier: str) -> QListWidgetItem | None:
        for row in range(self.list.count()):
            if identifier and self.list.item(row).data(IDENTIFIER) == identifier:
                return self.list.item(row)
        return None

    def _chose(self, item: QListWidgetItem | None) -> None:
        if item is not None and not self._filling:
            self.chosen.emit(item.data(IDENTIFIER))

    def _edited(self, item: QListWidgetItem) -> None:
        if self._filling:
            return
        self.renamed.emit(item.data(IDENTIFIER), " ".join(item.text().split()))  # the list may be filled anew: no item

    def _show_menu(self, place: QPoint) -> None:
        item = self.list.itemAt(place)
        if item is None or not item.data(IDENTIFIER):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rename = menu.addAction(icon("pencil", self._theme.muted), self.tr("Rename"))
        rename.setShortcut("F2")
        rename.triggered.connect(lambda: self.list.editItem(item))
        delete = menu.addAction(icon("trash", self._theme.error), self.tr("Delete"))
        delete.setShortcut("Del")
        identifier = item.data(IDENTIFIER)
        delete.triggered.connect(lambda: self.delete_requested.emit(identifier))
        menu.popup(self.list.viewport().mapToGlobal(place))
