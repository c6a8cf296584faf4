"""The dialog with every setting: opened when it is wanted, shows what is in force, and offers to open the window again
when another language was chosen."""

from PySide6.QtCore import QObject, Signal

from app.language import spoken, tr
from app.settings import Settings
from app.theme import Theme
from app.views.banner import Action
from app.views.settings_dialog import SettingsDialog
from app.views.window import Window

BANNER = "language"


class AllSettings(QObject):
    changed = Signal(object)  # Settings
    choose_draft_requested = Signal()
    reopen_requested = Signal()
    opened = Signal()  # what it shows of the folder of models is wanted
    move_requested = Signal(object)  # the dialog, over which the folder of models is asked for
    folder_requested = Signal()  # to see it

    def __init__(self, window: Window, settings: Settings, theme: Theme) -> None:
        """settings: those that the window is made with."""
        super().__init__()
        self._window = window
        self._settings = settings
        self._theme = theme
        self._language = spoken(settings.language)
        self._offered = False
        self.dialog: SettingsDialog | None = None

    def open_dialog(self) -> None:
        if self.dialog is None:
            dialog = self.dialog = SettingsDialog(self._window, self._theme)
            dialog.changed.connect(self.changed)
            dialog.choose_draft_requested.connect(self.choose_draft_requested)
            dialog.reopen_requested.connect(self.reopen_requested)
            dialog.folder.move_requested.connect(lambda: self.move_requested.emit(dialog))
            dialog.folder.open_requested.connect(self.folder_requested)
            self.show_settings(self._settings)
        self.opened.emit()
        self.dialog.show()
        self.dialog.activateWindow()
        self.dialog.search.setFocus()
        self.dialog.search.selectAll()

    def show_settings(self, settings: Settings) -> None:
        """What is in force for the chat that is shown."""
        self._settings = settings
        other = spoken(settings.language) != self._language
        if self.dialog is not None:
            self.dialog.show_settings(settings)
            self.dialog.offer_reopening(other)
        if other and not self._offered:
            again = Action(tr("Open again now"), self.reopen_requested.emit)
            text = tr("The language changes when the window is opened again.")
            self._window.banners.show_banner(BANNER, text, actions=[again])
        elif not other:
            self._window.banners.close_banner(BANNER)
        self._offered = other

    def show_folder(self, folder: str, room: str, trouble: str) -> None:
        """Where models are kept."""
        if self.dialog is not None:
            self.dialog.folder.show_folder(folder, room, trouble)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self.dialog is not None:
            self.dialog.set_theme(theme)

    def flush(self) -> None:
        """Tell now what was typed."""
        if self.dialog is not None:
            self.dialog.close()
