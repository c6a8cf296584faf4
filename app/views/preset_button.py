"""Which preset a chat uses, and the menu to choose, keep and remove them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QInputDialog, QMenu, QToolButton, QWidget

from app.language import tr
from app.theme import LIGHT, Theme
from app.views.icons import icon
from app.views.labels import in_menu

LONGEST = 160  # pixels of a name in the button
LONGEST_NAME = 80  # characters
DIALOG_WIDTH = 400


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
    rename_requested = Signal(str, str)  # the new name
    duplicate_requested = Signal(str)
    update_requested = Signal(str)  # to the settings of the chat
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
        self._write_name()
        said = tr("Preset of this chat: {name}").format(name=name if current else tr("none"))
        self.setAccessibleName(said)
        tip = tr("A system prompt and settings for this chat alone (Ctrl+P)")
        self.setToolTip(f"{said}\n{tip}")

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setIcon(icon("settings", theme.muted))

    def _write_name(self) -> None:
        """A long one is cut; the tooltip has all of it."""
        name = preset_name(self._current) if self._current else tr("Preset")
        shown = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, LONGEST)
        self.setText(in_menu(f"{shown} *" if self._current and self._changed else shown))

    def _fill(self) -> None:
        self._menu.clear()
        self._add(tr("None: as set for all chats"), "")
        for choice in self._choices:
            self._add(preset_name(choice.name), choice.name)
        self._menu.addSeparator()
        own = [choice for choice in self._choices if choice.own]
        if self._changed and self._current in [choice.name for choice in own]:
            text = tr('Put these settings into "{name}"').format(name=in_menu(self._current))
            self._menu.addAction(text, lambda: self.update_requested.emit(self._current))
        self._menu.addAction(tr("Save these settings as a preset…"), self._ask_name)
        change = self._menu.addMenu(tr("Change presets"))
        for choice in sorted(self._choices, key=lambda one: not one.own):
            self._fill_changes(change.addMenu(in_menu(preset_name(choice.name))), choice)

    def _fill_changes(self, menu: QMenu, choice: PresetChoice) -> None:
        """A shipped one can only be copied; the copy is the person's own."""
        name = choice.name
        if choice.own:
            menu.addAction(tr("Rename…"), lambda: self._ask_new_name(name))
            menu.addAction(tr("Put the settings of this chat into it"), lambda: self.update_requested.emit(name))
        menu.addAction(tr("Duplicate"), lambda: self.duplicate_requested.emit(name))
        if choice.own:
            menu.addAction(tr("Remove"), lambda: self.remove_requested.emit(name))

    def _add(self, text: str, name: str) -> None:
        action = self._menu.addAction(in_menu(text))
        action.setCheckable(True)
        action.setChecked(name == self._current)
        action.triggered.connect(lambda: self.chosen.emit(name))

    def _ask_name(self) -> None:
        own = self._current in [choice.name for choice in self._choices if choice.own]
        text = tr("The system prompt, sampling and speculation of this chat, under the name:")
        dialog = self._question(tr("Save as a preset"), text, self._current if own else "")
        dialog.textValueSelected.connect(lambda name: self._told(name, self.save_requested.emit))

    def _ask_new_name(self, old: str) -> None:
        dialog = self._question(tr("Rename the preset"), tr("Its new name:"), old)
        dialog.textValueSelected.connect(
            lambda name: self._told(name, lambda new: self.rename_requested.emit(old, new))
        )

    def _question(self, title: str, text: str, value: str) -> QInputDialog:
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(title)
        dialog.setLabelText(text)
        dialog.setTextValue(value)
        dialog.resize(DIALOG_WIDTH, dialog.sizeHint().height())
        dialog.open()
        return dialog

    def _told(self, name: str, tell: Callable[[str], object]) -> None:
        if name.strip():
            tell(" ".join(name.split())[:LONGEST_NAME])
