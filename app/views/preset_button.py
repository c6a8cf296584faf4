"""Which preset a chat uses, and the menu to choose, keep and remove them."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QInputDialog, QMenu, QToolButton, QWidget

from app.language import tr
from app.theme import LIGHT, Theme
from app.views.icons import icon


@dataclass(frozen=True)
class PresetChoice:
    """own: the person made it, so it can be removed."""

    name: str
    own: bool = False


def preset_name(name: str) -> str:
    """The shipped ones are known to the translators."""
    return tr(name)


class PresetButton(QToolButton):
    chosen = Signal(str)  # a preset's name; "" for none
    save_requested = Signal(str)  # under this name
    remove_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._choices: list[PresetChoice] = []
        self._current = ""
        self._changed = False
        self._theme = LIGHT
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_presets([], "", changed=False)

    def show_presets(self, choices: Sequence[PresetChoice], current: str, *, changed: bool) -> None:
        """changed: the settings of the chat are no longer those of its preset."""
        self._choices, self._current, self._changed = list(choices), current, changed
        name = preset_name(current) if current else tr("Preset")
        self.setText(f"{name} *" if current and changed else name)
        said = tr("Preset of this chat: {name}").format(name=name if current else tr("none"))
        self.setAccessibleName(said)
        tip = tr("A system prompt and settings for this chat alone (Ctrl+P)")
        self.setToolTip(f"{said}\n{tip}")

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setIcon(icon("settings", theme.muted))

    def _fill(self) -> None:
        self._menu.clear()
        self._add(tr("None: as set for all chats"), "")
        for choice in self._choices:
            self._add(preset_name(choice.name), choice.name)
        self._menu.addSeparator()
        self._menu.addAction(tr("Save these settings as a preset…")).triggered.connect(self._ask_name)
        own = [choice.name for choice in self._choices if choice.own]
        if own:
            remove = self._menu.addMenu(tr("Remove a preset"))
            for name in own:
                remove.addAction(name).triggered.connect(lambda _=False, name=name: self.remove_requested.emit(name))

    def _add(self, text: str, name: str) -> None:
        action = self._menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(name == self._current)
        action.triggered.connect(lambda: self.chosen.emit(name))

    def _ask_name(self) -> None:
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(tr("Save as a preset"))
        dialog.setLabelText(tr("The system prompt, sampling and speculation of this chat, under the name:"))
        dialog.setTextValue(self._current)
        dialog.textValueSelected.connect(self._save)
        dialog.open()

    def _save(self, name: str) -> None:
        if name.strip():
            self.save_requested.emit(" ".join(name.split()))
