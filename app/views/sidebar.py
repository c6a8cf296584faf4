"""The left column: pinned chats, folders, and the others by day, with search, renaming and deleting."""

from collections.abc import Iterable, Sequence
from datetime import date

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QIcon, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QMenu, QPushButton, QToolButton, QVBoxLayout

from app.language import tr
from app.theme import GRID, LIGHT, Theme
from app.views.chat_list import ChatList
from app.views.chat_list_model import Heading, HitLine, Line, NamedFolder, Row, arranged
from app.views.chat_menu import chat_menu, folder_menu
from app.views.dropped_files import files_of, take_copy
from app.views.icons import icon
from app.views.style import set_kind

SEARCH_WAIT_MS = 150


class Sidebar(QFrame):
    new_requested = Signal()
    chosen = Signal(str)
    hit_chosen = Signal(str, str)  # a chat, and a message in it
    renamed = Signal(str, str)
    delete_requested = Signal(str)
    pin_requested = Signal(str, bool)
    private_requested = Signal(str, bool)  # nothing is to be learned from the chat
    move_requested = Signal(str, str)  # into a folder; "" for none
    dropped = Signal(str, object)  # a chat, and the Group it is to be in
    folder_requested = Signal(str, str)  # a chat into a new folder of this name
    folder_renamed = Signal(str, str)
    folder_remove_requested = Signal(str)  # its chats are kept
    folder_delete_requested = Signal(str)  # with its chats
    export_requested = Signal(str, str)  # a chat, or "" for all; "markdown" or "json"
    import_requested = Signal(str)  # "file" or "folder"
    files_dropped = Signal(list)  # their paths (str)
    doctor_requested = Signal()
    welcome_requested = Signal()
    log_requested = Signal()
    about_requested = Signal()
    update_requested = Signal()
    restore_requested = Signal()
    compare_requested = Signal()
    check_requested = Signal()
    benchmark_requested = Signal()
    search_changed = Signal(str)
    models_requested = Signal()
    settings_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("Sidebar")
        self.setAcceptDrops(True)
        self._theme = LIGHT
        self._replying = ""
        self._rows: list[Row] = []
        self._today: date | None = None
        self._hits: Sequence[HitLine] = ()
        self._awaited: int | None = None  # where the keyboard goes as soon as something is found
        self.folders: Sequence[NamedFolder] = ()
        self._folded: set[str] = set()
        self._name = QLabel(tr("Foreword"))
        self._name.setProperty("kind", "title")
        self._new = self._tool(tr("New chat"), tr("New chat (Ctrl+N)"))
        self._new.clicked.connect(self.new_requested)
        self._more = self._tool(tr("More"), tr("Compare, measure, import, export, back up"))
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more_menu = self._make_menu()
        self._more.setMenu(self.more_menu)
        self.search = self._make_search()
        self._wait = QTimer(self, singleShot=True, interval=SEARCH_WAIT_MS)
        self._wait.timeout.connect(lambda: self.search_changed.emit(self.search.text().strip()))
        self.search.textChanged.connect(self._begin_search)
        self.search.returnPressed.connect(lambda: self._leave_search(0))
        self.list = ChatList()
        self.list.setAccessibleName(tr("Chats"))
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.chosen.connect(self._chose)
        self.list.lines.renamed.connect(self.renamed)
        self.list.delete_pressed.connect(self.delete_requested)
        self.list.heading_pressed.connect(self._fold)
        self.list.carried.dropped.connect(self.dropped)
        self._nothing = QLabel()
        self._nothing.setProperty("kind", "muted")
        self._nothing.setWordWrap(True)
        self._nothing.setContentsMargins(12, GRID, 12, GRID)
        self.models = self._link(tr("Models"), tr("Choose or open a model (Ctrl+M)"))
        self.models.clicked.connect(self.models_requested)
        self.settings = self._link(tr("Settings"), tr("Speculation, sampling, appearance (Ctrl+,)"))
        self.settings.clicked.connect(self.settings_requested)
        self._lay_out()
        self.show_chats([])
        self.set_theme(self._theme)

    def show_chats(
        self,
        rows: Iterable[Row],
        current: str = "",
        today: date | None = None,
        folders: Sequence[NamedFolder] = (),
        hits: Sequence[HitLine] = (),
    ) -> None:
        """Replace the list by `rows`, newest first, and mark `current`. hits: where the words looked for were found."""
        self._rows, self._today, self.folders, self._hits = list(rows), today, folders, hits
        self._show(current)
        if self._awaited is not None and self.search.hasFocus():
            self._leave_search(self._awaited)

    def select(self, identifier: str) -> None:
        """Mark a chat without saying that it was chosen; "" marks none."""
        self.list.mark(identifier)

    def set_replying(self, identifier: str) -> None:
        """Mark the chat in which a reply is being written; "" for none."""
        if identifier != self._replying:
            self._replying = identifier
            self._mark_replying()

    def rename_current(self) -> None:
        if self.list.current:
            self.list.edit_chat(self.list.current)

    def go(self, step: int) -> None:
        """Choose the chat `step` places further down; headings are passed over."""
        self.list.go(step)

    def count_in(self, folder: str) -> int:
        """How many chats stand in it, though it be folded."""
        return sum(row.folder == folder and not row.pinned for row in self._rows)

    def titles(self) -> list[str]:
        """Everything in the list as it reads, headings included."""
        return [line.text if isinstance(line, Heading) else line.title for line in self.list.lines.lines]

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._new.setIcon(icon("plus", theme.text))
        self._more.setIcon(icon("more", theme.muted))
        self.models.setIcon(icon("model", theme.muted))
        self.settings.setIcon(icon("settings", theme.muted))
        self.list.set_theme(theme)
        self._mark_replying()

    @property
    def theme(self) -> Theme:
        return self._theme

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files_of(event.mimeData()):
            take_copy(event)
            set_kind(self, "true", "dropping")

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        set_kind(self, "false", "dropping")

    def dropEvent(self, event: QDropEvent) -> None:
        set_kind(self, "false", "dropping")
        self.files_dropped.emit(files_of(event.mimeData()))
        take_copy(event)

    def _show(self, current: str) -> None:
        searching = bool(self.search.text().strip())
        lines: list[Line] = []
        if searching:
            if self._rows:
                lines.append(Heading(tr("In titles")))
                lines += self._rows
            if self._hits:
                lines.append(Heading(tr("In messages")))
                lines += self._hits
        else:
            lines = arranged(self._rows, self.folders, self._folded, self._today or date.today())
        self.list.grouped = not searching
        self.list.show_lines(lines, current)
        self._nothing.setText(tr("No chat has these words.") if searching else tr("Your chats will be listed here."))
        self._nothing.setVisible(not lines)
        self.list.setVisible(bool(lines))

    def _begin_search(self) -> None:
        self._awaited = None
        self._wait.start()

    def _leave_search(self, step: int) -> None:
        """To the line that is marked, or `step` further; to the first one where none is."""
        if self._wait.isActive():
            self._wait.stop()
            self.search_changed.emit(self.search.text().strip())
        if all(isinstance(line, Heading) for line in self.list.lines.lines):  # messages are still being looked for
            self._awaited = step
            return
        self._awaited = None
        self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.list.go(step)

    def _fold(self, folder: str) -> None:
        self._folded ^= {folder}
        self._show(self.list.current)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(12, 0, 0, 0)
        top.setSpacing(4)
        top.addWidget(self._name, 1)
        top.addWidget(self._more)
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

    def _make_search(self) -> QLineEdit:
        search = QLineEdit()
        search.setPlaceholderText(tr("Search chats"))
        search.setAccessibleName(tr("Search chats"))
        search.setToolTip(tr("Search titles and messages (Ctrl+K)"))
        search.setClearButtonEnabled(True)
        down = QAction(search)
        down.setShortcut(QKeySequence(Qt.Key.Key_Down))
        down.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        down.triggered.connect(lambda: self._leave_search(1))
        search.addAction(down)
        return search

    def _tool(self, name: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setProperty("kind", "framed")
        button.setToolTip(tip)
        button.setAccessibleName(name)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _link(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setProperty("kind", "ghost")
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setStyleSheet("text-align: left;")
        button.setIconSize(QSize(18, 18))
        return button

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        for text, kind in (
            (tr("Import chats from a file…"), "file"),
            (tr("Import a folder of chats…"), "folder"),
        ):
            menu.addAction(text).triggered.connect(lambda _=False, kind=kind: self.import_requested.emit(kind))
        menu.addSeparator()
        for text, form in (
            (tr("Export all as JSON…"), "json"),
            (tr("Export all as Markdown…"), "markdown"),
        ):
            menu.addAction(text).triggered.connect(lambda _=False, form=form: self.export_requested.emit("", form))
        menu.addSeparator()
        menu.addAction(tr("Restore a backup…")).triggered.connect(self.restore_requested)
        menu.addSeparator()
        menu.addAction(tr("Compare two ways of replying…")).triggered.connect(self.compare_requested)
        menu.addAction(tr("Check of the output…")).triggered.connect(self.check_requested)
        menu.addAction(tr("Benchmark…")).triggered.connect(self.benchmark_requested)
        menu.addSeparator()
        menu.addAction(tr("Check this machine…")).triggered.connect(self.doctor_requested)
        menu.addAction(tr("Welcome…")).triggered.connect(self.welcome_requested)
        menu.addAction(tr("Log…")).triggered.connect(self.log_requested)
        menu.addAction(tr("Check for a newer version…")).triggered.connect(self.update_requested)
        menu.addAction(tr("About Foreword…")).triggered.connect(self.about_requested)
        return menu

    def _mark_replying(self) -> None:
        self.list.lines.set_replying(
            self._replying, icon("spark", self._theme.accent, 16) if self._replying else QIcon()
        )

    def _chose(self, line: Line) -> None:
        if isinstance(line, HitLine):
            self.hit_chosen.emit(line.chat, line.message)
        elif not isinstance(line, Heading):
            self.chosen.emit(line.id)

    def _show_menu(self, place: QPoint) -> None:
        line = self.list.line_at(place)
        if isinstance(line, Heading) and line.folder:
            folder_menu(self, line.folder, line.text).popup(self.list.viewport().mapToGlobal(place))
        elif line is not None and not isinstance(line, Heading | HitLine):
            chat_menu(self, line).popup(self.list.viewport().mapToGlobal(place))
