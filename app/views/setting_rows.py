"""The rows of a view of the settings: what they show, and what an edit in one of them changes."""

from PySide6.QtCore import QObject, Signal

from app.error_texts import in_words
from app.language import tr
from app.setting import Group
from app.settings import Settings
from app.theme import Theme
from app.views.draft_picker import DraftPicker
from app.views.icons import icon
from app.views.setting_row import SettingRow


def heading(group: Group) -> str:
    """What a group of the table is called."""
    names: dict[str, str] = {
        "speculation": tr("Speculation"),
        "sampling": tr("Sampling"),
        "reply": tr("Reply"),
        "appearance": tr("Appearance"),
        "loading": tr("Loading"),
        "program": tr("Program"),
    }
    return names[group]


def remark(group: Group) -> str:
    """What is to be known of a whole group, or ""."""
    return tr("Applies when a model is loaded next.") if group == "loading" else ""


class SettingRows(QObject):
    changed = Signal(object)  # a new Settings, after each valid edit
    choose_draft_requested = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.settings = Settings()
        self.by_name: dict[str, SettingRow] = {}

    def add(self, row: SettingRow) -> None:
        row.edited.connect(self._edit)
        if isinstance(row.control, DraftPicker):
            row.control.choose_requested.connect(self.choose_draft_requested)
        self.by_name[row.setting.name] = row
        row.show_value(self.settings)

    def show(self, settings: Settings) -> None:
        """What is in force. Edits that were not told yet are forgotten."""
        self.settings = settings
        for row in self.by_name.values():
            row.show_value(settings)

    def flush(self) -> None:
        """Tell now what was typed and not told yet."""
        for row in self.by_name.values():
            row.control.flush()

    def set_theme(self, theme: Theme) -> None:
        reset = icon("reset", theme.muted, 16)
        for row in self.by_name.values():
            row.reset.setIcon(reset)

    def reset(self) -> None:
        """Every setting back to its default; the models stay."""
        kept = Settings(
            model=self.settings.model, draft_model=self.settings.draft_model, more_drafts=self.settings.more_drafts
        )
        changed = kept != self.settings
        self.show(kept)
        if changed:
            self.changed.emit(kept)

    def _edit(self, name: str, value: object) -> None:
        row = self.by_name[name]
        try:
            settings = self.settings.with_value(name, value)
        except ValueError as error:
            row.show_error(in_words(str(error)))
            return
        changed = settings != self.settings
        self.settings = settings
        row.show_value(settings)
        if changed:
            self.changed.emit(settings)
