"""The window: three columns, and every shortcut. It arranges the views and says what the person wants; nothing else."""

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QVBoxLayout, QWidget

from app.language import tr
from app.theme import LIGHT, Theme
from app.views.banner import Banners
from app.views.composer import Composer
from app.views.dialog import press_focused
from app.views.gauge_panel import BAR_HEIGHT, GaugePanel
from app.views.header import Header
from app.views.layouts import open_at
from app.views.settings_panel import SettingsPanel
from app.views.shortcut_sheet import ShortcutSheet
from app.views.sidebar import Sidebar
from app.views.transcript import Transcript

WIDTH, HEIGHT = 1280, 800
MIN_WIDTH, MIN_HEIGHT = 480, 420
SIDEBAR, GAUGES = 232, 248  # pixels, before the person moves a border
NARROW = 900  # below this the gauges become a bar
SLIM = 680  # below this the chats hide


class Window(QMainWindow):
    new_requested = Signal()
    stop_requested = Signal()
    regenerate_requested = Signal()
    continue_requested = Signal()
    edit_requested = Signal()
    copy_requested = Signal()
    undo_requested = Signal()  # of what was deleted last
    open_model_requested = Signal()
    all_settings_requested = Signal()
    models_requested = Signal()
    mode_step_requested = Signal()
    task_step_requested = Signal()
    routes_requested = Signal()
    training_requested = Signal()
    advice_requested = Signal()
    compare_requested = Signal(str)  # a reply, or "" for what is being written
    check_requested = Signal()
    benchmark_requested = Signal()
    closing = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle(tr("Foreword"))
        self.setMinimumSize(MIN_WIDTH, MIN_HEIGHT)
        open_at(self, WIDTH, HEIGHT)
        self._theme = LIGHT
        self._narrow = self._slim = False
        self.sidebar = Sidebar()
        self.header = Header()
        self.banners = Banners()
        self.transcript = Transcript()
        self.composer = Composer()
        self.gauges = GaugePanel()
        self._middle = self._make_middle()
        self._columns = QSplitter(Qt.Orientation.Horizontal)
        self._columns.setChildrenCollapsible(False)
        self._columns.setHandleWidth(1)
        for widget in (self.sidebar, self._middle, self.gauges):
            self._columns.addWidget(widget)
        self._columns.setStretchFactor(1, 1)
        self._columns.setSizes([SIDEBAR, WIDTH - SIDEBAR - GAUGES, GAUGES])
        self._sides = (SIDEBAR, GAUGES)
        self._columns.splitterMoved.connect(self._keep_sides)
        self.sidebar.setMinimumWidth(176)
        self.sidebar.setMaximumWidth(420)
        self._middle.setMinimumWidth(300)  # both fit into the narrowest window
        centre = QWidget()
        around = QVBoxLayout(centre)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._columns)
        self.setCentralWidget(centre)
        self.settings_panel = SettingsPanel(self._middle)  # under the header; the gauges stay in sight
        self.settings_panel.top = self.header.height()
        self.settings_panel.took.connect(lambda width: self._body.setContentsMargins(0, 0, width, 0))
        self.settings_panel.hide()
        after: QWidget = self.header.speculation_button
        chips = (*self.gauges.task_chips, *self.gauges.advice_chips)
        for chip in chips:  # Tab leads from the composer to what comes later: banners
            self.setTabOrder(after, chip)
            after = chip
        self.shortcut_sections: list[tuple[str, list[QAction]]] = []
        self.shortcuts = self._make_shortcuts()
        self._connect()

    def show_title(self, title: str) -> None:
        self.header.set_title(title)
        # the dash that Qt puts before the name in the titles of dialogs
        self.setWindowTitle(f"{title} — {tr('Foreword')}" if title else tr("Foreword"))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for view in (
            self.sidebar,
            self.header,
            self.banners,
            self.transcript,
            self.composer,
            self.gauges,
            self.settings_panel,
        ):
            view.set_theme(theme)

    def toggle_sidebar(self) -> None:
        self._show_or_hide(self.sidebar)

    def toggle_gauges(self) -> None:
        self._show_or_hide(self.gauges)
        self._place_settings()

    def toggle_settings(self) -> None:
        self._show_or_hide(self.settings_panel)

    def _show_or_hide(self, place: QWidget) -> None:
        """The focus leaves what is put away for the composer: Qt would give it to a message, and the chat follow it."""
        focus = self.focusWidget()
        if place.isVisible() and focus is not None and place.isAncestorOf(focus):
            self.composer.focus()
        place.setVisible(not place.isVisible())

    def keep_geometry(self, store: QSettings) -> None:
        """Write where the window and its borders are."""
        store.setValue("geometry", self.saveGeometry())
        if not self._narrow:
            store.setValue("columns", self._columns.saveState())

    def restore_kept_geometry(self, store: QSettings) -> None:
        """Put the window where it was; what does not fit any more is left alone."""
        geometry, columns = store.value("geometry"), store.value("columns")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if isinstance(columns, QByteArray) and not self._narrow:
            self._columns.restoreState(columns)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._keep_sides()  # what was restored has its sizes from here on

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit(event.size().width())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_focused(self, event):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit()
        event.accept()

    def _fit(self, width: int) -> None:
        if (width < SLIM) != self._slim:
            self._slim = width < SLIM
            self.sidebar.setVisible(not self._slim)
        if (width < NARROW) != self._narrow:
            self._narrow = width < NARROW
            self.gauges.as_bar(self._narrow)
            if self._narrow:
                self._column.insertWidget(1, self.gauges)
            else:
                self._columns.addWidget(self.gauges)
                left, right = self._sides
                self._columns.setSizes([left, width - left - right, right])
            self.gauges.show()
        self._place_settings()

    def _place_settings(self) -> None:
        bar = BAR_HEIGHT if self._narrow and not self.gauges.isHidden() else 0
        self.settings_panel.top = self.header.height() + bar
        self.settings_panel.place()

    def _keep_sides(self) -> None:
        if not self._narrow:
            left, _, right = self._columns.sizes()
            self._sides = (left or self._sides[0], right or self._sides[1])  # 0: hidden

    def _make_middle(self) -> QWidget:
        middle = QWidget()
        self._column = QVBoxLayout(middle)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.header)
        self._body = QVBoxLayout()  # gives way to the settings
        for widget, stretch in ((self.banners, 0), (self.transcript, 1), (self.composer, 0)):
            self._body.addWidget(widget, stretch)
        self._column.addLayout(self._body, 1)
        return middle

    def _make_shortcuts(self) -> list[QAction]:
        table: tuple[tuple[str, str, Callable[[], object]], ...] = (
            (tr("New chat"), "Ctrl+N", self.new_requested.emit),
            (tr("Write a question"), "Ctrl+L", self.composer.focus),
            (tr("Stop the reply, or close the settings"), "Esc", self._escape),
            (tr("Reply again"), "Ctrl+R", self.regenerate_requested.emit),
            (tr("Continue the last reply"), "Ctrl+Shift+Return", self.continue_requested.emit),
            (tr("Edit the last question"), "Ctrl+E", self.edit_requested.emit),
            (tr("Copy the last reply"), "Ctrl+Shift+C", self.copy_requested.emit),
            (tr("Attach files"), "Ctrl+Shift+A", self.composer.attach_requested.emit),
            (tr("Choose a preset"), "Ctrl+P", self.composer.presets.showMenu),
            (tr("Search chats"), "Ctrl+K", self._search),
            (tr("Find in this chat"), "Ctrl+F", self.transcript.open_find),
            (tr("Next hit"), "F3", lambda: self.transcript.step_hit(1)),
            (tr("Hit before"), "Shift+F3", lambda: self.transcript.step_hit(-1)),
            (tr("Larger text"), "Ctrl++", lambda: self.transcript.step_zoom(1)),
            (tr("Smaller text"), "Ctrl+-", lambda: self.transcript.step_zoom(-1)),
            (tr("Usual text size"), "Ctrl+0", lambda: self.transcript.step_zoom(0)),
            (tr("Details of the last reply"), "Ctrl+I", self.transcript.show_last_details),
            (tr("Rename the selected chat"), "F2", self._rename),
            (tr("Chat above"), "Ctrl+PgUp", lambda: self.sidebar.go(-1)),
            (tr("Chat below"), "Ctrl+PgDown", lambda: self.sidebar.go(1)),
            (tr("Undo deleting"), "Ctrl+Z", self.undo_requested.emit),
            (tr("Speculation: automatic, on, off"), "Ctrl+Shift+S", self.mode_step_requested.emit),
            (tr("Task: automatic, code, prose"), "Ctrl+T", self.task_step_requested.emit),
            (tr("What works here"), "Ctrl+Shift+W", self.routes_requested.emit),
            (tr("Train a draft"), "Ctrl+Shift+T", self.training_requested.emit),
            (tr("Advice on speed"), "Ctrl+Shift+H", self.advice_requested.emit),
            (tr("Compare two ways of replying"), "Ctrl+Shift+E", lambda: self.compare_requested.emit("")),
            (tr("Check of the output"), "Ctrl+Shift+K", self.check_requested.emit),
            (tr("Benchmark"), "Ctrl+Shift+B", self.benchmark_requested.emit),
            (tr("Choose a model"), "Ctrl+M", self.header.model_button.showMenu),
            (tr("All models: load, download, remove"), "Ctrl+Shift+M", self.models_requested.emit),
            (tr("Open a model"), "Ctrl+O", self.open_model_requested.emit),
            (tr("All settings"), "Ctrl+,", self.all_settings_requested.emit),
            (tr("Settings for replies"), "Ctrl+.", self.toggle_settings),
            (tr("Show or hide the chats"), "Ctrl+B", self.toggle_sidebar),
            (tr("Show or hide the gauges"), "Ctrl+G", self.toggle_gauges),
            (tr("Keyboard shortcuts"), "F1", self.show_shortcuts),
            (tr("Quit"), "Ctrl+Q", self.close),
        )
        beginnings = {  # of the sections of the sheet
            "Ctrl+N": tr("Replies"),
            "Ctrl+K": tr("Search and chats"),
            "Ctrl+Shift+S": tr("Speed"),
            "Ctrl+M": tr("Models"),
            "Ctrl+,": tr("Window and settings"),
        }
        also = {"F1": ("Ctrl+/",), "Ctrl++": ("Ctrl+=",)}
        actions = []
        for text, keys, act in table:
            action = QAction(text, self)
            action.setShortcuts([QKeySequence(key) for key in (keys, *also.get(keys, ()))])
            action.triggered.connect(act)
            self.addAction(action)
            actions.append(action)
            if keys in beginnings:
                self.shortcut_sections.append((beginnings[keys], []))
            self.shortcut_sections[-1][1].append(action)
        return actions

    def show_shortcuts(self) -> None:
        ShortcutSheet(self, self.shortcut_sections).open()

    def _connect(self) -> None:
        self.sidebar.new_requested.connect(self.new_requested)
        self.sidebar.models_requested.connect(self.models_requested)
        self.sidebar.compare_requested.connect(lambda: self.compare_requested.emit(""))
        self.sidebar.check_requested.connect(self.check_requested)
        self.sidebar.benchmark_requested.connect(self.benchmark_requested)
        self.transcript.compare_requested.connect(self.compare_requested)
        self.transcript.focus_left.connect(self.composer.focus)
        self.header.models_requested.connect(self.models_requested)
        self.sidebar.settings_requested.connect(self.all_settings_requested)
        self.settings_panel.all_requested.connect(self.all_settings_requested)
        self.settings_panel.closed.connect(self.composer.focus)
        self.banners.focus_left.connect(self.composer.focus)
        self.header.settings_requested.connect(self.toggle_settings)
        self.header.sidebar_requested.connect(self.toggle_sidebar)
        self.header.open_model_requested.connect(self.open_model_requested)
        self.composer.stop_requested.connect(self.stop_requested)
        self.gauges.routes_requested.connect(self.routes_requested)

    def _search(self) -> None:
        self.sidebar.show()
        self.sidebar.search.setFocus()
        self.sidebar.search.selectAll()

    def _rename(self) -> None:
        self.sidebar.show()
        self.sidebar.rename_current()

    def _escape(self) -> None:
        """What has the focus is left; else a reply is stopped; else what stands open is closed."""
        search = self.sidebar.search
        open_places: tuple[tuple[bool, QWidget, Callable[[], None]], ...] = (
            (self.settings_panel.isVisible(), self.settings_panel, self._leave_settings),
            (self.transcript.finding, self.transcript.find_bar, self.transcript.close_find),
            (bool(search.text()) or not self.composer.running, search, self._leave_search),
        )
        focus = self.focusWidget()
        for is_open, place, leave in open_places:
            if is_open and focus is not None and (place is focus or place.isAncestorOf(focus)):
                leave()
                return
        if not self.composer.running:
            for is_open, place, leave in open_places:
                if is_open and (place is not search or search.text()):
                    leave()
                    return
        self.stop_requested.emit()

    def _leave_settings(self) -> None:
        self.composer.focus()
        self.settings_panel.hide()

    def _leave_search(self) -> None:
        self.sidebar.search.clear()
        self.composer.focus()
