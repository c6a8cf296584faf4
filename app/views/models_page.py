"""The page of models: what is on this machine, what can be had, and how it would fit.

What is dropped on it goes where it belongs.
"""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.theme import GRID, Theme
from app.views.dialog import Dialog
from app.views.dropped_files import files_of, take_copy
from app.views.icons import icon
from app.views.layouts import open_at, scrolling
from app.views.model_details import ModelDetails
from app.views.model_filters import ModelFilters
from app.views.model_list import ModelList
from app.views.model_row import DraftRow, Fetching, LoadWish, ModelRow
from app.views.style import set_kind
from inference.plan.memory_plan import MemoryPlan

WIDTH, HEIGHT, SIDE = 980, 720, 312


class ModelsPage(Dialog):
    """Does not stand in the way of the window. Takes data, tells wishes."""

    chosen = Signal(str)  # a model's identifier: its drafts and plan are wanted
    wish_changed = Signal(object)  # a LoadWish
    load_requested = Signal(object)  # a LoadWish
    download_requested = Signal(str)
    pause_requested = Signal(str)
    give_up_requested = Signal(str)
    remove_confirmed = Signal(str)
    show_folder_requested = Signal(str)
    copy_requested = Signal(str)
    files_dropped = Signal(list)  # their paths (str)
    add_wanted = Signal()
    search_requested = Signal(str)
    doctor_requested = Signal()
    hub_requested = Signal()

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Models"))
        open_at(self, WIDTH, HEIGHT)
        self.setMinimumSize(720, 480)
        self.setAcceptDrops(True)
        self._fetching: dict[str, Fetching] = {}
        self.list = ModelList()
        self.details = ModelDetails()
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Name; Enter searches the hub"))
        self.search.setAccessibleName(tr("Search models"))
        self.search.setClearButtonEnabled(True)
        self.filters = ModelFilters()
        self._count = QLabel()
        set_kind(self._count, "muted")
        self._count.setWordWrap(True)
        self.add = self._button(tr("Add a folder or GGUF…"))
        self.doctor = self._button(tr("Check this machine…"), "ghost")
        self.hub = self._button(tr("Model hub…"), "ghost")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._make_side())
        row.addWidget(self._make_right(), 1)
        self._connect()
        self.set_theme(theme)

    def show_models(self, rows: Sequence[ModelRow], total: str) -> None:
        """total: a line below the list, such as what all of them take."""
        self.list.show_rows(rows)
        self._count.setText(total)
        if self.list.current is None and rows:
            self.list.choose(next((row.identifier for row in rows if row.loaded), rows[0].identifier))
        self._show_current()

    def show_plan(self, identifier: str, wish: LoadWish, plan: MemoryPlan | None, reason: str) -> None:
        """Dropped when another model is looked at by now."""
        row = self.list.current
        if row is not None and row.identifier == identifier:
            self.details.form.show_wish(wish, row.context_length)
            self.details.form.show_plan(plan, reason)

    def show_drafts(self, identifier: str, drafts: Sequence[DraftRow]) -> None:
        if self.list.current is not None and self.list.current.identifier == identifier:
            self.details.form.show_drafts(drafts)

    def show_fetching(self, fetching: Mapping[str, Fetching]) -> None:
        self._fetching = dict(fetching)
        self.list.show_fetching(self._fetching)
        row = self.list.current
        if row is not None:
            self.details.show_fetching(self._fetching.get(row.identifier))

    def show_message(self, text: str, tone: str = "error", *, hub: bool = False) -> None:
        """hub: another address, or a token, may help."""
        self.details.show_message(text, tone, hub=hub)

    def set_theme(self, theme: Theme) -> None:
        self.list.set_theme(theme)
        self.details.set_theme(theme)
        self.add.setIcon(icon("folder", theme.muted))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files_of(event.mimeData()):
            take_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.files_dropped.emit(files_of(event.mimeData()))
        take_copy(event)

    def ask_to_remove(self, identifier: str) -> None:
        """Deleting takes what may have taken hours to fetch, so it is asked; forgetting a folder is not."""
        row = self.list.row(identifier)
        if row is None or not row.own:
            self.remove_confirmed.emit(identifier)
            return
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.NoIcon)
        box.setWindowTitle(tr("Remove a model"))
        box.setText(tr("Delete {name} from this disk?").format(name=row.name))
        box.setInformativeText(
            tr("This frees {size}. Chats are kept.").format(size=dict(row.facts).get(tr("disk"), ""))
        )
        delete = box.addButton(tr("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        set_kind(delete, "danger")
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.buttonClicked.connect(lambda button: self.remove_confirmed.emit(identifier) if button is delete else None)
        box.open()

    def _make_side(self) -> QWidget:
        side = QFrame()
        side.setObjectName("Sidebar")
        side.setFixedWidth(SIDE)
        column = QVBoxLayout(side)
        column.setContentsMargins(12, 2 * GRID, 12, 12)
        column.setSpacing(GRID)
        column.addWidget(self.search)
        column.addWidget(self.filters)
        column.addWidget(self.list, 1)
        column.addWidget(self._count)
        column.addWidget(self.add)
        column.addWidget(self.hub)
        column.addWidget(self.doctor)
        return side

    def _make_right(self) -> QScrollArea:
        return scrolling(self.details)

    def _button(self, text: str, kind: str = "") -> QPushButton:
        button = QPushButton(text)
        if kind:
            button.setProperty("kind", kind)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAutoDefault(False)
        return button

    def _connect(self) -> None:
        details = self.details
        self.finished.connect(lambda _: self.show_message(""))  # it has been read; what comes meanwhile has not
        self.list.chosen.connect(self._choose)
        self.search.textChanged.connect(self.list.filter)
        self.search.returnPressed.connect(self._search)
        self.filters.changed.connect(lambda: self.list.narrow(self.filters.chosen))
        self.add.clicked.connect(self.add_wanted)
        self.doctor.clicked.connect(self.doctor_requested)
        self.hub.clicked.connect(self.hub_requested)
        details.form.changed.connect(self.wish_changed)
        details.form.load_requested.connect(self.load_requested)
        details.download_requested.connect(self.download_requested)
        details.pause_requested.connect(self.pause_requested)
        details.give_up_requested.connect(self.give_up_requested)
        details.remove_requested.connect(self.ask_to_remove)
        details.show_folder_requested.connect(self.show_folder_requested)
        details.copy_requested.connect(self.copy_requested)
        details.hub_requested.connect(self.hub_requested)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter in the search field searches

    def _search(self) -> None:
        if text := self.search.text().strip():
            self.search_requested.emit(text)

    def _choose(self, identifier: str) -> None:
        self._show_current()
        self.chosen.emit(identifier)

    def _show_current(self) -> None:
        row = self.list.current
        self.details.show_row(row, self._fetching.get(row.identifier) if row else None)
