"""The settings of a chat: those of all chats, with what its preset and the person changed for it alone."""

from PySide6.QtCore import QObject, Signal

from app.chats import Chats
from app.conversation import Conversation
from app.preferences import Preferences
from app.presets import NAMES, Presets, applied
from app.settings import Settings
from app.views.composer import Composer
from app.views.preset_button import PresetChoice


class ChatSettings(QObject):
    changed = Signal()  # the settings of the chat that is shown

    def __init__(self, preferences: Preferences, chats: Chats, presets: Presets, composer: Composer) -> None:
        super().__init__()
        self._preferences = preferences
        self._chats = chats
        self._presets = presets
        self._button = composer.presets
        self._conversation = Conversation()
        self._button.chosen.connect(self.choose)

    @property
    def trouble(self) -> str:
        return self._presets.trouble

    @property
    def preset(self) -> str:
        """The name of the one that the chat uses, or ""."""
        return self._conversation.preset

    @property
    def current(self) -> Settings:
        """Of the chat that is shown."""
        return applied(self._preferences.current, self._conversation.overrides)

    def show(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self.show_presets()

    def choose(self, name: str) -> None:
        """Use a preset in this chat; "" for none."""
        preset = self._presets.find(name)
        self._override(name if preset else "", dict(preset.values) if preset else {})

    def split(self, new: Settings) -> Settings:
        """Take over, for this chat, what its preset sets; the settings for all chats that remain."""
        overrides = self._conversation.overrides
        own = {name: getattr(new, name) for name in overrides if name in NAMES}
        if own != overrides:
            self._override(self._conversation.preset, own)
        for name in own:
            new = new.with_value(name, getattr(self._preferences.current, name))
        return new

    def rename(self, old: str, new: str) -> None:
        """A preset has another name."""
        if self._conversation.preset == old:  # it may have no message yet, and so be unknown to the chats
            self._conversation.preset = new
        self._chats.rename_preset(old, new)
        self.show_presets()

    def _override(self, preset: str, overrides: dict[str, object]) -> None:
        self._conversation.preset, self._conversation.overrides = preset, overrides
        self._chats.save_preset(self._conversation)
        self.show_presets()
        self.changed.emit()

    def show_presets(self) -> None:
        name = self._conversation.preset
        preset = self._presets.find(name)
        changed = preset is not None and dict(preset.values) != self._conversation.overrides
        choices = [PresetChoice(one.name, one.own) for one in self._presets.all]
        self._button.show_presets(choices, name, changed=changed)
