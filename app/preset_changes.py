"""Keeping the settings of a chat as a preset, and changing the presets that are kept."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

from app.chat_settings import ChatSettings
from app.error_texts import told
from app.language import tr
from app.presets import Preset, Presets, values_of
from app.undoing import Undoing
from app.views.preset_button import preset_name
from app.views.window import Window
from inference.errors import UserError

BANNER = "presets"


class PresetChanges(QObject):
    _refused = Signal(object)  # the UserError, from the thread that writes

    def __init__(self, window: Window, presets: Presets, settings: ChatSettings, undoing: Undoing) -> None:
        super().__init__()
        self._banners = window.banners
        self._presets = presets
        self._settings = settings
        self._undoing = undoing
        self.later = presets.later
        self.later.refused = self._refused.emit
        self._refused.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        button = window.composer.presets
        button.save_requested.connect(self.save)
        button.rename_requested.connect(self.rename)
        button.duplicate_requested.connect(self.duplicate)
        button.update_requested.connect(self.update)
        button.remove_requested.connect(self.remove)

    def save(self, name: str) -> None:
        """Keep the settings of this chat under a name, and use them here."""
        old = next((preset for preset in self._presets.own if preset.name == name), None)
        if self._write(Preset(name, values_of(self._settings.current), own=True)):
            self._settings.choose(name)
            if old is not None:
                self._offer_old(old)

    def update(self, name: str) -> None:
        """Put the settings of this chat into a preset; the chat goes on with what it uses."""
        old = self._presets.find(name)
        if old is None or not self._write(Preset(name, values_of(self._settings.current), own=True)):
            return
        if self._settings.preset == name:
            self._settings.choose(name)
        self._offer_old(old)

    def rename(self, name: str, new: str) -> None:
        if self._does(lambda: self._presets.rename(name, new)):
            self._settings.rename(name, new)

    def duplicate(self, name: str) -> None:
        preset = self._presets.find(name)
        if preset is not None:
            copy = self._presets.free_name(name if preset.own else preset_name(name))
            self._write(Preset(copy, preset.values, own=True))

    def remove(self, name: str) -> None:
        """Chats that use it keep their settings."""
        preset = self._presets.find(name)
        if preset is not None and self._does(lambda: self._presets.remove(name)):
            text = tr('The preset "{name}" was removed; chats that use it keep their settings.').format(name=name)
            self._undoing.offer(text, lambda: self._write(preset))

    def _offer_old(self, preset: Preset) -> None:
        text = tr('The preset "{name}" has the settings of this chat now.').format(name=preset.name)
        self._undoing.offer(text, lambda: self._write(preset))

    def _write(self, preset: Preset) -> bool:
        return self._does(lambda: self._presets.save(preset))

    def _does(self, change: Callable[[], None]) -> bool:
        """Whether it could be done; if not, it is told. What the disk refuses is told later, and holds all the same."""
        try:
            change()
        except UserError as error:
            self._tell(error)
            return False
        self._banners.close_banner(BANNER)
        self._settings.show_presets()
        return True

    def _tell(self, error: UserError) -> None:
        self._banners.show_banner(BANNER, told(error), tone="error")
